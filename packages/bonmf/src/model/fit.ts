import type { Engine, RemoteEngine } from "../engine/engine.js";
import { memorySource } from "../engine/in-memory.js";
import type { Source } from "../engine/source.js";
import { BonmfError, DataError, OptionError } from "../errors.js";
import type { Checkpoint, Outcome } from "../factor/iterate.js";
import { METHODS } from "../factor/methods/index.js";
import type { Result } from "../factor/run.js";
import type { Run, Settings } from "../factor/settings.js";
import type { Moment } from "../factor/stop.js";
import { surveyData } from "../factor/survey.js";
import { labelCodes } from "../kernel/encode.js";
import { checkValues, type Matrix, type Samples, toMatrix } from "../matrix/matrix.js";
import { fitScaler, restoreScaler, type ScaleName, type Scaler } from "../scale/scaler.js";
import { Model } from "./model.js";
import {
  atLeastZero,
  checkNames,
  checkTags,
  checkWeights,
  type FitOptions,
  oneOf,
  resolveOptions,
  type StepReport,
  type Tags,
  type WatchOptions,
  wholeNumber,
} from "./options.js";
import { runRestarts } from "./restarts.js";

/**
 * The fit was aborted. `model` is what it had reached, or null if no sweep was finished; `resume` goes on from it.
 *
 * @example
 * ```ts
 * import { AbortError, fit, resume } from "bonmf";
 * const X = [[5, 0, 1], [4, 1, 0], [0, 3, 3], [1, 4, 5]];
 * const stop = new AbortController();
 * const watch = { signal: stop.signal, onStep: () => stop.abort() };
 * const error = await fit(X, { k: 2, seed: 7, ...watch }).catch((reason) => reason);
 * error instanceof AbortError; // → true
 * (await resume(error.model, X)).converged; // → true
 * ```
 */
export class AbortError extends BonmfError {
  readonly model: Model | null;
  constructor(model: Model | null, reason: unknown) {
    super("aborted", "the fit was aborted", { cause: reason });
    this.name = "AbortError";
    this.model = model;
  }
}

/** One fit in progress: where it runs, on what, and how its result becomes a model. */
interface Job {
  readonly engine: Engine;
  readonly remotes: readonly RemoteEngine[];
  readonly source: Source;
  readonly run: Run;
  readonly scaler: Scaler;
  readonly featureNames: readonly string[] | null;
  readonly tags: Tags;
  readonly threads: number | undefined;
  readonly onStep: FitOptions["onStep"];
  readonly onCheckpoint: KeepOptions["onCheckpoint"];
}

/** For fits that may be killed. */
export interface KeepOptions {
  /**
   * Called with the model reached so far, from which `resume` goes on, and awaited: after the first sweep, then after a
   * sweep whenever all that keeping has taken less than a twentieth of the time.
   */
  onCheckpoint?: ((model: Model) => Promise<void> | undefined) | undefined;
}

const WORTH_KEEPING = 20;

/**
 * Factorises non-negative samples into k prototypes and a code for each sample: X ≈ WH.
 *
 * @param X n samples of m features: nested arrays, `Dense`, `Sparse`, or a source of samples that are elsewhere
 * @throws DataError for samples or weights that cannot be used, OptionError for a bad option, {@link AbortError} when
 * `signal` aborts
 *
 * @example
 * ```ts
 * import { fit } from "bonmf";
 * const X = [[5, 0, 1], [4, 1, 0], [0, 3, 3], [1, 4, 5]];
 * const model = await fit(X, { k: 2, seed: 7 });
 * model.labels[0] === model.labels[1]; // → true
 * model.labels[0] === model.labels[2]; // → false
 * model.stopped; // → "fixed-point"
 * ```
 */
export async function fit(X: Samples | Source, options: FitOptions & KeepOptions): Promise<Model> {
  const tags = checkTags(options.tags);
  const { scale = "none", threads, onStep, onCheckpoint } = options;
  oneOf("scale", scale, ["none", "minmax", "shift", "l2", "tfidf", "split"]);
  if (threads !== undefined) wholeNumber("threads", threads, 1);
  const { source, scaler, check } = isSource(X) ? acceptSource(X, options) : holdSamples(X, scale, options);
  const featureNames = checkNames(options.featureNames, scaler.features);
  const run = resolveOptions(options, source.samples, source.features);
  const job = { source, run, scaler, featureNames, tags, threads, onStep, onCheckpoint };
  return runJob(job, 0, null).catch((error: unknown) => {
    if (error instanceof DataError) check?.();
    throw error;
  });
}

/** Samples on their way into a fit; `check` finds and names a bad value that only the engine has noticed. */
interface Accepted {
  readonly source: Source;
  readonly scaler: Scaler;
  readonly check?: () => void;
}

function isSource(X: Samples | Source): X is Source {
  return typeof X === "object" && X !== null && "open" in X;
}

function acceptSource(source: Source, { scale, weights }: Pick<FitOptions, "scale" | "weights">): Accepted {
  const remedy = "a source brings its own: set it there";
  if (scale !== undefined) throw new OptionError("scale", scale, `scale cannot be applied to a source: ${remedy}`);
  if (weights !== undefined)
    throw new OptionError("weights", weights, `weights cannot be given to a source: ${remedy}`);
  return { source, scaler: source.scaler ?? restoreScaler("none", source.features, {}) };
}

/** Samples in memory, checked and scaled, as a source. */
function holdSamples(X: Samples, scale: ScaleName, options: FitOptions): Accepted {
  const raw = toMatrix(X, options.precision);
  const featureNames = checkNames(options.featureNames, raw.features) ?? undefined;
  const check = () => checkValues(raw, { signed: scale !== "none", featureNames });
  // The engine looks at every value anyway: it finds a bad one sooner, and then this names it.
  const unchecked = scale === "none" && raw.precision === "f32" && raw.samples * raw.features > 0;
  if (!unchecked) check();
  const weights = checkWeights(options.weights, raw.samples);
  const scaler =
    scale === "none" ? restoreScaler(scale, raw.features, {}) : fitScaler(scale, raw, weights ?? undefined);
  const scaled = scaler.transform(raw);
  if (scaled !== raw) checkValues(scaled, { signed: false });
  const source = memorySource(scaled, weights, unchecked);
  return unchecked ? { source, scaler, check } : { source, scaler };
}

/**
 * Fits and encodes in one go; `H` is what `model.transform(X)` returns. Takes and throws what {@link fit} does.
 *
 * @returns the model, and H as n × k
 *
 * @example
 * ```ts
 * import { fitTransform } from "bonmf";
 * const { model, H } = await fitTransform([[5, 0], [4, 1], [0, 3]], { k: 2, method: "nmf", seed: 1 });
 * H.samples; // → 3
 * H.features; // → 2
 * ```
 */
export async function fitTransform(X: Samples, options: FitOptions): Promise<{ model: Model; H: Matrix }> {
  const raw = toMatrix(X, options.precision);
  const model = await fit(raw, options);
  return { model, H: model.transform(raw) };
}

export interface ResumeOptions extends WatchOptions, KeepOptions {
  maxIterations?: number | undefined;
  tolerance?: number | undefined;
  /** The same weights as in the fit. */
  weights?: ArrayLike<number> | undefined;
}

/**
 * Goes on with a fit that was aborted or had used up its iterations, on the same samples. It ends on the same bits as a
 * fit that was left alone. A model that has converged comes back as it is.
 *
 * @param X the n × m samples of the fit, unscaled, or their source
 * @throws DataError when these are other samples or weights, OptionError for a bad option, {@link AbortError} when
 * `signal` aborts
 *
 * @example
 * ```ts
 * import { fit, resume } from "bonmf";
 * const X = [[5, 0, 1], [4, 1, 0], [0, 3, 3], [1, 4, 5]];
 * const early = await fit(X, { k: 2, seed: 7, maxIterations: 1 });
 * early.stopped; // → "iterations"
 * const model = await resume(early, X, { maxIterations: 100 });
 * model.converged; // → true
 * ```
 */
export async function resume(model: Model, X: Samples | Source, options: ResumeOptions = {}): Promise<Model> {
  const { maxIterations = model.settings.maxIterations, tolerance = model.settings.tolerance } = options;
  const { threads, onStep, onCheckpoint } = options;
  wholeNumber("maxIterations", maxIterations, 1);
  atLeastZero("tolerance", tolerance);
  if (threads !== undefined) wholeNumber("threads", threads, 1);
  const source = isSource(X) ? acceptSource(X, options).source : againOf(model, X, options);
  if (source.samples !== model.samples) {
    throw new DataError(
      "other-data",
      `the model was fitted on ${model.samples} samples but these are ${source.samples}: resume needs the same data`,
    );
  }
  const over = model.iterations >= maxIterations && model.restart + 1 >= model.settings.restarts;
  if (model.stopped !== "aborted" && (model.stopped !== "iterations" || over)) return model;
  const run = { settings: { ...model.settings, maxIterations, tolerance }, signal: options.signal };
  const { scaler, featureNames, tags } = model;
  const job = { source, run, scaler, featureNames, tags, threads, onStep, onCheckpoint };
  return runJob(job, model.restart, model);
}

function againOf(model: Model, X: Samples, options: ResumeOptions): Source {
  const scaled = model.prepare(X);
  return memorySource(scaled, checkWeights(options.weights, scaled.samples));
}

async function runJob(parts: Omit<Job, "engine" | "remotes">, first: number, from: Model | null): Promise<Model> {
  const { source, threads, onCheckpoint } = parts;
  const run = { ...parts.run, precision: source.precision };
  const { method, k, restarts } = run.settings;
  const runs = from?.stopped === "iterations" || onCheckpoint ? 1 : restarts - first;
  const opening = { k, form: METHODS[method].form, threads, effort: estimateEffort(run.settings) };
  const [engine, ...remotes] = (runs > 1 && (await source.openMany?.(opening, runs))) || [await source.open(opening)];
  try {
    return await chooseRun({ ...parts, run, engine, remotes: remotes as RemoteEngine[] }, first, from);
  } catch (error) {
    const { signal } = run;
    throw signal?.aborted && error === signal.reason ? new AbortError(null, error) : error;
  } finally {
    await Promise.all([engine, ...remotes].map((each) => each.close()));
  }
}

/** Multiply-adds for each value, for want of a better guess with at most 20 iterations: threads must be worth it sweep by sweep. */
function estimateEffort({ method, k, maxIterations }: Settings): number {
  // Bounds spare the one-hot methods most products.
  const spared = METHODS[method].form === "labels" ? 8 : 1;
  return (k * Math.min(maxIterations, 20)) / spared;
}

/** Runs the restarts and keeps the best by the method's potential; ties go to the earlier run. */
async function chooseRun(job: Job, first: number, from: Model | null): Promise<Model> {
  const { run, engine, remotes } = job;
  const { settings, signal } = run;
  const { sense } = METHODS[settings.method];
  // A run that had ended by its iteration limit was chosen already; only an interrupted one has others to come.
  const last = from?.stopped === "iterations" ? first + 1 : settings.restarts;
  let best = from?.best ?? null;
  /** The run before, as one that was aborted right after it. */
  let previous: (() => Model) | null = null;
  let restart = first;
  const onStep = job.onCheckpoint ? keepSteps(job, from, () => best) : job.onStep;
  try {
    for await (const result of runRestarts({ engine, remotes, run, first, last, from: checkpointOf(from), onStep })) {
      const { W, survey, stopped } = result.outcome;
      if (from !== null && survey.lengthSq !== from.normSq) {
        throw new DataError("other-data", "these are not the samples (or weights) the model was fitted on");
      }
      const model = buildModel(job, restart++, result, stopped === "aborted" ? best : null);
      if (stopped === "aborted") throw new AbortError(model, signal?.reason);
      const before = best;
      previous = () => new Model({ ...model, W, stopped: "aborted", best: before });
      if (best === null || sense * model.potential > sense * best.potential) best = model;
    }
  } catch (error) {
    // Nothing of this run is worth keeping yet, but the one before it is: going on from there comes back here.
    if (previous === null || !signal?.aborted || error !== signal.reason) throw error;
    throw new AbortError(previous(), error);
  }
  return best!;
}

function checkpointOf(model: Model | null): Checkpoint | undefined {
  if (model === null) return undefined;
  const { W, codes, history, repairs } = model;
  return { W: W.data as Float64Array, codes, history, repairs };
}

/** Shows every step, and now and then makes a model of what was reached. */
function keepSteps(job: Job, from: Model | null, bestOf: () => Model | null): (step: StepReport) => Promise<void> {
  const { engine, run, onStep, onCheckpoint } = job;
  const began = performance.now();
  let history: Moment[] = [...(from?.history ?? [])];
  let spent = 0;
  return async (step) => {
    const { iteration, potential, relativeError, changed, fingerprint } = step;
    if (iteration === 1) history = [];
    history.push({ iteration, potential, relativeError, changed, fingerprint });
    onStep?.(step);
    const now = performance.now();
    if (WORTH_KEEPING * spent > now - began) return;
    const survey = await surveyData(engine, METHODS[run.settings.method].unit ?? false, 0);
    const outcome: Outcome = { ...step, W: step.W.slice(), history, stopped: "aborted", survey };
    const codes = await engine.gather();
    // The labels of real codes do not matter for going on.
    const labels = labelCodes(codes, outcome.W, null);
    await onCheckpoint!(buildModel(job, step.restart, { outcome, codes, labels }, bestOf()));
    spent += performance.now() - now;
  };
}

function buildModel(job: Job, restart: number, { outcome, codes, labels }: Result, best: Model | null): Model {
  return new Model({
    settings: job.run.settings,
    W: outcome.W,
    codes,
    labels,
    ...(labels.length === 0 ? { counts: Uint32Array.from(outcome.weights) } : {}),
    scaler: job.scaler,
    featureNames: job.featureNames,
    tags: job.tags,
    history: outcome.history,
    stopped: outcome.stopped,
    repairs: outcome.repairs,
    zeroSamples: outcome.survey.zeros,
    normSq: outcome.survey.lengthSq,
    restart,
    best,
    precision: job.source.precision,
  });
}
