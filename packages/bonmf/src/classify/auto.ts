import { DataError, OptionError } from "../errors.js";
import { checkKnown, type KnownOptions } from "../known-options.js";
import { checkValues, type Matrix, type Samples, toMatrix, valuesOf } from "../matrix/matrix.js";
import { encode, type Label } from "../measure/labels.js";
import { AbortError } from "../model/abort.js";
import { chooseScale } from "../model/auto-scale.js";
import { checkNames, checkTags, oneOf, type Tags, wholeNumber } from "../model/options.js";
import { deriveSeed } from "../random.js";
import type { ScaleName } from "../scale/scaler.js";
import { summariseFeatures } from "../scale/summary.js";
import { VOTE_RULES } from "./ballot.js";
import { balanceClasses, sizeClasses } from "./class-weights.js";
import { type Classifier, checkLabelCount, checkPositive, checkReject, type RejectOptions } from "./classifier.js";
import type { Configuration, Experiment, Family, Measure } from "./cross-validation.js";
import { calibrateFound, compareFinalists, trainCandidate } from "./finalists.js";
import { folds } from "./folds.js";
import { checkClasses } from "./quantity.js";
import { type SearchStep, searchFamilies } from "./search.js";
import { chooseAny, chooseByClass } from "./search-sample.js";
import type { Candidate } from "./tally.js";

export type { SearchStep } from "./search.js";
export type { Candidate } from "./tally.js";

/** Options of {@link auto}. */
export interface AutoOptions {
  /** A whole number, 0 or more. The same seed gives the same classifier. Default 0. */
  seed?: number | undefined;
  /** The number of folds of the cross-validation. Default 5. */
  folds?: number | undefined;
  /** The scalers to try with every scheme. Default: those that suit the data and the scheme. */
  scales?: readonly ScaleName[] | undefined;
  /** The schemes to try. Default: all. */
  schemes?: readonly Configuration["scheme"][] | undefined;
  /** The numbers of clusters per class to try; too large ones are skipped. Default 1, 3, 9. */
  clustersPerClass?: readonly number[] | undefined;
  /** The numbers of voting neighbours to try; too large ones are skipped. Default 1, 3, 5, 9, 15, 25, 41. */
  neighbors?: readonly number[] | undefined;
  /** The penalties of the linear schemes to try. Default 100, 10, 1, 0.1, 0.01 for `linear`; 1, 0.1, 0.01, 0.001 for `linear+codes`. */
  penalties?: readonly number[] | undefined;
  /**
   * `balanced`: every class counts alike, however few samples it has: candidates learn so, and are compared by balanced accuracy.
   * Default null: every sample counts alike.
   */
  classWeights?: "balanced" | null | undefined;
  /** The most candidates to try; cheap ones come first. Default: all. */
  limit?: number | undefined;
  /** Milliseconds after which no further candidates are tried. The result then depends on the machine. Default: none. */
  timeLimit?: number | undefined;
  /** The most samples for the cross-validation, chosen at random; with class weights more of rare classes. Default 3000. */
  sample?: number | undefined;
  /** When the classifier gives no answer; the search itself refuses nothing. Default: never. */
  reject?: RejectOptions | undefined;
  /** For the model: m names of the features, in order. */
  featureNames?: readonly string[] | undefined;
  /** For the model: your own notes, by name. */
  tags?: Tags | undefined;
  /** For the model: the number of threads, as in {@link fit}. */
  threads?: number | undefined;
  /** Called after each trial: some candidates on one fold. */
  onStep?: ((step: SearchStep) => void) | undefined;
  /** Aborts the search; `auto` then throws an {@link AbortError}. */
  signal?: AbortSignal | undefined;
}

const AUTO_OPTIONS: KnownOptions<AutoOptions> = {
  seed: true,
  folds: true,
  scales: true,
  schemes: true,
  penalties: true,
  classWeights: true,
  limit: true,
  timeLimit: true,
  onStep: true,
  clustersPerClass: true,
  neighbors: true,
  sample: true,
  reject: true,
  featureNames: true,
  tags: true,
  threads: true,
  signal: true,
};

/** What {@link auto} has found. */
export interface AutoResult<L extends Label> {
  /** The classifier of the chosen candidate, trained on all samples, with calibrated probabilities. */
  readonly classifier: Classifier<L>;
  /** The chosen candidate: of the simplest scheme within one standard error of the best, about the one with the least log loss. */
  readonly chosen: Candidate;
  /** All candidates that were tried: first those on all folds, best first, then those that were dropped earlier. */
  readonly tried: readonly Candidate[];
  /** What they were compared by: `balanced` with class weights. */
  readonly measure: "accuracy" | "balanced";
  /** Classes with a single sample: whether they are recognised cannot be tested. */
  readonly singles: readonly L[];
}

/**
 * Chooses the scaler, the scheme and its settings by stratified cross-validation, then trains the best classifier on all samples.
 * Candidates that are clearly behind are dropped after each fold. A simpler scheme is preferred within one standard error of the
 * best: `majority`, then `prototypes`, `linear`, `vote`, `linear+codes`. Probabilities are calibrated on the samples that were left out.
 * With class weights they are those where all classes are equally common.
 *
 * @param X n labelled samples of m features
 * @param y n labels
 * @throws DataError for samples or labels that cannot be used, OptionError for a bad option, AbortError when `signal`
 * aborts
 *
 * @example
 * ```ts
 * import { auto } from "bonmf";
 * const X = Array.from({ length: 40 }, (_, i) => (i % 2 ? [5, 1 + (i % 3)] : [1 + (i % 3), 5]));
 * const y = X.map((_, i) => (i % 2 ? "right" : "left"));
 * const { classifier, chosen } = await auto(X, y, { seed: 1 });
 * chosen.accuracy; // → 1
 * classifier.predict([[6, 1], [1, 6]]); // → ["right", "left"]
 * ```
 */
export async function auto<L extends Label>(
  X: Samples,
  y: ArrayLike<L>,
  options: AutoOptions = {},
): Promise<AutoResult<L>> {
  checkKnown(options, AUTO_OPTIONS, "auto");
  const {
    seed = 0,
    sample = 3000,
    classWeights = null,
    limit,
    timeLimit,
    featureNames,
    tags,
    threads,
    signal,
    onStep,
    reject = {},
  } = options;
  wholeNumber("seed", seed, 0);
  wholeNumber("sample", sample, 2);
  if (classWeights !== null) oneOf("classWeights", classWeights, ["balanced"]);
  if (limit !== undefined) wholeNumber("limit", limit, 1);
  if (threads !== undefined) wholeNumber("threads", threads, 1);
  const all = toMatrix(X);
  checkNames(featureNames, all.features);
  checkTags(tags);
  checkReject(reject);
  const { scales } = options;
  if (scales?.length === 0)
    throw new OptionError("scales", scales, "there is nothing to try: give at least one scaler");
  checkValues(all, { signed: scales === undefined || scales.every((scale) => SIGNED.includes(scale)), featureNames });
  if (all.samples < 2) throw new DataError("empty", "cross-validation needs at least 2 samples, but there is only 1");
  checkLabelCount(y, all.samples);
  const { names: classes, codes: encoded, sizes } = encode(y);
  checkClasses(classes, y.length);

  const measure: Measure = classWeights === null ? "accuracy" : "balanced";
  const most = Math.min(sample, all.samples);
  const ids =
    measure === "balanced" ? chooseByClass(encoded, classes.length, most, seed) : chooseAny(all.samples, most, seed);
  const { codes, names } = encode(Array.from(ids, (i) => y[i]));
  // Few samples are split several times: one split of them would choose by chance.
  const repeats = Math.min(MOST_REPEATS, Math.ceil(ENOUGH / ids.length));
  const count = Math.min(options.folds ?? 5, ids.length);
  const parts = Array.from({ length: repeats }, (_, repeat) => folds(codes, count, deriveSeed(seed, repeat))).flat();
  const balance = (y: Uint32Array, classes: number) => balanceClasses(sizeClasses(y, classes, null));
  const experiment: Experiment = {
    X: all.take(ids),
    y: codes,
    classes: names.length,
    worth: balance(codes, names.length),
    measure,
    parts,
    folds: count,
    seed,
    threads: 1,
    signal,
  };
  const families = listFamilies(all, experiment, options);
  const start = performance.now();
  const isOver = () => timeLimit !== undefined && performance.now() - start > timeLimit;
  try {
    const found = await searchFamilies(experiment, families, isOver, onStep);
    const run = { measure, seed, featureNames, tags, threads, signal };
    const whole = { X: all, y: encoded, classes: classes.length, worth: balance(encoded, classes.length) };
    const { chosen, calibration } =
      ids.length < all.samples
        ? await compareFinalists({ ...whole, measure, seed, threads, signal }, found)
        : calibrateFound(found, experiment);
    const trained = await trainCandidate(all, y, chosen, run);
    const { tried } = found;
    return {
      classifier: trained.with({ calibration, reject }),
      chosen,
      tried,
      measure,
      singles: classes.filter((_, c) => sizes[c] === 1),
    };
  } catch (error) {
    // Without the model: it belongs to a fold.
    if (error instanceof AbortError) throw new AbortError(null, error.cause);
    throw signal?.aborted && error === signal.reason ? new AbortError(null, error) : error;
  }
}

/** As many test samples are asked for, by several splits where there are fewer. */
const ENOUGH = 1000;
const MOST_REPEATS = 4;

/** Scalers that take negative values. */
const SIGNED: readonly ScaleName[] = ["none", "minmax", "shift", "split", "standard", "l2", "lift", "exponent"];

/** The scalers to try by default: for sparse data only those that keep zeros. */
function suitableScales(X: Matrix): Record<"angle" | "distance" | "linear" | "codes", ScaleName[]> {
  const values = valuesOf(X);
  const signed = values.some((value) => value < 0);
  if (!signed && values.length * 8 < X.samples * X.features) {
    const sparse: ScaleName[] = ["none", "tfidf"];
    return { angle: sparse, distance: [], linear: sparse, codes: [] };
  }
  const own: ScaleName[] = ["standard", "minmax"];
  return {
    angle: signed ? ["minmax", "split"] : ["none", "minmax", "split"],
    distance: [...own, "none"],
    linear: ["standard"],
    // Pixels and other features of one unit stay as they are, but for their size.
    codes: chooseScale(summariseFeatures(X)).scale === "lift" ? ["standard"] : ["minmax"],
  };
}

/** Clusters with fewer members on average are not tried. */
const MEMBERS = 10;
/** Above this many features the scatter within the classes is not estimated, and samples have no codes. */
const MOST_SCATTERED = 400;
const MOST_CODED = 1000;
/** Codes are smaller than features, and so are their penalties. */
const CODE_PENALTIES = [1, 0.1, 0.01, 0.001];
/** What is tried, cheap families first, without what the smallest training part is too small for. */
function listFamilies(X: Matrix, { classes, parts }: Experiment, options: AutoOptions): Family[] {
  const { clustersPerClass = [1, 3, 9], neighbors = [1, 3, 5, 9, 15, 25, 41] } = options;
  const { penalties = [100, 10, 1, 0.1, 0.01] } = options;
  for (const count of clustersPerClass) wholeNumber("clustersPerClass", count, 1);
  for (const count of neighbors) wholeNumber("neighbors", count, 1);
  for (const penalty of penalties) checkPositive("penalties", penalty);
  const { scales } = options;
  const suited = suitableScales(X);
  const pick = (kind: keyof typeof suited) => scales ?? suited[kind];
  const least = Math.min(...parts.map(({ train }) => train.length));
  const { schemes = SCHEMES } = options;
  for (const scheme of schemes) oneOf("schemes", scheme, SCHEMES);
  const clustered = clustersPerClass.filter((count) => count * classes * MEMBERS <= least);
  const perClass = clustered.map((count) => ({ clustersPerClass: count }));
  const votes = listVotes(neighbors.filter((count) => count <= least));
  const falling = [...penalties].sort((a, b) => b - a).map((penalty) => ({ penalty }));
  // One class needs no border.
  const several = <T>(settings: T[]) => (classes > 1 ? settings : []);
  const families: Family[] = [
    ...pick("angle").map((scale) => vary({ scale, scheme: "majority" }, perClass)),
    ...pick("angle").map((scale) => vary({ scale, scheme: "prototypes" }, several(perClass))),
    ...pick("linear").map((scale) => vary({ scale, scheme: "linear" }, several(falling))),
    ...pick("angle").map((scale) => vary({ scale, scheme: "vote", metric: "angle" }, votes)),
    ...pick("distance").map((scale) => vary({ scale, scheme: "vote", metric: "distance" }, votes)),
  ];
  if (X.features <= MOST_SCATTERED && suited.distance.length > 0) {
    const [scale] = scales ?? ["standard" as const];
    families.push(vary({ scale, scheme: "vote", metric: "within" }, votes));
    families.push(vary({ scale, scheme: "vote", metric: "relevant" }, votes));
  }
  if (X.features <= MOST_CODED) {
    const settings = several(options.penalties ? falling : CODE_PENALTIES.map((penalty) => ({ penalty })));
    for (const scale of pick("codes")) {
      for (const sharpness of [2, 8]) families.push(vary({ scale, scheme: "linear+codes", sharpness }, settings));
    }
  }
  const wanted = families.filter((family) => family.length > 0 && schemes.includes(family[0].scheme));
  if (wanted.length === 0) {
    const message = `there is nothing to try: give at least one scheme, and a number of neighbours of at most ${least}`;
    throw new OptionError("neighbors", options.neighbors, message);
  }
  return cutFamilies(wanted, options.limit ?? Number.POSITIVE_INFINITY);
}

/** The family of what its configurations share, in these settings. */
function vary(
  shared: Partial<Configuration> & Pick<Configuration, "scale" | "scheme">,
  settings: readonly Partial<Configuration>[],
): Family {
  const unused = { clustersPerClass: 0, neighbors: 0, metric: null, votes: null, penalty: 0, sharpness: 0 };
  return settings.map((setting) => ({ ...unused, ...shared, ...setting }));
}

/** Numbers of neighbours with either rule; a single vote counts the same by both. */
function listVotes(counts: readonly number[]): Pick<Configuration, "neighbors" | "votes">[] {
  const all = VOTE_RULES.flatMap((votes) => counts.map((neighbors) => ({ neighbors, votes })));
  return all.filter(({ neighbors, votes }) => neighbors > 1 || votes === "equal");
}

const SCHEMES: readonly Configuration["scheme"][] = ["majority", "prototypes", "vote", "linear", "linear+codes"];

/** The first `limit` candidates. */
function cutFamilies(families: readonly Family[], limit: number): Family[] {
  const cut: Family[] = [];
  let left = limit;
  for (const family of families) {
    if (left <= 0) break;
    cut.push(family.slice(0, left));
    left -= family.length;
  }
  return cut;
}
