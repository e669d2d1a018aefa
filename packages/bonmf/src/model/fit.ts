import type { Engine, RemoteEngine } from "../engine/engine.js";
import type { Source } from "../engine/source.js";
import { type Survey, surveyData } from "../engine/survey.js";
import { DataError } from "../errors.js";
import type { Checkpoint, Moment, Outcome, Result } from "../factor/iterate.js";
import { singleErrorOfKnown } from "../factor/known.js";
import { METHODS } from "../factor/methods/index.js";
import type { Run, Settings } from "../factor/settings.js";
import { measureSingleError } from "../factor/single-prototype.js";
import { labelCodes } from "../kernel/encode.js";
import { checkKnown, type KnownOptions } from "../known-options.js";
import { type Matrix, type Samples, toMatrix } from "../matrix/matrix.js";
import { SCALES, type Scaler } from "../scale/scaler.js";
import { AbortError, explainAbort } from "./abort.js";
import { checkEngine, chooseSource, ENGINE_CHOICE, type EngineChoice } from "./engine-choice.js";
import { checkModel, Model } from "./model.js";
import {
  atLeastZero,
  checkFitOptions,
  checkNames,
  checkTags,
  checkWeights,
  FIT_OPTIONS,
  type FitOptions,
  oneOf,
  resolveOptions,
  type StepReport,
  type Tags,
  WATCH_OPTIONS,
  type WatchOptions,
  wholeNumber,
} from "./options.js";
import { isSource, type Prepared, placeLargest, prepareSamples, takeSource } from "./prepare.js";
import { runRestarts } from "./restarts.js";

/** Checkpoints, for fits that may be killed. */
export interface KeepOptions {
  /**
   * Called with the model reached so far, from which `resume` continues, and awaited: after the first sweep, and then
   * after a sweep whenever checkpoints have taken less than 5 % of the time.
   */
  onCheckpoint?: ((model: Model) => Promise<void> | undefined) | undefined;
}

/** Checkpoints may take this share of the time. */
const CHECKPOINT_SHARE = 1 / 20;

/**
 * Factorises non-negative samples into k prototypes and a code for each sample: X ≈ WH. The same samples, options and
 * seed give the same model to the last bit, whatever the number of threads.
 *
 * @param X n samples of m features: nested arrays, {@link Dense}, {@link Sparse}, or a {@link Source} of samples that are
 * not in memory
 * @returns the model of the best run
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
  checkFitOptions(options, { ...FIT_OPTIONS, onCheckpoint: true }, "fit");
  const tags = checkTags(options.tags);
  if (options.scale !== undefined) oneOf("scale", options.scale, [...SCALES, "auto"]);
  if (options.threads !== undefined) wholeNumber("threads", options.threads, 1);
  checkEngine(options);
  if (isSource(X)) return fitPrepared(takeSource(X, options), options, tags);
  return fitSamples(X, options, tags).catch((error: unknown) => {
    if (!(error instanceof DataError && error.code === "range")) throw error;
    if (options.scale !== undefined) throw placeLargest(toMatrix(X, options.precision), error, options.featureNames);
    // Only the first sweep shows that values are extreme, so that others pay nothing.
    return fitSamples(X, { ...options, scale: "exponent" }, tags);
  });
}

async function fitSamples(X: Samples, options: FitOptions & KeepOptions, tags: Tags): Promise<Model> {
  const prepared = await prepareSamples(X, options).catch((error: unknown) => {
    throw explainAbort(error, options.signal);
  });
  return fitPrepared(prepared, options, tags);
}

/** A fit whose first prototypes are found in the scaled samples, in their units. */
export async function fitFrom(
  X: Matrix,
  options: FitOptions,
  findFirst: (Z: Matrix, weights: Float64Array | null) => Promise<Matrix>,
): Promise<Model> {
  try {
    const { source, scaler, scaled, weights } = await prepareSamples(X, options);
    const init = await findFirst(scaled, weights);
    const run = resolveOptions({ ...options, init }, source.samples, source.features);
    const featureNames = checkNames(options.featureNames, scaler.features);
    return await runFit({ source, run, scaler, featureNames, tags: checkTags(options.tags), options }, 0, null);
  } catch (error) {
    throw explainAbort(error, options.signal);
  }
}

async function fitPrepared(prepared: Prepared, options: FitOptions & KeepOptions, tags: Tags): Promise<Model> {
  const { source, scaler, reason, check } = prepared;
  const featureNames = checkNames(options.featureNames, scaler.features);
  const run = resolveOptions(options, source.samples, source.features, scaler);
  const noted = reason === undefined ? tags : { scale: reason, ...tags };
  return runFit({ source, run, scaler, featureNames, tags: noted, options }, 0, null).catch((error: unknown) => {
    if (error instanceof DataError) check?.();
    throw error;
  });
}

/**
 * Fits a model and encodes the samples by it: `fit`, then `model.transform(X)`. Takes and throws what {@link fit} does.
 *
 * @returns the model, and H (n × k)
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
  checkFitOptions(options, FIT_OPTIONS, "fitTransform");
  const raw = toMatrix(X, options.precision);
  const model = await fit(raw, options);
  return { model, H: model.transform(raw) };
}

/** Options of {@link resume}. */
export interface ResumeOptions extends WatchOptions, EngineChoice, KeepOptions {
  /** The most iterations of a run, those before included. Default: that of the fit. */
  maxIterations?: number | undefined;
  /** Default: that of the fit. */
  tolerance?: number | undefined;
  /** The weights of the fit, which are not kept in the model. */
  weights?: ArrayLike<number> | undefined;
}

const RESUME_OPTIONS: KnownOptions<ResumeOptions> = {
  ...WATCH_OPTIONS,
  ...ENGINE_CHOICE,
  maxIterations: true,
  tolerance: true,
  weights: true,
  onCheckpoint: true,
};

/**
 * Continues a fit that was aborted or reached its iteration limit, on the same samples. The result has the same bits as
 * that of a fit without the interruption. A model that has converged is returned as it is.
 *
 * @param model the model of an {@link AbortError}, or one whose `stopped` is "iterations"
 * @param X the samples of the fit (n × m, unscaled), or their source
 * @throws DataError when samples or weights are not those of the fit, OptionError for a bad option, {@link AbortError}
 * when `signal` aborts
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
  checkModel(model, "resume");
  checkKnown(options, RESUME_OPTIONS, "resume");
  const { maxIterations = model.settings.maxIterations, tolerance = model.settings.tolerance } = options;
  wholeNumber("maxIterations", maxIterations, 1);
  atLeastZero("tolerance", tolerance);
  if (options.threads !== undefined) wholeNumber("threads", options.threads, 1);
  checkEngine(options);
  const source = isSource(X) ? takeSource(X, options).source : await prepareAgain(model, X, options);
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
  return runFit({ source, run, scaler, featureNames, tags, options }, model.restart, model);
}

async function prepareAgain(model: Model, X: Samples, options: ResumeOptions): Promise<Source> {
  const { Z, gaps } = model.separate(X);
  const weights = checkWeights(options.weights, Z.samples);
  const { k, method } = model;
  return chooseSource(Z, { weights, gaps, unchecked: false }, { ...options, k, method });
}

/** What a fit needs, checked. */
interface Job {
  readonly source: Source;
  readonly run: Run;
  readonly scaler: Scaler;
  readonly featureNames: readonly string[] | null;
  readonly tags: Tags;
  readonly options: WatchOptions & KeepOptions;
}

/** Where it runs: in the caller's thread, and perhaps in others, each with all samples. */
interface Engines {
  readonly engine: Engine;
  readonly remotes: readonly RemoteEngine[];
}

/**
 * Opens the engines, runs the restarts, and closes the engines.
 *
 * @param first the restart to begin with
 * @param from the model to continue, if any
 */
async function runFit(job: Job, first: number, from: Model | null): Promise<Model> {
  const { source, options } = job;
  const { threads, onCheckpoint } = options;
  const run = { ...job.run, precision: source.precision };
  const { method, k, restarts } = run.settings;
  const runs = from?.stopped === "iterations" || onCheckpoint ? 1 : restarts - first;
  const opening = { k, form: METHODS[method].form, threads, effort: estimateEffort(run.settings) };
  const [engine, ...remotes] = (runs > 1 && (await source.openMany?.(opening, runs))) || [await source.open(opening)];
  try {
    return await findBestRun({ ...job, run }, { engine, remotes: remotes as RemoteEngine[] }, first, from);
  } catch (error) {
    throw explainAbort(error, run.signal);
  } finally {
    await Promise.all([engine, ...remotes].map((each) => each.close()));
  }
}

/** Multiply-adds for each value. The number of iterations is not known: 20 at most are counted, lest threads start in vain. */
function estimateEffort({ method, loss, k, maxIterations }: Settings): number {
  // The bounds of the one-hot methods save most products; quotients by WH take twice as many.
  const saved = METHODS[method].form === "labels" ? 8 : loss === "kullback-leibler" ? 0.5 : 1;
  return (k * Math.min(maxIterations, 20)) / saved;
}

/** Runs the restarts and keeps the one with the best potential; ties go to the earlier run. */
async function findBestRun(job: Job, engines: Engines, first: number, from: Model | null): Promise<Model> {
  const { run, options } = job;
  const { settings, signal } = run;
  const { sense } = METHODS[settings.method];
  // A run that reached its iteration limit is already the best one; after an aborted run others follow.
  const last = from?.stopped === "iterations" ? first + 1 : settings.restarts;
  let best = from?.best ?? null;
  // A model from an older file does not say what the runs before it reached.
  const potentials = from?.potentials.slice() ?? [];
  /** The run before, as if it had been aborted after its last sweep. */
  let previous: (() => Model) | null = null;
  let survey: Survey | null = null;
  let restart = first;
  const onStep = options.onCheckpoint
    ? saveCheckpoints(job, engines.engine, from, () => ({ best, potentials }))
    : options.onStep;
  const { onStart } = options;
  const restarts = { ...engines, run, first, last, from: checkpointOf(from), onStep, onStart };
  try {
    for await (const result of runRestarts(restarts)) {
      const { W, stopped } = result.outcome;
      survey = result.outcome.survey;
      if (from !== null && survey.lengthSq !== from.normSq) {
        throw new DataError(
          "other-data",
          "the model was fitted on other samples or weights: resume needs the same data",
        );
      }
      const before = { best, potentials: [...potentials] };
      const model = buildModel(job, restart, result, stopped === "aborted" ? before : null);
      if (stopped === "aborted") throw new AbortError(model, signal?.reason);
      previous = () => new Model({ ...model, W, stopped: "aborted", ...before });
      potentials[restart++] = model.potential;
      if (best === null || sense * model.potential > sense * best.potential) best = model;
    }
    const measureSingle = settings.missing === "mask" ? singleErrorOfKnown : measureSingleError;
    const singleError =
      best!.singleError ?? (await measureSingle(engines.engine, METHODS[settings.method], survey!, signal));
    return new Model({
      ...best!,
      W: best!.W.data as Float64Array,
      singleError,
      potentials: whole(potentials, settings.restarts),
    });
  } catch (error) {
    // This run has no finished sweep. `resume` continues the one before it, finds it finished, and begins this one again.
    if (previous === null || !signal?.aborted || error !== signal.reason) throw error;
    throw new AbortError(previous(), error);
  }
}

function checkpointOf(model: Model | null): Checkpoint | undefined {
  if (model === null) return undefined;
  const { W, codes, history, repairs } = model;
  return { W: W.data as Float64Array, codes, history, repairs };
}

/** Reports every step, and makes a model of some. */
function saveCheckpoints(
  job: Job,
  engine: Engine,
  from: Model | null,
  finishedOf: () => Finished,
): (step: StepReport) => Promise<void> {
  const { onStep, onCheckpoint } = job.options;
  const began = performance.now();
  let history: Moment[] = [...(from?.history ?? [])];
  let spent = 0;
  return async (step) => {
    const { iteration, potential, relativeError, changed, fingerprint } = step;
    if (iteration === 1) history = [];
    history.push({ iteration, potential, relativeError, changed, fingerprint });
    onStep?.(step);
    const now = performance.now();
    if (spent > CHECKPOINT_SHARE * (now - began)) return;
    const survey = await surveyData(engine, METHODS[job.run.settings.method].unit ?? false, 0);
    const outcome: Outcome = {
      ...step,
      W: step.W.slice(),
      history,
      stopped: "aborted",
      survey,
      singleError: null,
      kernel: null,
    };
    const codes = await engine.gather();
    // `resume` does not use the labels of real codes.
    const labels = labelCodes(codes, outcome.W, null);
    await onCheckpoint!(buildModel(job, step.restart, { outcome, codes, labels }, finishedOf()));
    spent += performance.now() - now;
  };
}

/** What the runs before an unfinished one have reached. */
type Finished = Pick<Model, "best" | "potentials">;

/** The potentials of all `count` runs, or none. */
function whole(potentials: readonly number[], count: number): readonly number[] {
  return Object.keys(potentials).length === count ? potentials : [];
}

/** @param finished for an unfinished run */
function buildModel(job: Job, restart: number, { outcome, codes, labels }: Result, finished: Finished | null): Model {
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
    singleError: outcome.singleError,
    kernel: outcome.kernel,
    restart,
    best: null,
    ...(finished && { ...finished, potentials: whole(finished.potentials, restart) }),
    precision: job.source.precision,
  });
}
