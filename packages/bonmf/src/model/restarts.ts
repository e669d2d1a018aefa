import type { Engine, RemoteEngine } from "../engine/engine.js";
import type { Checkpoint, Progress } from "../factor/iterate.js";
import { performRun, type Result } from "../factor/run.js";
import type { Run, Settings } from "../factor/settings.js";
import type { Precision } from "../matrix/dense.js";
import { deriveSeed } from "../random.js";
import type { StepReport } from "./options.js";

/** Who runs, and what. */
export interface Restarts {
  readonly engine: Engine;
  /** Other threads with the same samples. */
  readonly crew: readonly RemoteEngine[];
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
    const watch = onStep ? (step: Progress) => onStep({ ...step, restart }) : null;
    const seed = deriveSeed(run.settings.seed, restart);
    yield await performRun(engine, run, seed, watch, restart === first ? from : undefined);
  }
}

/** What a thread is to do. Given prototypes have no place in it: from them there is only one run. */
export interface Task {
  readonly settings: Settings;
  readonly precision: Precision | undefined;
  /** The next restart that nobody has taken yet, shared by all threads: none waits for another to be given one. */
  readonly next: Int32Array;
  readonly last: number;
  readonly watched: boolean;
}

/** A step of a restart, or what came out in the end. */
export type News = { readonly restart: number } & ({ readonly step: Progress } | { readonly result: Result });

/** Takes one restart after another until none is left. */
export async function labour(
  engine: Engine,
  { settings, precision, next, last, watched }: Task,
  signal: AbortSignal,
  tell: (news: News) => void,
  begin?: { readonly restart: number; readonly from: Checkpoint | undefined },
): Promise<void> {
  for (let restart = begin?.restart ?? take(next); restart < last; restart = take(next)) {
    const watch = watched ? (step: Progress) => tell({ restart, step }) : null;
    const from = restart === begin?.restart ? begin.from : undefined;
    const run = { settings, precision, signal };
    const result = await performRun(engine, run, deriveSeed(settings.seed, restart), watch, from);
    tell({ restart, result });
  }
}

function take(next: Int32Array): number {
  return Atomics.add(next, 0, 1);
}

/**
 * All threads under way at a time. What is reported is in the order of restarts as well: steps of a later one wait for
 * those before.
 */
async function* runAbreast({ engine, crew, run, first, last, from, onStep }: Restarts): AsyncGenerator<Result> {
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, run.signal ?? []].flat());
  const next = new Int32Array(new SharedArrayBuffer(4)).fill(first + 1);
  const task: Task = { settings: run.settings, precision: run.precision, next, last, watched: onStep !== undefined };
  const slots = Array.from({ length: last - first }, openSlot);
  const held = slots.map((): Progress[] => []);
  let shown = first;

  const show = (restart: number, step: Progress) => {
    try {
      onStep?.({ ...step, restart });
    } catch (error) {
      stop.abort(error);
    }
  };
  const hear = (news: News) => {
    const { restart } = news;
    if ("result" in news) slots[restart - first].resolve(news.result);
    else if (restart === shown) show(restart, news.step);
    else held[restart - first].push({ ...news.step, W: news.step.W.slice() });
  };
  // The others first: the caller's own runs keep it busy.
  const others = crew.map((remote) => remote.run(task, signal, hear as (news: unknown) => void));
  const labours = [labour(engine, task, signal, hear, { restart: first, from }), ...others];
  // Where one fails those after it are not wanted, and its own result will never come.
  const ended = Promise.allSettled(labours.map((each) => each.finally(() => Atomics.store(next, 0, last)))).then(
    (all) => {
      const failed = all.find(({ status }) => status === "rejected") as PromiseRejectedResult | undefined;
      for (const { reject } of slots) reject(failed?.reason);
    },
  );
  try {
    for (; shown < last; shown++) {
      for (const step of held[shown - first].splice(0)) show(shown, step);
      const result = await slots[shown - first].promise;
      if (stop.signal.aborted) throw stop.signal.reason;
      yield result;
    }
  } finally {
    stop.abort();
    await ended;
  }
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
