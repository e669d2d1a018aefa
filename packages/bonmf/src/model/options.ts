import { DataError, OptionError, quote } from "../errors.js";
import type { Progress } from "../factor/iterate.js";
import { METHODS } from "../factor/methods/index.js";
import type { InitName, MethodName, Run, Settings } from "../factor/settings.js";
import type { Dense, Precision } from "../matrix/dense.js";
import { checkValues, type Samples, toMatrix } from "../matrix/matrix.js";
import type { ScaleName } from "../scale/scaler.js";

/** Texts by name. */
export type Tags = Readonly<Record<string, string>>;

/** What a fit reports after every sweep. */
export interface StepReport extends Progress {
  /** Which of the `restarts`, from 0. */
  readonly restart: number;
}

/** How to run, watch and stop a fit; nothing of it changes what is found. */
export interface WatchOptions {
  /**
   * How many threads to use, 1 or more. The default depends on the work: small fits use the caller's thread alone, large
   * ones at most 16 or as many as there are cores. In pages that are not cross-origin isolated there is always one.
   */
  threads?: number | undefined;
  /** Aborting ends the fit within a few milliseconds; the `AbortError` carries the model reached so far. */
  signal?: AbortSignal | undefined;
  /** Called after every sweep. */
  onStep?: ((step: StepReport) => void) | undefined;
}

export interface FitOptions extends WatchOptions {
  /** The number of clusters (columns of W), 1 … number of samples. */
  k: number;
  /** Default `bonmf`. */
  method?: MethodName | undefined;
  /** A whole number, 0 or more; the same seed gives the same model. Default 0. */
  seed?: number | undefined;
  /** Where to begin: by name, or the prototypes themselves, one row each. The default is the method's own. */
  init?: InitName | Samples | undefined;
  maxIterations?: number | undefined;
  /** Stop when the potential changes by less than this share of itself; one-hot methods stop when no label changes. */
  tolerance?: number | undefined;
  /** Runs from different seeds, of which the one with the best potential is kept. Default 1. */
  restarts?: number | undefined;
  /** One number a sample, 0 or more: weight 2 is the same as having the sample twice. */
  weights?: ArrayLike<number> | undefined;
  /** What becomes of a cluster without members. Default `reseed`, except `keep` in the literal multiplicative mode. */
  emptyClusters?: "reseed" | "keep" | undefined;
  /** For `bonmf`: `mean` (default), or `multiplicative`, the paper's W step to the letter. */
  update?: "mean" | "multiplicative" | undefined;
  /** For `onmf`: the weight of the orthogonality term. Default 1. */
  alpha?: number | undefined;
  /** For `semi-binary`: times through the rows of H for each update of W. Default 1. */
  sweeps?: number | undefined;
  /** How samples are made comparable and non-negative; stored in the model and applied by `predict`. Default `none`. */
  scale?: ScaleName | undefined;
  /** Names of the features, in order. */
  featureNames?: readonly string[] | undefined;
  /** Notes of your own, by name: the source of the samples, say. They are kept in the model and in its file. */
  tags?: Tags | undefined;
  /** For nested arrays: 32-bit (default) or 64-bit numbers. A Dense or Sparse matrix keeps its own. */
  precision?: Precision | undefined;
}

const INITS: readonly InitName[] = ["columns", "sample", "plusplus", "nndsvd", "random"];

/** Checks the options against the scaled data and fills in what was left out. */
export function resolveOptions(options: FitOptions, samples: number, features: number): Run {
  const { k, method = "bonmf", seed = 0, init, signal } = options;
  oneOf("method", method, Object.keys(METHODS));
  const { defaults } = METHODS[method];
  wholeNumber("k", k, 1);
  if (k > samples) {
    throw new OptionError("k", k, `k is ${k} but there are only ${samples} samples: choose a k of 1 … ${samples}`);
  }
  wholeNumber("seed", seed, 0);
  const named = init === undefined || typeof init === "string";
  if (named && init !== undefined) oneOf("init", init, INITS);
  const update = options.update ?? "mean";
  oneOf("update", update, ["mean", "multiplicative"]);
  if (update === "multiplicative" && method !== "bonmf") {
    throw new OptionError("update", update, `update: "multiplicative" belongs to method "bonmf", not ${quote(method)}`);
  }
  const emptyClusters = options.emptyClusters ?? (update === "multiplicative" ? "keep" : "reseed");
  oneOf("emptyClusters", emptyClusters, ["reseed", "keep"]);
  const settings: Settings = {
    method,
    k,
    seed,
    init: named ? (init ?? defaults.init) : "given",
    maxIterations: options.maxIterations ?? defaults.maxIterations,
    tolerance: options.tolerance ?? defaults.tolerance,
    restarts: options.restarts ?? 1,
    emptyClusters,
    update,
    alpha: options.alpha ?? 1,
    sweeps: options.sweeps ?? 1,
  };
  wholeNumber("maxIterations", settings.maxIterations, 1);
  wholeNumber("restarts", settings.restarts, 1);
  wholeNumber("sweeps", settings.sweeps, 1);
  if (!named && settings.restarts > 1) {
    throw new OptionError(
      "restarts",
      settings.restarts,
      "runs from given prototypes are all the same: leave restarts at 1",
    );
  }
  atLeastZero("tolerance", settings.tolerance);
  atLeastZero("alpha", settings.alpha);
  return { settings, given: named ? undefined : givenW(init, k, features), signal };
}

function givenW(init: Samples, k: number, features: number): Dense {
  const given = toMatrix(init, "f64");
  if (given.samples !== k || given.features !== features) {
    throw new OptionError(
      "init",
      init,
      `the given prototypes are ${given.samples} × ${given.features}, but k = ${k} of ${features} features are needed`,
    );
  }
  checkValues(given, { signed: false });
  return given.toDense();
}

/** Checks the weights of n samples and copies them; null where there are none. */
export function checkWeights(weights: ArrayLike<number> | undefined, samples: number): Float64Array | null {
  if (weights === undefined) return null;
  if (weights.length !== samples) {
    throw new DataError("weights", `there are ${samples} samples but ${weights.length} weights: one each is needed`);
  }
  const out = Float64Array.from(weights);
  let total = 0;
  out.forEach((value, sample) => {
    if (!(value >= 0 && value < Number.POSITIVE_INFINITY)) {
      const place = { sample, value };
      throw new DataError("weights", `the weight of sample ${sample} is ${value}: it must be 0 or more`, place);
    }
    total += value;
  });
  if (total === 0) throw new DataError("weights", "all weights are 0: at least one sample must count");
  return out;
}

export function checkNames(names: readonly string[] | undefined, features: number): readonly string[] | null {
  if (names === undefined) return null;
  if (names.length !== features) {
    throw new OptionError(
      "featureNames",
      names,
      `there are ${features} features but ${names.length} feature names: one each is needed`,
    );
  }
  const odd = names.findIndex((name) => typeof name !== "string");
  if (odd >= 0) {
    throw new OptionError(
      "featureNames",
      names[odd],
      `the name of feature ${odd} is ${quote(names[odd])}, not a string`,
    );
  }
  return Object.freeze([...names]);
}

export function checkTags(tags: Tags = {}): Tags {
  if (typeof tags !== "object" || tags === null || Array.isArray(tags)) {
    throw new OptionError("tags", tags, `tags must be an object of strings, not ${quote(tags)}`);
  }
  for (const [name, text] of Object.entries(tags)) {
    if (typeof text === "string") continue;
    throw new OptionError("tags", text, `the tag ${quote(name)} is ${quote(text)}, not a string: convert it first`);
  }
  return tags;
}

export function wholeNumber(option: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least) {
    throw new OptionError(option, value, `${option} must be a whole number, ${least} or more, not ${quote(value)}`);
  }
}

export function atLeastZero(option: string, value: number): void {
  if (!(value >= 0 && value < Number.POSITIVE_INFINITY)) {
    throw new OptionError(option, value, `${option} must be a number, 0 or more, not ${quote(value)}`);
  }
}

export function oneOf(option: string, value: string, known: readonly string[]): void {
  if (!known.includes(value)) {
    const names = known.map((name) => JSON.stringify(name)).join(", ");
    throw new OptionError(option, value, `${option} ${quote(value)} is not known: choose one of ${names}`);
  }
}
