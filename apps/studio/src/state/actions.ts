import { batch } from "@preact/signals";
import type { Choice } from "../data/choice.js";
import type { Item } from "../data/source.js";
import type { Order, Preview, RunInfo } from "../session/protocol.js";
import type { Tab } from "./address.js";
import { noEdits, saveEdits } from "./cluster-edits.js";
import { join } from "./merge.js";
import { control, session } from "./session.js";
import { storage } from "./storage.js";
import { FIRST_ORDER, FIRST_QUERY, type Run, run, store } from "./store.js";

/** Runs slow work with a status message, and shows its error. */
export async function during<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
  store.busy.value = what;
  store.problem.value = null;
  try {
    return await work();
  } catch (error) {
    store.problem.value = error instanceof Error ? error.message : String(error);
    return undefined;
  } finally {
    store.busy.value = null;
  }
}

export type Kept = { readonly example: string } | { readonly items: readonly Item[] };

export async function openSource(source: Kept): Promise<void> {
  const what = "example" in source ? "Making the example…" : `Reading ${source.items[0]?.name ?? "nothing"}…`;
  await during(what, async () => {
    const preview = await ask(source);
    await storage.clear();
    await storage.put("source", source);
    show(preview);
    await prepare(preview.choice, FIRST_ORDER);
  });
}

export function ask(source: Kept): Promise<Preview> {
  store.example.value = "example" in source;
  return "example" in source ? session.openExample(source.example) : session.open(source.items);
}

/** Shows a newly opened source. */
export function show(preview: Preview): void {
  batch(() => {
    store.preview.value = preview;
    store.choice.value = preview.choice;
    store.tab.value = "data";
    store.summary.value = null;
    forgetRuns();
  });
}

function forgetRuns(): void {
  batch(() => {
    store.runs.value = [];
    store.current.value = null;
    store.findings.value = null;
    store.spread.value = null;
    store.live.value = null;
    store.searching.value = null;
    store.advice.value = null;
    store.query.value = FIRST_QUERY;
    store.sample.value = null;
  });
}

/** Applies the chosen columns; suggested settings follow from them. */
export async function prepare(choice: Choice, order: Order): Promise<void> {
  const summary = await session.prepare(choice);
  const next = { ...order, k: summary.k };
  batch(() => {
    forgetRuns();
    store.choice.value = choice;
    store.summary.value = summary;
    store.order.value = next;
    store.plane.value = null;
  });
  await storage.put("choice", choice);
  store.plane.value = await session.chart(next);
}

export async function choose(choice: Choice): Promise<void> {
  await during("Taking the columns…", async () => {
    for (const { info } of store.runs.value) await storage.remove(`run:${info.id}`);
    await prepare(choice, store.order.value);
  });
}

export async function setOrder(change: Partial<Order>): Promise<void> {
  const before = store.order.value;
  const order = { ...before, ...change };
  store.order.value = order;
  if (order.method === before.method && order.scale === before.scale) return;
  store.advice.value = null;
  if (store.live.value) return;
  await during("Scaling…", async () => {
    store.plane.value = await session.chart(order);
  });
}

export async function startFit(): Promise<void> {
  const order = store.order.value;
  const id = Math.max(0, ...store.runs.value.map(({ info }) => info.id)) + 1;
  batch(() => {
    store.problem.value = null;
    store.tab.value = "fit";
    store.live.value = { id, order, state: "running", moments: [], restart: 0, labels: null, snapshot: null };
  });
  await follow(() => session.fit(id, order, control));
}

export async function resumeFit(): Promise<void> {
  const live = store.live.value;
  if (!live) return;
  store.live.value = { ...live, state: "running" };
  await follow(() => session.resume(live.id, live.order, control));
}

/** Counts fits and continuations: an answer to an earlier one comes too late. */
let turn = 0;

async function follow(work: () => ReturnType<typeof session.fit>): Promise<void> {
  const mine = ++turn;
  if (control) Atomics.store(control, 0, 0);
  try {
    const { state, info } = await work();
    const live = store.live.value;
    if (!live || mine !== turn) return;
    if (state === "done" && info) await finish(info);
    else store.live.value = { ...live, state: "paused" };
  } catch (error) {
    batch(() => {
      store.live.value = null;
      store.problem.value = error instanceof Error ? error.message : String(error);
    });
  }
}

/** Pauses the fit after its current sweep; it can be resumed. */
export async function pauseFit(): Promise<void> {
  if (control) {
    Atomics.store(control, 0, 1);
    Atomics.notify(control, 0);
  }
  await session.stop();
}

export async function cancelFit(): Promise<void> {
  const live = store.live.value;
  store.live.value = null;
  if (!live) return;
  if (live.state === "running") await pauseFit();
  await session.forget(live.id);
}

async function finish(info: RunInfo): Promise<void> {
  const fresh: Run = { info, ...noEdits(info.counts.length) };
  saveEdits(info.id, null);
  batch(() => {
    store.runs.value = [...store.runs.value, fresh];
    store.live.value = null;
  });
  await selectRun(info.id);
  await keepRun(fresh, await session.save(info.id));
}

async function keepRun({ info }: Run, bytes: Uint8Array): Promise<void> {
  // If storage is full the run stays usable until a reload.
  await storage.put(`run:${info.id}`, { order: info.order, bytes, seconds: info.seconds }).catch(() => {});
}

export async function selectRun(id: number): Promise<void> {
  batch(() => {
    store.current.value = id;
    store.findings.value = null;
    store.spread.value = null;
    store.sample.value = null;
    store.query.value = FIRST_QUERY;
  });
  await during("Looking at what was found…", async () => {
    const spread = await session.spread(id);
    if (store.current.value === id) store.spread.value = spread;
    const findings = await session.findings(id);
    if (store.current.value === id) store.findings.value = findings;
  });
}

export async function removeRun(id: number): Promise<void> {
  await session.forget(id);
  await storage.remove(`run:${id}`);
  const runs = store.runs.value.filter(({ info }) => info.id !== id);
  store.runs.value = runs;
  if (store.current.value !== id) return;
  const last = runs.at(-1);
  if (last) await selectRun(last.info.id);
  else {
    store.current.value = null;
    store.findings.value = null;
  }
}

function change(next: Run): void {
  store.runs.value = store.runs.value.map((one) => (one.info.id === next.info.id ? next : one));
  saveEdits(next.info.id, next);
}

export function renameGroup(group: number, name: string): void {
  const { value: now } = run;
  if (now) change({ ...now, names: now.names.map((old, g) => (g === group ? name.trim() : old)) });
}

export function mergeGroups(a: number, b: number): void {
  const { value: now } = run;
  if (now) change({ ...now, ...join(now.groups, now.names, a, b) });
}

export function splitGroups(): void {
  const { value: now } = run;
  if (now) change({ ...now, ...noEdits(now.info.counts.length) });
}

/** @param ks null: a range by the number of samples */
export async function searchK(ks: readonly number[] | null): Promise<void> {
  batch(() => {
    store.searching.value = { progress: null, trials: [] };
    store.advice.value = null;
    store.problem.value = null;
  });
  try {
    const advice = await session.choose(store.order.value, ks);
    if (store.searching.value) store.advice.value = advice;
  } catch (error) {
    if (store.searching.value) store.problem.value = error instanceof Error ? error.message : String(error);
  } finally {
    store.searching.value = null;
  }
}

export function showSamples(filter: Partial<typeof FIRST_QUERY>): void {
  batch(() => {
    store.query.value = { ...FIRST_QUERY, ...filter };
    store.tab.value = "samples";
  });
}

export function openTab(tab: Tab): void {
  store.tab.value = tab;
}

/** Clears everything. */
export async function leave(): Promise<void> {
  if (store.live.value) await cancelFit();
  await storage.clear();
  batch(() => {
    forgetRuns();
    store.preview.value = null;
    store.choice.value = null;
    store.summary.value = null;
    store.plane.value = null;
    store.order.value = FIRST_ORDER;
    store.problem.value = null;
  });
}
