import { rm } from "node:fs/promises";
import {
  AbortError,
  type FitOptions,
  fit,
  MemoryError,
  type MethodName,
  type Model,
  type ResumeOptions,
  resume,
  type StartReport,
  type StepReport,
  saveModel,
} from "bonmf";
import { writeCheckpoint } from "../cache/cache-folder.js";
import type { Terminal } from "../command.js";
import type { Input } from "../input/input.js";
import { OverBudget } from "../read/memory-budget.js";
import { count, decimal } from "../show/text.js";
import { LIMITS } from "./fit-options.js";
import { openModel } from "./model-file.js";

export interface FitTask {
  /** The title of the progress bar. */
  readonly title: string;
  readonly options: FitOptions;
  /** The model to resume. */
  readonly from?: Model | null;
  /** Where the state is kept meanwhile; a file already there is resumed. */
  readonly checkpoint?: string | null;
}

export interface Fitted {
  /** Null where the fit was aborted before its first iteration. */
  readonly model: Model | null;
  /** Set where the fit was aborted; `model` is then what it had reached. */
  readonly aborted: AbortError | null;
  readonly seconds: number;
  readonly threads: number;
}

/** Runs one fit with a progress bar, wherever the samples are. */
export async function fitInput(input: Input, terminal: Terminal, task: FitTask): Promise<Fitted> {
  const { title, from = null, checkpoint = null } = task;
  const options: FitOptions = { ...task.options, ...input.options, signal: input.signal };
  checkPrototypes(input, options.k);
  const before = from ?? (await openCheckpoint(checkpoint, terminal));
  const progress = watch(terminal, title, { ...options, ...before?.settings, ...defined(options) });
  const running = {
    ...options,
    onStep: progress.step,
    onStart: progress.start,
    onCheckpoint: checkpoint === null ? undefined : keepState(checkpoint, terminal),
  };
  const threads = countThreads();
  const start = performance.now();
  const end = () => ({ seconds: (performance.now() - start) / 1000, threads: threads() });
  try {
    const model = before ? await resume(before, input.X, resumeOptions(running)) : await fit(input.X, running);
    if (checkpoint !== null) await rm(checkpoint, { force: true }).catch(() => {});
    return { model, aborted: null, ...end() };
  } catch (error) {
    if (error instanceof AbortError) return { model: error.model, aborted: error, ...end() };
    throw input.explain(error);
  } finally {
    progress.end();
  }
}

/** Checkpoints are best effort: where one cannot be written, the fit goes on. */
function keepState(path: string, terminal: Terminal): (model: Model) => Promise<void> {
  let told = false;
  return async (model) => {
    try {
      await writeCheckpoint(path, saveModel(model));
    } catch (error) {
      if (!told) {
        terminal.note(`note: the state of the fit cannot be saved: ${(error as Error).message}`);
        terminal.note("note: the fit goes on, but if it is killed it must begin anew");
      }
      told = true;
    }
  };
}

/** What a value of a prototype takes: prototypes as they are, packed for SIMD, sums, those of the step before. */
const PROTOTYPE_BYTES = 32;
/** Prototypes are packed in panels of so many. */
const PANEL = 8;

/** Stops at prototypes that are too large: few samples can name any number of features. */
function checkPrototypes({ name, features, budget }: Input, k: number): void {
  const needed = PROTOTYPE_BYTES * (k + PANEL) * features;
  if (budget === undefined || needed <= budget) return;
  throw new OverBudget(new MemoryError(`${name}: k = ${k} prototypes of ${features} features`, needed, budget), false);
}

/** The same for fits that are of no use unless they finish. */
export async function fitToEnd(input: Input, terminal: Terminal, task: FitTask): Promise<Fitted & { model: Model }> {
  const fitted = await fitInput(input, terminal, task);
  if (fitted.aborted) throw input.explain(fitted.aborted);
  return { ...fitted, model: fitted.model! };
}

/** The others are the model's. */
function resumeOptions(options: FitOptions & ResumeOptions): ResumeOptions {
  const { maxIterations, tolerance, weights, threads, engine, onNote, signal, onStep, onStart, onCheckpoint } = options;
  return { maxIterations, tolerance, weights, threads, engine, onNote, signal, onStep, onStart, onCheckpoint };
}

async function openCheckpoint(path: string | null, terminal: Terminal): Promise<Model | null> {
  const model = path === null ? null : await openModel(path).catch(() => null);
  if (model) terminal.note(`note: resuming after iteration ${model.iterations} of an interrupted run`);
  return model;
}

function defined<T extends object>(given: T): Partial<T> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<T>;
}

interface Limits {
  readonly method?: MethodName | undefined;
  readonly maxIterations?: number | undefined;
  readonly restarts?: number | undefined;
}

/** The progress of a fit, relative to its iteration limit. */
function watch(terminal: Terminal, title: string, { method = "bonmf", maxIterations, restarts = 1 }: Limits) {
  const limit = maxIterations ?? LIMITS[method];
  const progress = terminal.progress(title);
  const starting = terminal.progress("choosing starts");
  return {
    start: ({ done, total }: StartReport) => starting.update(done, total, `of ${count(total)}`),
    step: ({ restart, iteration, relativeError }: StepReport) =>
      progress.update(restart * limit + iteration, restarts * limit, "iterations", `error ${decimal(relativeError)}`),
    end: () => progress.end(),
  };
}

/** Counts the threads that the library starts, and the calling one. */
function countThreads(): () => number {
  let started = 0;
  const hear = () => {
    started++;
  };
  process.on("worker", hear);
  return () => {
    process.off("worker", hear);
    return 1 + started;
  };
}
