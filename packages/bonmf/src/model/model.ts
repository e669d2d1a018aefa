import { DataError, OptionError, quote } from "../errors.js";
import { hasConverged, type Moment, type Stopped } from "../factor/iterate.js";
import type { Method } from "../factor/method.js";
import { methodOf, takesSigned } from "../factor/methods/index.js";
import { weightsOfH } from "../factor/penalty.js";
import { reachOf } from "../factor/reach.js";
import type { Settings } from "../factor/settings.js";
import { type CodePenalty, encodeSamples, encodeSteps, labelSamples } from "../kernel/encode.js";
import type { Codes, Labels } from "../kernel/step.js";
import { Dense, type Precision } from "../matrix/dense.js";
import { checkSomeKnown, type Gaps, separateGaps } from "../matrix/gaps.js";
import { checkValues, type Matrix, type Samples, toMatrix } from "../matrix/matrix.js";
import { explainedShare, relativeErrorSteps, singlePrototypeSteps } from "../measure/reconstruction.js";
import { restoreScaler, type Scaler } from "../scale/scaler.js";
import { finishSteps, type Steps } from "../steps.js";
import { VERSION } from "../version.js";
import type { Errors, Membership, Separated } from "./answers.js";
import { codesToMatrix, countLabels, measureUse } from "./codes.js";
import { fillByCodes, fillGaps } from "./impute.js";
import { knownErrorSteps } from "./known-errors.js";
import type { Tags } from "./options.js";
import { openForScaling } from "./prepare.js";
import { homeRule, lengthOf, measureFit, PrototypeIndex } from "./prototype-index.js";

/** The parts of a model. */
export interface ModelParts {
  readonly settings: Settings;
  readonly W: Float64Array;
  readonly codes: Codes;
  readonly labels: Labels;
  /** k sizes of clusters. Default: counted from the labels. */
  readonly counts?: Uint32Array;
  readonly scaler: Scaler;
  readonly featureNames: readonly string[] | null;
  readonly tags?: Tags;
  readonly history: readonly Moment[];
  readonly stopped: Stopped;
  readonly repairs: number;
  readonly zeroSamples: number;
  readonly normSq: number;
  readonly restart: number;
  readonly best: Model | null;
  /** Default: that of the only run. */
  readonly potentials?: Iterable<number>;
  readonly precision?: Precision;
  readonly version?: string;
  readonly singleError?: number | null;
  readonly kernel?: string | null;
}

/**
 * The result of a fit: an immutable record of one run, with methods for new samples. Made by {@link fit},
 * {@link resume} and {@link loadModel}.
 *
 * @example
 * ```ts
 * import { fit } from "bonmf";
 * const model = await fit([[5, 0], [4, 1], [0, 3], [1, 4]], { k: 2, seed: 1 });
 * model.predict([[9, 1], [1, 9]]).length; // → 2
 * model.converged; // → true
 * model.W.samples; // → 2
 * ```
 */
export class Model {
  /** The prototypes, k × m: row j is column j of the paper's W. In the scaler's units. */
  readonly W: Dense;
  /** n cluster numbers of the training samples; empty where they are kept with the samples, as on a Spark cluster. */
  readonly labels: Labels;
  /** The codes of the training samples at the end of the run. `H` is the same as a matrix. */
  readonly codes: Codes;
  /** k numbers: how many training samples each cluster has. */
  readonly counts: Uint32Array;
  /** The number of training samples. */
  readonly samples: number;
  /** The options of the fit, with defaults filled in. */
  readonly settings: Settings;
  /** The fitted scaler; `predict` applies it to new samples. */
  readonly scaler: Scaler;
  /** m names of the features, if they were given. */
  readonly featureNames: readonly string[] | null;
  /** The notes given to the fit. */
  readonly tags: Tags;
  /** One entry per iteration. */
  readonly history: readonly Moment[];
  /** Why the run ended. */
  readonly stopped: Stopped;
  /** How often an empty cluster, or of `hals` a component that no sample used, was reseeded with a sample. */
  readonly repairs: number;
  /** The number of all-zero training samples. They have no direction, so they are in cluster 0. */
  readonly zeroSamples: number;
  /** ‖X‖² of the scaled training samples, weighted. */
  readonly normSq: number;
  /** Which of the restarts this is, from 0. */
  readonly restart: number;
  /**
   * The objective of every finished run, in order: how much the result depends on the start. Empty for a model with restarts
   * from a file that does not contain them.
   */
  readonly potentials: readonly number[];
  /** Of an aborted fit with restarts: the best of the finished runs. */
  readonly best: Model | null;
  /** The precision of the training samples, in which nested arrays are read. */
  readonly precision: Precision;
  /** The version of the library that made it. */
  readonly version: string;
  /**
   * ‖X − w hᵀ‖ / ‖X‖ of the best single prototype w: the mean of the samples, or for codes other than 0 and 1 their leading
   * singular vector. Null for an interrupted fit of a real-valued method, and for a file of an earlier version.
   */
  readonly singleError: number | null;
  /**
   * The kernel that the last sweep of the fit ran on, such as "CSR f32, Yinyang 8 groups"; null where the engine does not say,
   * and for a model read from a file, which does not contain it.
   */
  readonly kernel: string | null;

  /** @internal */
  constructor(parts: ModelParts) {
    const { k } = parts.settings;
    this.settings = Object.freeze({ ...parts.settings });
    this.W = new Dense(k, parts.W.length / k, parts.W);
    this.codes = parts.codes;
    this.labels = parts.labels;
    this.counts = parts.counts ?? countLabels(parts.labels, k);
    this.samples = this.counts.reduce((sum, count) => sum + count, 0);
    this.scaler = parts.scaler;
    this.featureNames = parts.featureNames;
    this.tags = Object.freeze({ ...parts.tags });
    this.history = Object.freeze([...parts.history]);
    this.stopped = parts.stopped;
    this.repairs = parts.repairs;
    this.zeroSamples = parts.zeroSamples;
    this.normSq = parts.normSq;
    this.restart = parts.restart;
    this.best = parts.best;
    const only = parts.settings.restarts === 1 && parts.stopped !== "aborted";
    this.potentials = Object.freeze([
      ...(parts.potentials ?? (only ? this.history.slice(-1).map(({ potential }) => potential) : [])),
    ]);
    this.precision = parts.precision ?? "f32";
    this.version = parts.version ?? VERSION;
    this.singleError = parts.singleError ?? null;
    this.kernel = parts.kernel ?? null;
    Object.freeze(this);
  }

  /** The number of clusters. */
  get k(): number {
    return this.settings.k;
  }

  /** The algorithm. */
  get method(): Settings["method"] {
    return this.settings.method;
  }

  /** The seed of the fit. */
  get seed(): number {
    return this.settings.seed;
  }

  /** Whether the run ended at a fixed point or within its tolerance. */
  get converged(): boolean {
    return hasConverged(this.stopped);
  }

  /** The number of iterations. */
  get iterations(): number {
    return this.history.length;
  }

  /** The method's objective at the end: Σ‖s_j‖ for `bonmf`, for most others the squared error or what `settings.loss` says, with penalties. */
  get potential(): number {
    return this.history[this.history.length - 1].potential;
  }

  /** ‖X − WH‖ / ‖X‖ on the training data, in the scaler's units. */
  get relativeError(): number {
    return this.history[this.history.length - 1].relativeError;
  }

  /**
   * The share of the best single prototype's squared error that these prototypes take away: 0 for k = 1, 1 where nothing is
   * left. Null where `singleError` is.
   */
  get explained(): number | null {
    return this.singleError === null ? null : explainedShare(this.relativeError, this.singleError);
  }

  /**
   * The components that no training sample uses, of one-hot codes the empty clusters: fewer than k prototypes say as much.
   * Of real codes, those whose ‖w‖·‖h‖ is less than 1e-9 of the largest.
   */
  get dead(): readonly number[] {
    const { form, values } = this.codes;
    const sizes = form === "real" ? measureUse(values!, this.#W, this.k) : Float64Array.from(this.counts);
    const least = form === "real" ? 1e-9 * Math.max(...sizes) : 0;
    return [...sizes.keys()].filter((j) => sizes[j] <= least);
  }

  /** The codes of the training samples, n × k: row i is the code of sample i. Sparse where codes are one-hot. */
  get H(): Matrix {
    return codesToMatrix(this.codes);
  }

  /** The names of W's features: the scaler `split` has two for each feature. */
  get outputNames(): readonly string[] | null {
    return this.featureNames === null ? null : this.scaler.featureNames(this.featureNames);
  }

  /**
   * The cluster of each sample. For the training samples these are `labels`.
   *
   * @param X n samples of m features, unscaled
   */
  predict(X: Samples): Labels {
    const { Z, gaps } = this.separate(X);
    return labelSamples(Z, this.#method.encode, this.#W, this.k, gaps, this.#penalty);
  }

  /** The cluster of each sample, and how clearly it belongs there. */
  explain(X: Samples): Membership[] {
    const clusters = this.predict(X);
    const Z = this.prepare(X);
    const memberships: Membership[] = [];
    const index = new PrototypeIndex(this);
    const byDistance = homeRule(this) === "distance";
    for (const block of index.cosineBlocks(Z)) {
      for (let i = 0; i < block.Q.samples; i++) {
        const cluster = clusters[block.first + i];
        const distance = byDistance ? index.measureDistance(block, i, cluster) : null;
        memberships.push({ cluster, ...measureFit(block.cosines, this.k, i, cluster), distance });
      }
    }
    return memberships;
  }

  /** The code of each sample for these prototypes, n × k. Sparse where codes are one-hot. */
  transform(X: Samples): Matrix {
    const { Z, gaps } = this.separate(X);
    return codesToMatrix(this.#encode(Z, gaps));
  }

  /**
   * 1 − ‖X − WH‖²/‖X‖² in the scaler's units: the share of the samples' squared length in WH. For `spherical`, of the samples
   * scaled to length 1. {@link measureErrors} compares with a single prototype.
   */
  score(X: Samples): number {
    return 1 - this.measureErrors(X).relativeError ** 2;
  }

  /** What `relativeError`, `singleError` and `explained` are for these samples. */
  measureErrors(X: Samples): Errors {
    return finishSteps(this.errorSteps(X));
  }

  /** The same as {@link measureErrors}, step by step, for callers that pause it: a step takes a few milliseconds. */
  *errorSteps(X: Samples): Steps<Errors> {
    const { Z, gaps } = this.separate(X);
    yield;
    const { form, encode, unit } = this.#method;
    const codes = yield* encodeSteps(Z, encode, this.#W, this.k, gaps, this.#penalty);
    const seen = unit ? restoreScaler("l2", Z.features, {}).transform(Z) : Z;
    const one = form === "labels" || encode === "binary";
    if (gaps !== null) {
      const errors = yield* knownErrorSteps(seen, gaps, this.W, codes, one);
      return { ...errors, explained: explainedShare(errors.relativeError, errors.singleError) };
    }
    const relativeError = yield* relativeErrorSteps(seen, this.W, codesToMatrix(codes));
    const singleError = yield* singlePrototypeSteps(seen, one ? "one" : "real");
    return { relativeError, singleError, explained: explainedShare(relativeError, singleError) };
  }

  /** The approximation WH of each sample, n × m, in the units of the samples. */
  reconstruct(X: Samples): Dense {
    const { Z, gaps } = this.separate(X);
    const [H, m] = [codesToMatrix(this.#encode(Z, gaps)), this.W.features];
    const out = Dense.zeros(H.samples, m, "f64");
    for (let i = 0; i < H.samples; i++) {
      const length = this.#method.unit ? lengthOf(Z.row(i)) : 1;
      H.each(i, (j, h) => {
        if (h !== 0) for (let f = 0; f < m; f++) out.data[i * m + f] += length * h * this.#W[j * m + f];
      });
    }
    return this.scaler.inverse(out);
  }

  /**
   * The samples with their missing values filled by the approximation WH, in the units of the samples; known values stay. For
   * models that were fitted with `missing: "mask"`. To fill the gaps of a table as well as possible, use {@link impute}.
   *
   * @param X n samples of m features, unscaled; NaN is missing, and of sparse samples every value that is not stored
   */
  impute(X: Samples): Dense {
    if (this.settings.missing !== "mask") {
      const message = 'this model does not know missing values: fit it with missing: "mask" to impute them';
      throw new OptionError("missing", this.settings.missing, message);
    }
    return fillGaps(toMatrix(X, this.precision), (raw) => {
      const { Z, gaps } = this.separate(raw);
      return gaps && this.scaler.inverse(this.#fill(Z, gaps));
    });
  }

  /**
   * The orthonormal form. A 0/1 H cannot satisfy HHᵀ = I, but dividing row j of H by its length and multiplying w_j by it
   * leaves WH unchanged.
   *
   * @returns the scaled W (k × m), and the k lengths
   */
  orthonormal(): { W: Dense; lengths: Float64Array } {
    const lengths = new Float64Array(this.k);
    const { H } = this;
    for (let i = 0; i < H.samples; i++) {
      H.each(i, (j, h) => {
        lengths[j] += h * h;
      });
    }
    const m = this.W.features;
    const W = Dense.zeros(this.k, m, "f64");
    for (let j = 0; j < this.k; j++) {
      lengths[j] = Math.sqrt(lengths[j]);
      for (let f = 0; f < m; f++) W.data[j * m + f] = this.#W[j * m + f] * lengths[j];
    }
    return { W, lengths };
  }

  /**
   * Checks samples and scales them to the model's units. Missing values, where the model takes them, are filled by WH.
   *
   * @param signed whether scaled samples may have negative values; default: where the method takes them
   */
  prepare(X: Samples, signed?: boolean): Matrix {
    const { Z, gaps } = this.separate(X, signed);
    return gaps === null ? Z : this.#fill(Z, gaps);
  }

  #fill(Z: Matrix, gaps: Gaps): Dense {
    const real = this.codes.form === "real" && this.#method.encode !== "binary";
    const prior = real ? { codes: this.codes.values!, loss: this.relativeError ** 2 * this.normSq } : null;
    const most = this.scaler.name === "minmax" ? 1 : Number.POSITIVE_INFINITY;
    return fillByCodes(Z, gaps, this.#encode(Z, gaps), this.#W, { unit: this.#method.unit ?? false, prior, most });
  }

  /** The same with missing values 0, and the list of them. @param unchecked values that are not scaled are not looked at. @internal */
  separate(X: Samples, signed = takesSigned(this.method, this.settings.update), unchecked = false): Separated {
    const masked = this.settings.missing === "mask";
    const given = toMatrix(X, this.precision);
    const open = masked ? openForScaling(given, this.scaler.name) : given;
    const scaled = this.#scale(open, signed, masked, unchecked);
    if (!masked || scaled.samples === 0) return { Z: scaled, gaps: null };
    const { X: Z, gaps } = separateGaps(scaled);
    if (gaps !== null) checkSomeKnown(gaps, { columns: false });
    return { Z, gaps };
  }

  #scale(matrix: Matrix, signed: boolean, gaps: boolean, unchecked: boolean): Matrix {
    if (matrix.features !== this.scaler.features) {
      throw new DataError(
        "features",
        `the model was fitted on ${this.scaler.features} features but these samples have ${matrix.features}`,
      );
    }
    if (matrix.samples === 0) return matrix;
    const names = { featureNames: this.featureNames ?? undefined };
    const most = reachOf(this.#method.rule, matrix.precision).most / Math.sqrt(this.W.features);
    if (this.scaler.name === "none") {
      if (!unchecked) checkValues(matrix, { signed, most, gaps, ...names });
      return matrix;
    }
    checkValues(matrix, { signed: true, gaps, ...names });
    const scaled = this.scaler.transform(matrix);
    checkValues(scaled, { signed, most, gaps, featureNames: this.outputNames ?? undefined });
    return scaled;
  }

  get #W(): Float64Array {
    return this.W.data as Float64Array;
  }

  get #method(): Method {
    return methodOf(this.settings);
  }

  get #penalty(): CodePenalty {
    return weightsOfH(this.settings, this.W.features);
  }

  #encode(Z: Matrix, gaps: Gaps | null): Codes {
    return encodeSamples(Z, this.#method.encode, this.#W, this.k, gaps, this.#penalty);
  }
}

/** @param taker the function that was given it, for the message */
export function checkModel(model: Model, taker: string): void {
  if (model instanceof Model) return;
  throw new OptionError("model", model, `${taker} needs a model, as fit and loadModel return, not ${quote(model)}`);
}
