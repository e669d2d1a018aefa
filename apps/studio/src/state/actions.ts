import { batch } from "@preact/signals";
import { findsTopics } from "../session/finds-topics.js";
import type { Order, RunInfo } from "../session/protocol.js";
import type { Tab } from "./address.js";
import { describeError, during } from "./busy.js";
import { noEdits } from "./cluster-edits.js";
import { addRun } from "./edit.js";
import { leaveProject } from "./open-project.js";
import { control, session } from "./session.js";
import { FIRST_QUERY, store } from "./store.js";
import { showRun } from "./work.js";

export async function setOrder(change: Partial<Order>): Promise<void> {
  const before = store.order.value;
  const order = { ...before, ...change };
  store.order.value = order;
  const same = order.method === before.method && order.scale === before.scale;
  if (same && willFindTopics(order) === willFindTopics(before)) return;
  store.advice.value = null;
  if (store.live.value) return;
  await during("Scaling…", async () => {
    store.plane.value = await session.chart(order);
  });
}

/** Whether a fit of the open data finds topics. */
export function willFindTopics(order: Order): boolean {
  const { value: summary } = store.summary;
  return findsTopics(order, { texts: summary?.form === "text", vectors: (summary?.vectorWeight ?? null) !== null });
}

export async function startFit(): Promise<void> {
  const order = store.order.value;
  const id = takeNumber();
  batch(() => {
    store.problem.value = null;
    store.tab.value = "fit";
    store.live.value = { id, order, state: "running", moments: [], restart: 0, labels: null, snapshot: null };
  });
  await follow(() => session.fit(id, order, control));
}

/** Runs are numbered among the parts of the project, where no number is used twice. */
function takeNumber(): number {
  const { value: project } = store.project;
  if (!project) return 1;
  store.project.value = { ...project, next: project.next + 1 };
  return project.next;
}

export async function resumeFit(): Promise<void> {
  const live = store.live.value;
  if (!live) return;
  store.live.value = { ...live, state: "running" };
  await follow(() => session.resume(live.id, live.order, control));
}

/** Counts fits, continuations and cancellations: an answer to an earlier one comes too late. */
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
    if (mine !== turn) return;
    batch(() => {
      store.live.value = null;
      store.problem.value = describeError(error);
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
  turn++;
  if (!live) return;
  if (live.state === "running") await pauseFit();
  await session.forget(live.id);
}

async function finish(info: RunInfo): Promise<void> {
  const edits = noEdits(info.counts.length);
  batch(() => {
    store.runs.value = [...store.runs.value, { info, ...edits }];
    store.live.value = null;
    store.current.value = info.id;
    store.findings.value = null;
    store.spread.value = null;
    store.sample.value = null;
    store.query.value = FIRST_QUERY;
  });
  const { id, order, seconds } = info;
  await addRun({ id, order, seconds, ...edits }, await session.save(id));
}

export async function selectRun(id: number): Promise<void> {
  await during("Looking at what was found…", () => showRun(id));
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
    if (store.searching.value) store.problem.value = describeError(error);
  } finally {
    store.searching.value = null;
  }
}

/** Shows the samples that a link speaks of, selected or not. */
export function showSamples(filter: Partial<typeof FIRST_QUERY>): void {
  batch(() => {
    store.limited.value = false;
    store.query.value = { ...FIRST_QUERY, ...filter };
    store.tab.value = "samples";
  });
}

export function openTab(tab: Tab): void {
  store.tab.value = tab;
}

/** Back to the start; the project stays in the list. */
export async function leave(): Promise<void> {
  if (store.live.value) await cancelFit();
  store.problem.value = null;
  leaveProject();
}
