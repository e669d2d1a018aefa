import { DataError, OptionError } from "../errors.js";
import { checkKnown, type KnownOptions } from "../known-options.js";
import { checkValues, type Matrix, type Samples, toMatrix } from "../matrix/matrix.js";
import { checkLabel, encode, type Label } from "../measure/labels.js";
import { AbortError, fit } from "../model/fit.js";
import { checkNames, checkTags, type Tags, wholeNumber } from "../model/options.js";
import { Random, STREAM } from "../random.js";
import type { ScaleName } from "../scale/scaler.js";
import { type Classifier, checkLabelCount, classifier } from "./classifier.js";
import { type Candidate, crossValidate, type Experiment, type Grid } from "./cross-validation.js";
import { folds } from "./folds.js";

export type { Candidate } from "./cross-validation.js";

/** Options of {@link auto}. */
export interface AutoOptions {
  /** A whole number, 0 or more. The same seed gives the same classifier. Default 0. */
  seed?: number | undefined;
  /** The number of folds of the cross-validation. Default 5. */
  folds?: number | undefined;
  /** The scalers to try. Default: those that suit the data. */
  scales?: readonly ScaleName[] | undefined;
  /** The numbers of clusters per class to try; too large ones are skipped. Default 1, 3, 9. */
  clustersPerClass?: readonly number[] | undefined;
  /** The numbers of voting neighbours to try; too large ones are skipped. Default 1, 3, 5, 9, 15, 25, 41. */
  neighbors?: readonly number[] | undefined;
  /** The most samples for the cross-validation, chosen at random. Default 3000. */
  sample?: number | undefined;
  /** For the model: m names of the features, in order. */
  featureNames?: readonly string[] | undefined;
  /** For the model: your own notes, by name. */
  tags?: Tags | undefined;
  /** For the model: the number of threads, as in {@link fit}. */
  threads?: number | undefined;
  /** Aborts the search; `auto` then throws an {@link AbortError}. */
  signal?: AbortSignal | undefined;
}

const AUTO_OPTIONS: KnownOptions<AutoOptions> = {
  seed: true,
  folds: true,
  scales: true,
  clustersPerClass: true,
  neighbors: true,
  sample: true,
  featureNames: true,
  tags: true,
  threads: true,
  signal: true,
};

/** What {@link auto} has found. */
export interface AutoResult<L extends Label> {
  /** The classifier of the best candidate, trained on all samples. */
  readonly classifier: Classifier<L>;
  /** The best candidate. */
  readonly chosen: Candidate;
  /** All candidates, best first. */
  readonly tried: readonly Candidate[];
}

/**
 * Chooses the scaler, the scheme, and its number of clusters or neighbours by stratified cross-validation, then trains
 * the best classifier on all samples. Ties go to the simpler candidate: `majority` with the fewest clusters, then `vote`
 * with the most neighbours.
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
  const { seed = 0, sample = 3000, featureNames, tags, threads, signal } = options;
  wholeNumber("seed", seed, 0);
  wholeNumber("sample", sample, 2);
  if (threads !== undefined) wholeNumber("threads", threads, 1);
  const all = toMatrix(X);
  checkNames(featureNames, all.features);
  checkTags(tags);
  const scales = options.scales ?? suitableScales(all);
  checkValues(all, { signed: scales.every((scale) => SIGNED.includes(scale)) });
  if (all.samples < 2) throw new DataError("empty", "cross-validation needs at least 2 samples, but there is only 1");
  checkLabelCount(y, all.samples);
  for (let i = 0; i < y.length; i++) checkLabel(y[i], i);

  const ids = new Random(seed, STREAM.split).choose(all.samples, Math.min(sample, all.samples)).sort();
  const { codes, names } = encode(Array.from(ids, (i) => y[i]));
  const parts = folds(codes, Math.min(options.folds ?? 5, ids.length), seed);
  const experiment = { X: all.take(ids), y: codes, classes: names.length, parts, seed, signal };
  const grid = chooseGrid(experiment, { ...options, scales });
  const tried = await crossValidate(experiment, grid).catch((error: unknown) => {
    // Without the model: it belongs to a fold.
    throw error instanceof AbortError ? new AbortError(null, error.cause) : error;
  });

  const [chosen] = tried;
  const { scheme, neighbors, clustersPerClass, scale } = chosen;
  const vote = scheme === "vote";
  // An exact vote does not depend on the clusters; about √n/2 of them make it fast.
  const k = vote ? Math.ceil(Math.sqrt(all.samples) / 2) : clustersPerClass * encode(y).names.length;
  const settings = { k: Math.min(k, all.samples), seed, scale, init: "plusplus" } as const;
  const model = await fit(all, { ...settings, featureNames, tags, threads, signal });
  return { classifier: await classifier(model, all, y, vote ? { scheme, neighbors } : { scheme }), chosen, tried };
}

/** Scalers that take negative values. */
const SIGNED: readonly ScaleName[] = ["none", "minmax", "shift", "split", "standard", "l2", "lift", "exponent"];

/** The scalers to try by default: for sparse data only those that keep zeros. */
function suitableScales(X: Matrix): ScaleName[] {
  const values = X.kind === "dense" ? X.data : X.values;
  if (values.some((value) => value < 0)) return ["minmax", "split"];
  return values.length * 8 < X.samples * X.features ? ["none", "tfidf"] : ["none", "minmax", "split"];
}

/** The grid of the options, without what the smallest training part is too small for. */
function chooseGrid({ classes, parts }: Experiment, options: AutoOptions & { scales: readonly ScaleName[] }): Grid {
  const { scales, clustersPerClass = [1, 3, 9], neighbors = [1, 3, 5, 9, 15, 25, 41] } = options;
  for (const count of clustersPerClass) wholeNumber("clustersPerClass", count, 1);
  for (const count of neighbors) wholeNumber("neighbors", count, 1);
  const least = Math.min(...parts.map(({ train }) => train.length));
  const grid = {
    scales,
    clustersPerClass: clustersPerClass.filter((count) => count * classes * MEMBERS <= least),
    neighbors: neighbors.filter((count) => count <= least),
  };
  if (scales.length === 0 || grid.clustersPerClass.length + grid.neighbors.length === 0) {
    const option = scales.length === 0 ? "scales" : "neighbors";
    const message = `there is nothing to try: give at least one scaler, and a number of neighbours of at most ${least}`;
    throw new OptionError(option, options[option], message);
  }
  return grid;
}

/** Clusters with fewer members on average are not tried. */
const MEMBERS = 10;
