import type { Engine, RemoteEngine } from "../engine/engine.js";
import { type Checkpoint, type Progress, performRun, type Result } from "../factor/iterate.js";
import { METHODS } from "../factor/methods/index.js";
import type { MethodName, Run, Settings } from "../factor/settings.js";
import type { Precision } from "../matrix/dense.js";
import { deriveSeed } from "../random.js";
import type { StartReport, StepReport } from "./options.js";

/** Multiply-adds of a full sweep up to which a fit is run ten times, and three times. */
const CHEAP = 2 ** 27;
const MODERATE = 2 ** 30;

/**
 * How many runs from different starts are worth their time: a function of n · m · k alone, never of the clock, so that
 * results can be repeated. The command and the studio use it where nobody says otherwise. Real-valued methods start from
 * singular vectors, which are the same for every run.
 *
 * @example
 * ```ts
 * import { chooseRestarts } from "bonmf";
 * chooseRestarts({ samples: 150, features: 4, k: 3 }); // → 10
 * chooseRestarts({ samples: 60_000, features: 784, k: 10 }); // → 3
 * chooseRestarts({ samples: 1_000_000, features: 784, k: 10 }); // → 1
 * ```
 */
export function chooseRestarts(work: {
  samples: number;
  features: number;
  k: number;
  /** Default `bonmf`. */
  method?: MethodName | undefined;
}): number {
  const { samples, features, k, method = "bonmf" } = work;
  if (METHODS[method].form === "real") return 1;
  const products = samples * features * k;
  return products <= CHEAP ? 10 : products <= MODERATE ? 3 : 1;
}

export interface Restarts {
  readonly engine: Engine;
  /** Engines in workers, with the same samples; empty: one run after another. */
  readonly remotes: readonly RemoteEngine[];
  readonly run: Run;
  /** Restarts first … last − 1 are run; the first may continue an earlier fit. */
  readonly first: number;
  readonly last: number;
  readonly from: Checkpoint | undefined;
  /** Awaited where there are no remotes. */
  readonly onStep: ((step: StepReport) => unknown) | undefined;
  readonly onStart?: ((start: StartReport) => void) | undefined;
}

/** Yields the results of restarts in order. The first failure ends it. */
export function runRestarts(restarts: Restarts): AsyncGenerator<Result> {
  return restarts.remotes.length > 0 ? runParallel(restarts) : runSequentially(restarts);
}

async function* runSequentially(restarts: Restarts): AsyncGenerator<Result> {
  const { engine, first, last, from, onStep, onStart } = restarts;
  for (let restart = first; restart < last; restart++) {
    const watch = onStep ? (step: Progress) => onStep({ ...step, restart }) : null;
    const run = { ...restarts.run, ...reportStart(restart, onStart) };
    const seed = deriveSeed(run.settings.seed, restart);
    yield await performRun(engine, run, seed, watch, restart === first ? from : undefined);
  }
}

function reportStart(restart: number, onStart: Restarts["onStart"]): Pick<Run, "onStart"> {
  return onStart ? { onStart: (done, total) => onStart({ restart, done, total }) } : {};
}

/** What a thread is asked to do. Given prototypes are not part of it: with them there is only one run. */
export interface Task {
  readonly settings: Settings;
  readonly precision: Precision | undefined;
  /** The next restart that no thread has taken, in shared memory: a thread need not wait for a message to take one. */
  readonly next: Int32Array;
  readonly last: number;
  readonly watched: boolean;
}

/** A step of a restart, or its result. */
type TaskReport = { readonly restart: number } & ({ readonly step: Progress } | { readonly result: Result });

/** Runs restarts until none is left. */
export async function runTask(
  engine: Engine,
  { settings, precision, next, last, watched }: Task,
  signal: AbortSignal,
  report: (report: TaskReport) => void,
  begin?: Pick<Restarts, "from" | "onStart"> & { readonly restart: number },
): Promise<void> {
  const takeNext = () => Atomics.add(next, 0, 1);
  for (let restart = begin?.restart ?? takeNext(); restart < last; restart = takeNext()) {
    const watch = watched ? (step: Progress) => report({ restart, step }) : null;
    const from = restart === begin?.restart ? begin.from : undefined;
    const run = { settings, precision, signal, ...reportStart(restart, begin?.onStart) };
    const result = await performRun(engine, run, deriveSeed(settings.seed, restart), watch, from);
    report({ restart, result });
  }
}

/** All threads at the same time. Steps are shown in the order of restarts too: those of a later one wait for the earlier. */
async function* runParallel(restarts: Restarts): AsyncGenerator<Result> {
  const { engine, remotes, run, first, last, from, onStep } = restarts;
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, run.signal ?? []].flat());
  const next = new Int32Array(new SharedArrayBuffer(4)).fill(first + 1);
  const onStart = restarts.onStart && ((start: StartReport) => guardCall(() => restarts.onStart?.(start)));
  const task: Task = { settings: run.settings, precision: run.precision, next, last, watched: onStep !== undefined };
  const results = Array.from({ length: last - first }, defer);
  const heldSteps = results.map((): Progress[] => []);
  let shown = first;

  /** An error of the caller's function ends all runs. */
  const guardCall = (call: () => unknown) => {
    try {
      call();
    } catch (error) {
      stop.abort(error);
    }
  };
  const show = (restart: number, step: Progress) => guardCall(() => onStep?.({ ...step, restart }));
  const receive = (report: TaskReport) => {
    const { restart } = report;
    if ("result" in report) results[restart - first].resolve(report.result);
    else if (restart === shown) show(restart, report.step);
    else heldSteps[restart - first].push({ ...report.step, W: report.step.W.slice() });
  };
  // The workers first: the caller's own runs keep it busy.
  const others = remotes.map((remote) => remote.run(task, signal, receive as (report: unknown) => void));
  const tasks = [runTask(engine, task, signal, receive, { restart: first, from, onStart }), ...others];
  // When one thread fails, the others take no more restarts, and results that are still missing will not come.
  const ended = Promise.allSettled(tasks.map((each) => each.finally(() => Atomics.store(next, 0, last)))).then(
    (all) => {
      const failed = all.find(({ status }) => status === "rejected") as PromiseRejectedResult | undefined;
      for (const { reject } of results) reject(failed?.reason);
    },
  );
  try {
    for (; shown < last; shown++) {
      for (const step of heldSteps[shown - first].splice(0)) show(shown, step);
      const result = await results[shown - first].promise;
      if (stop.signal.aborted) throw stop.signal.reason;
      yield result;
    }
  } finally {
    stop.abort();
    await ended;
  }
}

interface Deferred {
  readonly promise: Promise<Result>;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

function defer(): Deferred {
  let resolve: Deferred["resolve"] = () => {};
  let reject: Deferred["reject"] = () => {};
  const promise = new Promise<Result>((...given) => {
    [resolve, reject] = given;
  });
  promise.catch(() => {}); // A result that nobody awaits may be rejected.
  return { promise, resolve, reject };
}
