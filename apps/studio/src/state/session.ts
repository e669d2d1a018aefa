import type { Places, Search, Session, Step } from "../session/protocol.js";
import { connect } from "../session/remote.js";
import { store } from "./store.js";

const worker = new Worker(new URL("../session/worker.ts", import.meta.url), { type: "module" });

/** Steps are batched at this interval: a fit takes hundreds per second. */
const PAUSE_MS = 120;
let waiting: Step[] = [];

/** The worker that holds the data; see session/protocol. */
export const session = connect<Session>(worker, (event) => {
  if (event.type === "search") showSearch(event.search);
  else if (event.type === "map") showMap(event.places);
  else if (event.type === "reading") store.reading.value = event;
  else if (waiting.push(event.step) === 1) setTimeout(showSteps, PAUSE_MS);
});

function showSearch(search: Search): void {
  const { value: searching } = store.searching;
  if (!searching) return;
  const { trial } = search;
  store.searching.value = { progress: search, trials: trial ? [...searching.trials, trial] : searching.trials };
}

function showMap(places: Places): void {
  const { plane, spread } = store;
  if (plane.value?.map === places.map) plane.value = { ...plane.value, ...places };
  if (spread.value?.map === places.map) spread.value = places;
}

function showSteps(): void {
  const steps = waiting;
  waiting = [];
  const live = store.live.value;
  if (!live) return;
  const own = steps.filter(({ id }) => id === live.id);
  const last = own.at(-1);
  if (!last) return;
  const moments = [...live.moments, ...own].filter(({ restart }) => restart === last.restart);
  const labels = own.findLast((step) => step.labels)?.labels ?? live.labels;
  const snapshot = own.findLast((step) => step.snapshot)?.snapshot ?? live.snapshot;
  store.live.value = { ...live, moments, labels, snapshot, restart: last.restart };
}

/** Shared with the worker where the page is isolated: 1 asks a fit to stop. */
export const control = globalThis.crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : null;
