import { batch } from "@preact/signals";
import type { Choice } from "../data/choice.js";
import type { Origin } from "../data/source.js";
import type { Order } from "../session/protocol.js";
import { describeError } from "./busy.js";
import { resetMap } from "./map.js";
import { loadPart } from "./parts.js";
import type { KeptRun, Work } from "./project.js";
import { session } from "./session.js";
import { FIRST_ORDER, FIRST_QUERY, type Run, store } from "./store.js";

type Load = <T>(part: number) => Promise<T>;

/**
 * Brings worker and page from one state of the work to another: for opening, changing, undoing and redoing alike.
 *
 * @param from null: nothing is there yet
 */
export async function showWork(next: Work, from: Work | null, load: Load = loadPart): Promise<void> {
  const other = from === null || next.origin !== from.origin;
  if (other) await showOrigin(await load<Origin>(next.origin));
  const choice = next.choice ?? store.preview.value?.choice ?? {};
  if (other || JSON.stringify(choice) !== JSON.stringify(store.choice.value)) {
    try {
      await readSamples(choice);
    } catch (error) {
      if (!other) throw error;
      // The file is there to look at, and people may choose otherwise.
      store.choice.value = choice;
      store.problem.value = describeError(error);
      return;
    }
  }
  const [last] = next.runs.slice(-1);
  // As it was set when the run was made, not as another file suggests.
  if (other && last) store.order.value = last.order;
  await showRuns(next.runs, load);
}

/** @returns whether the samples are the same as before, and the runs stay */
export async function readSamples(choice: Choice): Promise<boolean> {
  const summary = await session.prepare(choice);
  const { value: before } = store.order;
  const onVectors = summary.vectorWeight !== null;
  const wasOnVectors = (store.summary.value?.vectorWeight ?? null) !== null;
  // The usual method of each, where it was not chosen otherwise.
  const usual = (vectors: boolean) => (vectors ? "spherical" : "bonmf");
  const method = before.method === usual(wasOnVectors) ? usual(onVectors) : before.method;
  const order = summary.kept ? before : { ...before, method, k: summary.k };
  batch(() => {
    if (!summary.kept) forgetRuns();
    store.choice.value = choice;
    store.summary.value = summary;
    store.order.value = order;
  });
  await showPlane(order);
  // Their labels may be others now.
  const infos = await Promise.all(store.runs.value.map(({ info, groups }) => session.merge(info.id, groups)));
  store.runs.value = store.runs.value.map((one, r) => ({
    ...one,
    info: { ...infos[r], seconds: one.info.seconds },
  }));
  const { value: current } = store.current;
  if (current !== null && store.runs.value.length > 0) await refreshRun(current);
  return summary.kept;
}

/** Some of many samples first. */
async function showPlane(order: Order): Promise<void> {
  store.sketch.value = await session.sketch(order);
  const plane = await session.chart(order);
  batch(() => {
    store.plane.value = plane;
    store.sketch.value = null;
  });
}

async function showOrigin(origin: Origin): Promise<void> {
  const preview = await ("example" in origin
    ? session.openExample(origin.example)
    : session.open(origin.items, origin.part, origin.vectors));
  batch(() => {
    const { value: current } = store.current;
    forgetWork();
    // A stored project says which run was shown.
    store.current.value = current;
    store.preview.value = preview;
    store.example.value = "example" in origin;
  });
}

async function showRuns(wanted: readonly KeptRun[], load: Load): Promise<void> {
  const known = new Map(store.runs.value.map((run) => [run.info.id, run]));
  const runs: Run[] = [];
  let fresh = false;
  for (const { id, order, seconds, groups, names } of wanted) {
    const old = known.get(id);
    known.delete(id);
    const same = old !== undefined && JSON.stringify(old.groups) === JSON.stringify(groups);
    const info = same
      ? old.info
      : old
        ? await session.merge(id, groups)
        : await session.restore(id, order, await load<Uint8Array>(id), groups);
    if (!same && id === store.current.value) fresh = true;
    runs.push({ info: { ...info, seconds }, groups, names });
  }
  for (const id of known.keys()) await session.forget(id);
  const { value: current } = store.current;
  const stays = runs.some(({ info }) => info.id === current);
  const { value: before } = store.findings;
  const findings = before && stays && fresh ? await session.findings(current!) : before;
  // At once: the views are drawn a single time, and never the clusters of one state with the names of another.
  batch(() => {
    store.runs.value = runs;
    store.findings.value = findings;
  });
  if (!stays) await showRun(runs.at(-1)?.info.id ?? null);
  else if (findings === null) await refreshRun(current!);
}

/** Shows another run. */
export async function showRun(id: number | null): Promise<void> {
  batch(() => {
    store.current.value = id;
    store.findings.value = null;
    store.spread.value = null;
    store.sample.value = null;
    store.query.value = FIRST_QUERY;
  });
  if (id === null) return;
  const spread = await session.spread(id);
  if (store.current.value === id) store.spread.value = spread;
  await refreshRun(id);
}

/** The clusters of the run have changed. */
async function refreshRun(id: number): Promise<void> {
  store.spread.value ??= await session.spread(id);
  const findings = await session.findings(id);
  if (store.current.value === id) store.findings.value = findings;
}

function forgetRuns(): void {
  batch(() => {
    store.runs.value = [];
    store.findings.value = null;
    store.spread.value = null;
    store.live.value = null;
    store.searching.value = null;
    store.advice.value = null;
    store.query.value = FIRST_QUERY;
    store.sample.value = null;
    store.selection.value = null;
    resetMap();
  });
}

/** Nothing is open any more. */
export function forgetWork(): void {
  batch(() => {
    forgetRuns();
    store.current.value = null;
    store.preview.value = null;
    store.choice.value = null;
    store.summary.value = null;
    store.plane.value = null;
    store.sketch.value = null;
    store.tab.value = "data";
    store.order.value = FIRST_ORDER;
  });
}
