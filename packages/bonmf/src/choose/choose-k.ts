import { DataError, OptionError } from "../errors.js";
import { METHODS } from "../factor/methods/index.js";
import type { MethodName } from "../factor/settings.js";
import { checkKnown, type KnownOptions } from "../known-options.js";
import { type Matrix, type Samples, toMatrix } from "../matrix/matrix.js";
import { silhouettes } from "../measure/silhouette.js";
import { AbortError } from "../model/abort.js";
import { fit } from "../model/fit.js";
import type { Model } from "../model/model.js";
import { checkWeights, DEFAULTS, FIT_OPTIONS, type FitOptions, oneOf, wholeNumber } from "../model/options.js";
import { Random, STREAM } from "../random.js";
import type { KChoice, KTrial } from "./choice.js";
import { explainChoice } from "./explain.js";
import { drawSample, GapPath, type GapSample, type GapStep } from "./gap-path.js";
import { HeldOutPath, type HeldOutStep, MOST_COMPONENTS } from "./held-out.js";
import { recommendRank } from "./rank.js";
import { type Recommendation, recommend } from "./recommend.js";
import { divideShare, type TellShare } from "./share.js";

/** How far {@link chooseK} is. */
export interface ChooseProgress {
  /** Parts of the work that are done. */
  readonly done: number;
  readonly total: number;
  /** The share of the first part that is done, from 0 to 1: gaps, or hidden entries, that are measured. A range that grows begins again. */
  readonly measured: number;
  /** The recommended number of clusters, 1 for none, which does not change any more; null while the first part is under way. */
  readonly k: number | null;
  /** The latest result, and its model; null where a step had none. */
  readonly trial: KTrial | null;
  readonly model: Model | null;
}

/** Options of {@link chooseK}: those of {@link fit}, apart from `k`, and these. */
export interface ChooseOptions extends Omit<FitOptions, "k" | "onStep" | "init"> {
  /** The numbers of clusters to try. Default 2 … 20, and more while the largest is the best. */
  ks?: readonly number[] | undefined;
  /** The first prototypes of each fit. Default: `plusplus` for the one-hot methods, else the method's own. */
  init?: Exclude<FitOptions["init"], Samples> | undefined;
  /**
   * Whether each k is tried on all samples too, by the method itself: `trials` has its objective and its silhouette. The recommendation
   * does without. Default true.
   */
  fits?: boolean | undefined;
  /** What an aborted run returned: its results are used, not computed again. The samples and options must be the same. */
  from?: KChoice | undefined;
  /** Called after every part of the work, and a hundred times at most within the first, which takes as long as many others. */
  onProgress?: ((progress: ChooseProgress) => void) | undefined;
}

const { k: _, onStep: __, ...SHARED } = FIT_OPTIONS;
const CHOOSE_OPTIONS: KnownOptions<ChooseOptions> = { ...SHARED, ks: true, fits: true, from: true, onProgress: true };

/** The largest k that is tried unless it turns out the best. */
const LARGEST = 20;
/** The default range grows no further than this. */
const LARGEST_EVER = 80;
/** Samples for each cluster, at least, where the range is not given. */
const LEAST_MEMBERS = 5;
/** A single run may end in a poor local optimum, which says nothing about its k. */
const RESTARTS = 3;
/** Samples of more features are no table, unless they have groups. */
const TABLE_FEATURES = 40;
/** Methods that describe a sample by several prototypes. The orthogonal ones are made to take one. */
const MIXING: readonly MethodName[] = ["nmf", "hals", "semi-binary"];
/** Silhouettes of so many samples are measured. */
const MOST_SILHOUETTES = 5000;

/**
 * Recommends a number of clusters. Every k is tried by the method. Samples that took no part in a partition tell whether there
 * are gaps between its clusters, and whether samples are nearer to their centres than those of one group; where neither is so,
 * k is 1, no clusters. Otherwise a mixture of round clusters tells k if gaps set its clusters off; else the
 * contrast to one group does. For `nmf`, `hals` and `semi-binary` the error on hidden entries decides. The result depends on
 * samples, options and seed alone.
 *
 * @param X n samples of m features: nested arrays, Dense or Sparse
 * @returns the recommendation, and the measures of every k. Where `signal` aborts, what is known so far, with
 * `complete: false`
 * @throws DataError for samples or weights that cannot be used, OptionError for a bad option
 *
 * @example
 * ```ts
 * import { chooseK } from "bonmf";
 * const noise = (i, f) => ((37 * i + 11 * f) % 19 + (53 * i + 29 * f) % 23 + (71 * i + 5 * f) % 29) / 30;
 * const X = Array.from({ length: 150 }, (_, i) => [0, 1, 2].map((f) => (i % 3 === f ? 9 : 1) + noise(i, f)));
 * const choice = await chooseK(X, { ks: [2, 3, 4, 5] });
 * choice.k; // → 3
 * choice.structure; // → true
 * ```
 */
export async function chooseK(X: Samples, options: ChooseOptions = {}): Promise<KChoice> {
  checkKnown(options, CHOOSE_OPTIONS, "chooseK");
  const raw = toMatrix(X, options.precision);
  const { seed = DEFAULTS.seed, method = DEFAULTS.method, from } = options;
  wholeNumber("seed", seed, 0);
  oneOf("method", method, Object.keys(METHODS));
  const weights = checkWeights(options.weights, raw.samples);
  const ks = checkRange(options.ks, raw.samples);
  const state = new Search(raw, weights, ks, { ...options, seed, method });
  if (from) state.take(from);
  try {
    await state.run();
    return state.describe(true);
  } catch (error) {
    if (!(error instanceof AbortError) && !(options.signal?.aborted && error === options.signal.reason)) throw error;
    return state.describe(false);
  }
}

function checkRange(ks: readonly number[] | undefined, samples: number): number[] {
  if (ks === undefined) {
    const last = Math.max(2, Math.min(LARGEST, Math.floor(samples / LEAST_MEMBERS)));
    return rangeTo(Math.min(last, samples));
  }
  if (!Array.isArray(ks) || ks.length === 0) {
    throw new OptionError("ks", ks, "ks must be an array of at least one number of clusters, as in [2, 3, 4]");
  }
  for (const k of ks) wholeNumber("ks", k, 1);
  const large = ks.find((k) => k > samples);
  if (large !== undefined) {
    const message = `ks asks for ${large} clusters, but there are only ${samples} samples`;
    throw new OptionError("ks", large, message);
  }
  return [...new Set(ks)].sort((a, b) => a - b);
}

function rangeTo(last: number): number[] {
  return Array.from({ length: Math.max(1, last - 1) }, (_, i) => Math.min(i + 2, last));
}

/** The last k of a range twice as long. */
function growRange(last: number, most: number, samples: number): number {
  return Math.min(2 * last, most, Math.floor(samples / LEAST_MEMBERS));
}

type Resolved = ChooseOptions & { readonly seed: number; readonly method: MethodName };

/** The work of one call, and what is known so far. */
class Search {
  readonly #X: Matrix;
  readonly #weights: Float64Array | null;
  readonly #options: Resolved;
  #ks: number[];
  #trials = new Map<number, KTrial>();
  #path: readonly GapStep[] = [];
  /** Empty for methods whose samples have one cluster each. */
  #heldOut: readonly HeldOutStep[] = [];
  #sampled = 0;
  #scale: string | null = null;

  constructor(X: Matrix, weights: Float64Array | null, ks: number[], options: Resolved) {
    this.#X = X;
    this.#weights = weights;
    this.#ks = ks;
    this.#options = options;
  }

  /** Continues an earlier search. */
  take(from: KChoice): void {
    const { method, seed } = this.#options;
    if (from.samples !== this.#X.samples || from.method !== method || from.seed !== seed) {
      throw new DataError(
        "other-data",
        `the search to continue has ${from.samples} samples, method ${from.method} and seed ${from.seed}, but these are ` +
          `${this.#X.samples}, ${method} and ${seed}: continue with the same`,
      );
    }
    this.#path = from.path;
    this.#heldOut = from.heldOut;
    this.#sampled = from.sampled;
    this.#scale = from.scale;
    if (this.#options.ks === undefined) this.#ks = [...from.ks];
    for (const trial of from.trials) this.#trials.set(trial.k, trial);
  }

  async run(): Promise<void> {
    if (this.#path.length === 0) await this.#findGaps();
    for (const k of this.#fitted) {
      if (this.#trials.has(k)) continue;
      const model = await fit(this.#X, { ...this.#fitOptions(), k });
      const trial = this.#describeFit(model);
      this.#trials.set(k, trial);
      this.#report(trial, model);
    }
  }

  /** Gaps first: they decide how far the default range goes. */
  async #findGaps(): Promise<void> {
    const { method, seed, threads, signal, ks, featureGroups } = this.#options;
    const model = await fit(this.#X, { ...this.#fitOptions(), k: 1, restarts: 1, maxIterations: 1 });
    this.#scale = model.scaler.name;
    const sample = drawSample(this.#X, this.#weights, model, seed);
    const byAngle = METHODS[method].fit !== "distance" && !sample.unlifted;
    const isTable = featureGroups !== undefined || this.#X.features <= TABLE_FEATURES;
    this.#sampled = sample.X.samples;
    const mixes = this.#heldOut.length === 0 && MIXING.includes(method);
    const [hiding, measuring] = divideShare(this.#tellMeasured(), mixes ? [1, 1] : [0, 1]);
    if (mixes) await this.#hideEntries(sample, hiding);
    const gaps = new GapPath(sample, { byAngle, isTable, seed, threads, signal });
    for (;;) {
      const last = this.#ks[this.#ks.length - 1];
      const path = await gaps.measure(this.#ks, measuring);
      const grown = growRange(last, LARGEST_EVER, this.#X.samples);
      const decides = this.#heldOut.length === 0;
      if (decides && ks === undefined && recommend(path, rangeTo(grown)).k >= last - 1 && grown > last) {
        this.#ks = rangeTo(grown);
      } else {
        this.#path = path;
        break;
      }
    }
    this.#report(null, null);
  }

  /** Methods that mix prototypes: how well hidden entries are predicted decides, also how far the default range goes. */
  async #hideEntries(sample: GapSample, tell: TellShare): Promise<void> {
    const { seed, signal, ks } = this.#options;
    const path = new HeldOutPath(sample, seed);
    let range = this.#ks;
    try {
      for (;;) {
        const last = range[range.length - 1];
        await path.extendTo(range, { signal, tell });
        const steps = path.describe(range);
        const grown = growRange(last, MOST_COMPONENTS, this.#X.samples);
        if (ks !== undefined || steps.length < last || grown <= last || recommendRank(steps, range).k < last - 1) {
          this.#ks = range;
          this.#heldOut = steps;
          return;
        }
        range = rangeTo(grown);
      }
    } finally {
      await path.close();
    }
  }

  #describeFit(model: Model): KTrial {
    const { k } = model;
    const gaps = this.#path.find((step) => step.k === k);
    return {
      k,
      objective: model.potential,
      relativeError: model.relativeError,
      iterations: model.iterations,
      converged: model.converged,
      silhouette: this.#measureSilhouette(model),
      stability: gaps?.stability ?? null,
      separation: gaps?.separation ?? null,
      reference: gaps?.reference ?? null,
      evidence: gaps?.evidence ?? null,
      contrast: gaps?.contrast ?? null,
      criterion: gaps?.criterion ?? null,
      balance: gaps?.balance ?? null,
      heldOut: this.#heldOut.find((step) => step.k === k)?.error ?? null,
    };
  }

  #fitOptions(): Omit<FitOptions, "k"> {
    const { ks: _, fits: __, from: ___, onProgress: ____, ...given } = this.#options;
    const { method, restarts = RESTARTS } = given;
    const oneHot = METHODS[method].form === "labels" && given.update !== "multiplicative";
    return { ...given, restarts, init: given.init ?? (oneHot ? "plusplus" : undefined) };
  }

  #measureSilhouette(model: Model): number | null {
    const { samples } = this.#X;
    const ids =
      samples > MOST_SILHOUETTES
        ? new Random(this.#options.seed, STREAM.measure).choose(samples, MOST_SILHOUETTES).sort()
        : Uint32Array.from({ length: samples }, (_, i) => i);
    const weights = this.#weights && Float64Array.from(ids, (i) => this.#weights![i]);
    const metric = METHODS[model.method].fit === "distance" ? "squared" : "cosine";
    const labels = Array.from(ids, (i) => model.labels[i]);
    try {
      return silhouettes(model.prepare(this.#X.take(ids)), labels, { metric, weights }).mean();
    } catch (error) {
      if (error instanceof DataError && error.code === "clusters") return null;
      throw error;
    }
  }

  /** Those that are tried on all samples. */
  get #fitted(): readonly number[] {
    return this.#options.fits === false ? [] : this.#ks;
  }

  /** Tells whole hundredths of the first part. */
  #tellMeasured(): TellShare {
    let told = 0;
    return (share) => {
      const measured = Math.floor(100 * share) / 100;
      if (measured === told || measured >= 1) return;
      told = measured;
      const total = 1 + this.#fitted.length;
      this.#options.onProgress?.({ done: 0, total, measured, k: null, trial: null, model: null });
    };
  }

  #report(trial: KTrial | null, model: Model | null): void {
    const known = this.#fitted.filter((k) => this.#trials.has(k)).length;
    const { k } = this.#recommend();
    this.#options.onProgress?.({ done: 1 + known, total: 1 + this.#fitted.length, measured: 1, k, trial, model });
  }

  /** Among those asked for. */
  #recommend(): Recommendation {
    return this.#heldOut.length > 0 ? recommendRank(this.#heldOut, this.#ks) : recommend(this.#path, this.#ks);
  }

  describe(complete: boolean): KChoice {
    const { method, seed } = this.#options;
    const trials = [...this.#trials.values()].sort((a, b) => a.k - b.k);
    const known = this.#path.length > 0 || complete;
    const { k, runnerUp, rule } = known ? this.#recommend() : { k: null, runnerUp: null, rule: null };
    const choice = {
      k,
      structure: k === null ? null : k > 1,
      runnerUp,
      rule,
      trials,
      complete,
      ks: this.#ks,
      method,
      seed,
      scale: this.#scale,
      samples: this.#X.samples,
      sampled: this.#sampled,
      path: this.#path,
      heldOut: this.#heldOut,
    };
    return { ...choice, reason: explainChoice(choice) };
  }
}
