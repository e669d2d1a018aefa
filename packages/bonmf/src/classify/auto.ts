import { DataError, OptionError } from "../errors.js";
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

export interface AutoOptions {
  seed?: number | undefined;
  /** Parts for cross-validation. Default 5. */
  folds?: number | undefined;
  /** Scalers to try; by default those that suit the data. */
  scales?: readonly ScaleName[] | undefined;
  /** Clusters per class to try, as far as they would have 10 members on average. Default 1, 3, 9. */
  clustersPerClass?: readonly number[] | undefined;
  /** Numbers of voting neighbours to try, as far as there are so many. Default 1, 3, 5, 9, 15, 25, 41. */
  neighbors?: readonly number[] | undefined;
  /** Cross-validate on at most this many samples, drawn at random. Default 3000. */
  sample?: number | undefined;
  /** For the model: names of the features, in order. */
  featureNames?: readonly string[] | undefined;
  /** For the model: notes of your own, by name. */
  tags?: Tags | undefined;
  /** For the model: how many threads may fit it, as in `fit`. */
  threads?: number | undefined;
  signal?: AbortSignal | undefined;
}

export interface AutoResult<L extends Label> {
  readonly classifier: Classifier<L>;
  readonly chosen: Candidate;
  /** All that was tried, best first. */
  readonly tried: readonly Candidate[];
}

/**
 * Chooses scaler, clusters per class, scheme and number of neighbours by seeded, stratified cross-validation on the
 * given samples alone, then builds that classifier on all of them. Of equally good candidates the simplest is chosen:
 * `majority` with the fewest clusters, else `vote` with the most neighbours.
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
  const { seed = 0, sample = 3000, featureNames, tags, threads, signal } = options;
  wholeNumber("seed", seed, 0);
  wholeNumber("sample", sample, 2);
  if (threads !== undefined) wholeNumber("threads", threads, 1);
  const all = toMatrix(X);
  checkNames(featureNames, all.features);
  checkTags(tags);
  const scales = options.scales ?? suitableScales(all);
  checkValues(all, { signed: scales.every((scale) => SIGNED.includes(scale)) });
  if (all.samples < 2) throw new DataError("empty", "cross-validation needs at least 2 samples, and there is 1");
  checkLabelCount(y, all.samples);
  for (let i = 0; i < y.length; i++) checkLabel(y[i], i);

  const ids = new Random(seed, STREAM.split).choose(all.samples, Math.min(sample, all.samples)).sort();
  const { codes, names } = encode(Array.from(ids, (i) => y[i]));
  const parts = folds(codes, Math.min(options.folds ?? 5, ids.length), seed);
  const experiment = { X: all.take(ids), y: codes, classes: names.length, parts, seed, signal };
  const grid = chooseGrid(experiment, { ...options, scales });
  const tried = await crossValidate(experiment, grid).catch((error: unknown) => {
    // The model of a fold is not what anyone asked for.
    throw error instanceof AbortError ? new AbortError(null, error.cause) : error;
  });

  const [chosen] = tried;
  const { scheme, neighbors, clustersPerClass, scale } = chosen;
  const vote = scheme === "vote";
  // A vote is exact whatever the clusters; about √n/2 of them make it quick.
  const k = vote ? Math.ceil(Math.sqrt(all.samples) / 2) : clustersPerClass * encode(y).names.length;
  const settings = { k: Math.min(k, all.samples), seed, scale, init: "plusplus" } as const;
  const model = await fit(all, { ...settings, featureNames, tags, threads, signal });
  return { classifier: await classifier(model, all, y, vote ? { scheme, neighbors } : { scheme }), chosen, tried };
}

/** Scalers that take negative values. */
const SIGNED: readonly ScaleName[] = ["minmax", "shift", "split"];

/** Scalers worth trying. Those that move zeros would fill up sparse data. */
function suitableScales(X: Matrix): ScaleName[] {
  const values = X.kind === "dense" ? X.data : X.values;
  if (values.some((value) => value < 0)) return ["minmax", "split"];
  return values.length * 8 < X.samples * X.features ? ["none", "tfidf"] : ["none", "minmax", "split"];
}

/** The grid of the options, less what the smallest training part is too small for. */
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
    const message = `nothing is left to try: give at least one scaler, and neighbours of which ${least} samples have enough`;
    throw new OptionError(option, options[option], message);
  }
  return grid;
}

/** Clusters with fewer members on average say too little about a class to be tried. */
const MEMBERS = 10;
