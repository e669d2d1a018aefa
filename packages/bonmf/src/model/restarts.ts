import type { Engine } from "../engine/engine.js";
import type { Remote } from "../engine/remote.js";
import type { Checkpoint, Progress } from "../factor/iterate.js";
import { performRun, type Result } from "../factor/run.js";
import type { Run, Settings } from "../factor/settings.js";
import { deriveSeed } from "../random.js";
import type { StepReport } from "./options.js";

/** A run for a worker. Given prototypes have no place in it: from them there is only one run. */
export interface Task {
  readonly settings: Settings;
  readonly seed: number;
  readonly watched: boolean;
}

/** Who runs, and what. */
export interface Restarts {
  readonly engine: Engine;
  /** Other threads with the same samples. */
  readonly crew: readonly Remote[];
  readonly run: Run;
  /** Restarts first … last − 1 are run; the first may go on from an earlier fit. */
  readonly first: number;
  readonly last: number;
  readonly from: Checkpoint | undefined;
  /** Is waited for where there is no crew. */
  readonly onStep: ((step: StepReport) => unknown) | undefined;
}

/** Yields the results of restarts in their order. The first failure ends it. */
export function runRestarts(restarts: Restarts): AsyncGenerator<Result> {
  return restarts.crew.length > 0 ? runAbreast(restarts) : runInTurn(restarts);
}

async function* runInTurn({ engine, run, first, last, from, onStep }: Restarts): AsyncGenerator<Result> {
  for (let restart = first; restart < last; restart++) {
    const watch = (step: Progress) => onStep?.({ ...step, restart });
    yield await performRun(engine, run, seedOf(run, restart), watch, restart === first ? from : undefined);
  }
}

/**
 * The same with all threads under way at a time. What is reported is in the order of restarts too: steps of a later one
 * wait for those before.
 */
async function* runAbreast(restarts: Restarts): AsyncGenerator<Result> {
  const { engine, crew, first, last, from, onStep } = restarts;
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, restarts.run.signal ?? []].flat());
  const run = { ...restarts.run, signal };
  const slots = Array.from({ length: last - first }, openSlot);
  const held = slots.map((): Progress[] => []);
  let shown = first;
  let next = first;

  const show = (restart: number, step: Progress) => {
    try {
      onStep?.({ ...step, restart });
    } catch (error) {
      stop.abort(error);
    }
  };
  const watchOf = (restart: number) => (step: Progress) => {
    if (restart === shown) show(restart, step);
    else held[restart - first].push({ ...step, W: step.W.slice() });
  };
  const perform = (worker: Remote | null, restart: number): Promise<Result> => {
    const seed = seedOf(run, restart);
    const watch = onStep ? watchOf(restart) : null;
    if (worker === null) return performRun(engine, run, seed, watch, restart === first ? from : undefined);
    const task: Task = { settings: run.settings, seed, watched: watch !== null };
    return worker.run(task, signal, watch as (step: unknown) => void) as Promise<Result>;
  };
  /** Takes one restart after another until none is left, or one fails: those after it are not wanted. */
  const labour = async (worker: Remote | null) => {
    while (next < last) {
      const { resolve, reject } = slots[next - first];
      try {
        resolve(await perform(worker, next++));
      } catch (error) {
        next = last;
        reject(error);
      }
    }
  };

  const labours = [null, ...crew].map(labour);
  try {
    for (; shown < last; shown++) {
      for (const step of held[shown - first].splice(0)) show(shown, step);
      const result = await slots[shown - first].promise;
      if (stop.signal.aborted) throw stop.signal.reason;
      yield result;
    }
  } finally {
    stop.abort();
    await Promise.all(labours);
  }
}

function seedOf({ settings }: Run, restart: number): number {
  return deriveSeed(settings.seed, restart);
}

interface Slot {
  readonly promise: Promise<Result>;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

function openSlot(): Slot {
  let resolve: Slot["resolve"] = () => {};
  let reject: Slot["reject"] = () => {};
  const promise = new Promise<Result>((...given) => {
    [resolve, reject] = given;
  });
  promise.catch(() => {}); // One that nobody waits for may fail unheard.
  return { promise, resolve, reject };
}
