import { DataError, OptionError, quote } from "../errors.js";
import type { Progress } from "../factor/iterate.js";
import { METHODS, takesSigned } from "../factor/methods/index.js";
import { isPenalized, type Penalties } from "../factor/penalty.js";
import type { InitName, Loss, MethodName, Run, Settings } from "../factor/settings.js";
import { checkKnown, type KnownOptions } from "../known-options.js";
import type { Precision } from "../matrix/dense.js";
import type { Samples } from "../matrix/matrix.js";
import type { ScaleName, Scaler } from "../scale/scaler.js";
import { ENGINE_CHOICE, type EngineChoice } from "./engine-choice.js";
import { readPrototypes } from "./given-prototypes.js";

/** Your own notes, by name. */
export type Tags = Readonly<Record<string, string>>;

/** The report of one sweep. */
export interface StepReport extends Progress {
  /** Which of the `restarts` this is, from 0. */
  readonly restart: number;
}

/** How far the choice of the first prototypes is. */
export interface StartReport {
  /** Which of the `restarts` this is, from 0. */
  readonly restart: number;
  /** Passes over the samples that are done. */
  readonly done: number;
  /** Passes over the samples in all. */
  readonly total: number;
}

/** How a fit is run, watched and stopped. None of these options changes the result. */
export interface WatchOptions {
  /**
   * The number of threads, 1 or more. The default depends on the work: small fits use the caller's thread alone, large
   * ones as many as there are cores, at most 16. Pages that are not cross-origin isolated always use one.
   */
  threads?: number | undefined;
  /**
   * Aborting ends the fit within a few milliseconds, also while the first prototypes are chosen; the `AbortError` carries the
   * model reached so far.
   */
  signal?: AbortSignal | undefined;
  /** Called after every sweep. */
  onStep?: ((step: StepReport) => void) | undefined;
  /**
   * Called while the first prototypes are chosen, after each pass over the samples: `plusplus` takes one for each of the k,
   * `nndsvd` eight. Where restarts run on several threads, only those of the caller's thread are reported.
   */
  onStart?: ((start: StartReport) => void) | undefined;
}

/** Options of {@link fit}. */
export interface FitOptions extends WatchOptions, EngineChoice {
  /** The number of clusters, from 1 to the number of samples. */
  k: number;
  /** The algorithm. Default `bonmf`. */
  method?: MethodName | undefined;
  /** A whole number, 0 or more. The same seed gives the same model. Default 0. */
  seed?: number | undefined;
  /**
   * The first prototypes: how to choose them, or the prototypes themselves (k × m, in the units of the samples: the scaler
   * is applied to them too). The default depends on the method.
   */
  init?: InitName | Samples | undefined;
  /** The most sweeps of one run. The default depends on the method. */
  maxIterations?: number | undefined;
  /**
   * Stop when the relative change of the potential is at most this. The default depends on the method: 0 for `bonmf`, `spherical` and
   * `kmeans`, which stop when no label changes.
   */
  tolerance?: number | undefined;
  /** The number of runs from different seeds; the one with the best potential is kept. Default 1. */
  restarts?: number | undefined;
  /** n weights, 0 or more. Weight 2 counts as two copies of the sample. Default: 1 each. */
  weights?: ArrayLike<number> | undefined;
  /** What happens to a cluster without members. Default `reseed`; `keep` with `update: "multiplicative"`. */
  emptyClusters?: "reseed" | "keep" | undefined;
  /** For `bonmf`: the W step. `mean` (default), or `multiplicative`, exactly as in the paper. */
  update?: "mean" | "multiplicative" | undefined;
  /** For `onmf`: the weight of the orthogonality term. Default 1. */
  alpha?: number | undefined;
  /**
   * For `nmf`: what is lowered. `frobenius` (default): ‖X − WH‖². `kullback-leibler`: the divergence
   * D(X‖WH) = Σ x ln(x/(WH)) − x + WH, which suits counts; `model.potential` is then D, and `relativeError` still ‖X − WH‖/‖X‖.
   */
  loss?: Loss | undefined;
  /**
   * For `nmf` and `hals`: penalties, 0 or more, default 0. The objective is ½‖X − WH‖², or D(X‖WH), plus
   * n (l1W ΣW + ½ l2W ΣW²) + m (l1H ΣH + ½ l2H ΣH²) for n samples of m features: l1 makes zeros, l2 keeps values small.
   * Penalise both W and H: one alone can grow as the other shrinks.
   */
  l1W?: number | undefined;
  /** See `l1W`. */
  l2W?: number | undefined;
  /** See `l1W`. */
  l1H?: number | undefined;
  /** See `l1W`. */
  l2H?: number | undefined;
  /** For `semi-binary`: passes over the rows of H for each update of W. Default 1. */
  sweeps?: number | undefined;
  /**
   * What becomes of missing values. `error` (default): they are refused. `mask`: NaN, and every value that a sparse matrix does
   * not store, is unknown, and the error or divergence counts known values alone. For `bonmf`, `spherical`, `kmeans`, `nmf`, `hals` and
   * `semi-binary`.
   */
  missing?: "error" | "mask" | undefined;
  /**
   * The scaler, which is kept in the model and applied by `predict`. Default `none`. `auto`: as `chooseScale` does, which
   * says why in the tag `scale`.
   */
  scale?: ScaleName | "auto" | undefined;
  /**
   * m whole numbers. Features with the same one, 0 or more, are the 0/1 values of one category: the scalers `standard`, `lift` and
   * `split` put two different values one standard deviation of a number apart. Default: every feature is a number.
   */
  featureGroups?: ArrayLike<number> | undefined;
  /** m names of the features, in order. */
  featureNames?: readonly string[] | undefined;
  /** Your own notes, by name. They are kept in the model and in its file. */
  tags?: Tags | undefined;
  /** For nested arrays: 32-bit (default) or 64-bit numbers. A `Dense` or `Sparse` matrix keeps its own. */
  precision?: Precision | undefined;
}

/** What `fit` uses where an option is omitted; `init`, `maxIterations` and `tolerance` are the method's own. */
export const DEFAULTS = {
  method: "bonmf",
  seed: 0,
  restarts: 1,
  update: "mean",
  alpha: 1,
  sweeps: 1,
  loss: "frobenius",
  l1W: 0,
  l2W: 0,
  l1H: 0,
  l2H: 0,
  missing: "error",
  scale: "none",
} as const satisfies Partial<FitOptions>;

/** Names of the options of every fit. */
export const WATCH_OPTIONS: KnownOptions<WatchOptions> = { threads: true, signal: true, onStep: true, onStart: true };

/** Names of the options of `fit`. */
export const FIT_OPTIONS: KnownOptions<FitOptions> = {
  k: true,
  method: true,
  seed: true,
  init: true,
  maxIterations: true,
  tolerance: true,
  restarts: true,
  weights: true,
  emptyClusters: true,
  update: true,
  alpha: true,
  sweeps: true,
  loss: true,
  l1W: true,
  l2W: true,
  l1H: true,
  l2H: true,
  missing: true,
  scale: true,
  featureNames: true,
  featureGroups: true,
  tags: true,
  precision: true,
  ...WATCH_OPTIONS,
  ...ENGINE_CHOICE,
};

/** Checks that options were given, that all are known, and that k is among them. */
export function checkFitOptions<T extends FitOptions>(options: T, known: KnownOptions<T>, taker: string): void {
  const example = `${taker}(X, { k: 3 })`;
  if (options === undefined) {
    throw new OptionError("k", undefined, `${taker} needs k, the number of clusters, as in ${example}`);
  }
  if (typeof options === "number") {
    throw new OptionError("options", options, `${taker} takes its options as an object, as in ${example}`);
  }
  checkKnown(options, known, taker);
  if (options.k === undefined) {
    throw new OptionError("k", undefined, `${taker} needs k, the number of clusters, as in ${example}`);
  }
}

const INITS: readonly InitName[] = ["columns", "sample", "plusplus", "nndsvd", "random"];

/**
 * Checks the options against the scaled data and fills in the defaults.
 *
 * @param scaler what given prototypes are scaled by; absent: by nothing
 */
export function resolveOptions(options: FitOptions, samples: number, features: number, scaler?: Scaler): Run {
  const { k, method = DEFAULTS.method, seed = DEFAULTS.seed, init, signal } = options;
  oneOf("method", method, Object.keys(METHODS));
  const { defaults } = METHODS[method];
  wholeNumber("k", k, 1);
  if (k > samples) {
    const why = samples === 1 ? "is only 1 sample" : `are only ${samples} samples: choose a k of 1 … ${samples}`;
    throw new OptionError("k", k, `k is ${k} but there ${why}`);
  }
  wholeNumber("seed", seed, 0);
  const named = init === undefined || typeof init === "string";
  if (named && init !== undefined) oneOf("init", init, INITS);
  const update = options.update ?? DEFAULTS.update;
  oneOf("update", update, ["mean", "multiplicative"]);
  if (update === "multiplicative" && method !== "bonmf") {
    throw new OptionError("update", update, `update: "multiplicative" belongs to method "bonmf", not ${quote(method)}`);
  }
  const objective = checkObjective(options);
  // A penalty may leave components unused, and filling them would undo it.
  const keeps = update === "multiplicative" || isPenalized(objective);
  const emptyClusters = options.emptyClusters ?? (keeps ? "keep" : "reseed");
  oneOf("emptyClusters", emptyClusters, ["reseed", "keep"]);
  const settings: Settings = {
    method,
    k,
    seed,
    init: named ? (init ?? defaults.init) : "given",
    maxIterations: options.maxIterations ?? defaults.maxIterations,
    tolerance: options.tolerance ?? defaults.tolerance,
    restarts: options.restarts ?? DEFAULTS.restarts,
    emptyClusters,
    update,
    alpha: options.alpha ?? DEFAULTS.alpha,
    sweeps: options.sweeps ?? DEFAULTS.sweeps,
    ...objective,
    missing: checkMissing(options),
  };
  wholeNumber("maxIterations", settings.maxIterations, 1);
  wholeNumber("restarts", settings.restarts, 1);
  wholeNumber("sweeps", settings.sweeps, 1);
  if (!named && settings.restarts > 1) {
    const message = "all runs from given prototypes are the same: omit restarts";
    throw new OptionError("restarts", settings.restarts, message);
  }
  atLeastZero("tolerance", settings.tolerance);
  atLeastZero("alpha", settings.alpha);
  const signed = takesSigned(method, update);
  return { settings, given: named ? undefined : readPrototypes(init, k, scaler ?? features, signed), signal };
}

/** The methods that take penalties. */
const PENALIZED: readonly MethodName[] = ["nmf", "hals"];

/** Loss and penalties, where the method can do it. */
function checkObjective(options: FitOptions): Penalties & Pick<Settings, "loss"> {
  const { method = DEFAULTS.method, missing, loss = DEFAULTS.loss } = options;
  oneOf("loss", loss, ["frobenius", "kullback-leibler"]);
  if (loss !== DEFAULTS.loss && method !== "nmf") {
    const message = `loss: ${quote(loss)} belongs to method "nmf", not ${quote(method)}: choose it, or omit loss`;
    throw new OptionError("loss", loss, message);
  }
  const penalties = { l1W: 0, l2W: 0, l1H: 0, l2H: 0 };
  for (const name of Object.keys(penalties) as (keyof Penalties)[]) {
    const weight = options[name] ?? 0;
    atLeastZero(name, weight);
    if (weight > 0 && !PENALIZED.includes(method)) {
      throw new OptionError(name, weight, `${name} is for method "nmf" or "hals", not ${quote(method)}`);
    }
    penalties[name] = weight;
  }
  if (missing === "mask" && loss === DEFAULTS.loss && isPenalized(penalties)) {
    const message =
      'missing: "mask" with the squared error takes no penalties: omit l1W, l2W, l1H and l2H, or choose method "nmf" and ' +
      'loss: "kullback-leibler"';
    throw new OptionError("missing", missing, message);
  }
  return { loss, ...penalties };
}

/** The methods that can leave missing values out. */
const MASKING: readonly MethodName[] = ["bonmf", "spherical", "kmeans", "nmf", "hals", "semi-binary"];
/** Scalers that need all values of a sample. */
const ROW_SCALES: readonly string[] = ["l2", "tfidf", "sqrt-tfidf"];

/** What becomes of missing values, where method, update and scaler can do it. */
export function checkMissing(options: Pick<FitOptions, "missing" | "method" | "update" | "scale">): "error" | "mask" {
  const { missing = DEFAULTS.missing, method = DEFAULTS.method, update, scale } = options;
  oneOf("missing", missing, ["error", "mask"]);
  if (missing === "error") return missing;
  if (!MASKING.includes(method)) {
    const message = `missing: "mask" is not for method ${quote(method)}: choose one of ${MASKING.join(", ")}`;
    throw new OptionError("missing", missing, message);
  }
  if (update === "multiplicative") {
    throw new OptionError("missing", missing, 'missing: "mask" is not for update: "multiplicative": omit update');
  }
  if (scale !== undefined && ROW_SCALES.includes(scale)) {
    const message = `scale: ${quote(scale)} needs every value of a sample, and missing: "mask" means that some are unknown`;
    throw new OptionError("missing", missing, `${message}: choose another scaler`);
  }
  return missing;
}

/** Checks the weights of n samples and copies them; null where none are given. */
export function checkWeights(weights: ArrayLike<number> | undefined, samples: number): Float64Array | null {
  if (weights === undefined || weights === null) return null;
  if (weights.length !== samples) {
    throw new DataError(
      "weights",
      `there are ${samples} samples but ${weights.length} weights: give one for each sample`,
    );
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
  if (total === 0) throw new DataError("weights", "all weights are 0: at least one must be larger");
  if (total > 2 ** 200 || total < 2 ** -200) {
    const message = `the weights add up to ${total.toPrecision(3)}, beyond 2^±200: multiply all of them by one constant`;
    throw new DataError("weights", message);
  }
  return out;
}

export function checkNames(names: readonly string[] | undefined, features: number): readonly string[] | null {
  if (names === undefined || names === null) return null;
  if (names.length !== features) {
    throw new OptionError(
      "featureNames",
      names,
      `there are ${features} features but ${names.length} feature names: give one for each feature`,
    );
  }
  const odd = names.findIndex((name) => typeof name !== "string");
  if (odd >= 0) {
    throw new OptionError(
      "featureNames",
      names[odd],
      `the name of feature ${odd} (counting from 0) is ${quote(names[odd])}, not a string`,
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
  if (typeof value !== "number" || !(value >= 0 && value < Number.POSITIVE_INFINITY)) {
    throw new OptionError(option, value, `${option} must be a number, 0 or more, not ${quote(value)}`);
  }
}

export function oneOf(option: string, value: string, known: readonly string[]): void {
  if (!known.includes(value)) {
    const names = known.map((name) => JSON.stringify(name)).join(", ");
    throw new OptionError(option, value, `${option} ${quote(value)} is not known: choose one of ${names}`);
  }
}
