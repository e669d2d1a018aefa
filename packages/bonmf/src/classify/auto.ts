import { DataError } from "../errors.js";
import { type Matrix, type Samples, toMatrix } from "../matrix/matrix.js";
import { checkLabel, encode, type Label } from "../measure/labels.js";
import { fit } from "../model/fit.js";
import type { Model } from "../model/model.js";
import { wholeNumber } from "../model/options.js";
import { Random, STREAM } from "../random.js";
import type { ScaleName } from "../scale/scaler.js";
import { type Classifier, type ClassifierOptions, classifier } from "./classifier.js";
import { folds } from "./split.js";

export interface AutoOptions {
  seed?: number | undefined;
  /** Parts for cross-validation. Default 5. */
  folds?: number | undefined;
  /** Scalers to try; by default those that suit the data. */
  scales?: readonly ScaleName[] | undefined;
  /** Clusters per class to try. Default 1, 4, 16. */
  clustersPerClass?: readonly number[] | undefined;
  /** Numbers of voting neighbours to try. Default 1, 3, 5, 9, 15, 25, 41. */
  neighbors?: readonly number[] | undefined;
  /** Cross-validate on at most this many samples, drawn at random. Default 3000. */
  sample?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** One way to classify, and how it did in cross-validation. */
export interface Candidate {
  readonly scale: ScaleName;
  readonly scheme: "majority" | "nearest" | "vote";
  readonly clustersPerClass: number;
  /** How many neighbours vote; 1 for `nearest`, 0 for `majority`. */
  readonly neighbors: number;
  /** Mean accuracy over the folds, and its standard deviation. */
  readonly accuracy: number;
  readonly deviation: number;
}

export interface AutoResult<L extends Label> {
  readonly classifier: Classifier<L>;
  readonly chosen: Candidate;
  /** All that was tried, best first. */
  readonly tried: readonly Candidate[];
}

/**
 * Chooses scaler, clusters per class, scheme and number of neighbours by seeded, stratified cross-validation on the
 * given samples alone, then builds that classifier on all of them. Ties go to the simpler candidate.
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
  const { seed = 0, sample = 3000, signal } = options;
  const all = toMatrix(X);
  wholeNumber("seed", seed, 0);
  wholeNumber("sample", sample, 2);
  if (y.length !== all.samples) {
    throw new DataError("labels", `there are ${all.samples} samples but ${y.length} labels: one each is needed`);
  }
  for (let i = 0; i < y.length; i++) checkLabel(y[i], i);
  const drawn =
    all.samples > sample
      ? new Random(seed, STREAM.split).choose(all.samples, sample).sort()
      : Uint32Array.from({ length: all.samples }, (_, i) => i);
  const tried = await crossValidate(
    all.take(drawn) as Matrix,
    Array.from(drawn, (i) => y[i]),
    { ...options, seed },
  );
  const chosen = tried[0];
  const classes = encode(y).names.length;
  // A vote is exact whatever the clusters; about √n/2 of them make it quick.
  const perClass =
    chosen.scheme === "vote" ? Math.ceil(Math.sqrt(all.samples) / (2 * classes)) : chosen.clustersPerClass;
  const k = Math.min(all.samples, classes * perClass);
  const model = await fit(all, { k, seed, scale: chosen.scale, signal });
  return { classifier: await classifier(model, all, y, classifierOptions(chosen)), chosen, tried };
}

function classifierOptions({ scheme, neighbors }: Omit<Candidate, "accuracy" | "deviation">): ClassifierOptions {
  return scheme === "vote" ? { scheme, neighbors, probes: "exact" } : { scheme };
}

async function crossValidate<L extends Label>(
  X: Matrix,
  y: readonly L[],
  options: AutoOptions & { seed: number },
): Promise<Candidate[]> {
  const { clustersPerClass = [1, 4, 16], neighbors = [1, 3, 5, 9, 15, 25, 41], seed, signal } = options;
  const parts = folds(y, Math.min(options.folds ?? 5, X.samples), seed);
  const scores = new Map<string, { candidate: Omit<Candidate, "accuracy" | "deviation">; accuracies: number[] }>();
  const record = (candidate: Omit<Candidate, "accuracy" | "deviation">, score: number) => {
    const key = JSON.stringify(candidate);
    const entry = scores.get(key) ?? { candidate, accuracies: [] };
    entry.accuracies.push(score);
    scores.set(key, entry);
  };

  for (const scale of options.scales ?? suitableScales(X)) {
    for (const { train, test } of parts) {
      const trainX = X.take(train) as Matrix;
      const trainY = Array.from(train, (i) => y[i]);
      const testX = X.take(test) as Matrix;
      const testY = Array.from(test, (i) => y[i]);
      const classes = encode(trainY).names.length;
      let model: Model | null = null;
      for (const perClass of clustersPerClass) {
        const k = Math.min(classes * perClass, train.length);
        model = await fit(trainX, { k, seed, scale, signal });
        for (const scheme of ["majority", "nearest"] as const) {
          const candidate = { scale, scheme, clustersPerClass: perClass, neighbors: scheme === "nearest" ? 1 : 0 };
          record(candidate, (await classifier(model, trainX, trainY, { scheme })).score(testX, testY));
        }
      }
      model ??= await fit(trainX, { k: classes, seed, scale, signal });
      for (const count of neighbors) {
        if (count > train.length) continue;
        const candidate = { scale, scheme: "vote", clustersPerClass: 0, neighbors: count } as const;
        const clf = await classifier(model, trainX, trainY, classifierOptions(candidate));
        record(candidate, clf.score(testX, testY));
      }
    }
  }
  const table = [...scores.values()].map(({ candidate, accuracies }) => {
    const mean = accuracies.reduce((a, b) => a + b, 0) / accuracies.length;
    const spread = accuracies.reduce((sum, a) => sum + (a - mean) ** 2, 0) / Math.max(1, accuracies.length - 1);
    return { ...candidate, accuracy: mean, deviation: Math.sqrt(spread) };
  });
  // The sort is stable, and simpler candidates were recorded first.
  return table.sort((a, b) => (Math.abs(a.accuracy - b.accuracy) < 1e-12 ? 0 : b.accuracy - a.accuracy));
}

/** Scalers worth trying: none and tf-idf need values of 0 or more. */
function suitableScales(X: Matrix): ScaleName[] {
  const values = X.kind === "dense" ? X.data : X.values;
  const signed = values.some((value) => value < 0);
  if (X.kind === "sparse" && X.samples * X.features > 64 * X.values.length) return signed ? ["l2"] : ["none", "tfidf"];
  return signed ? ["minmax", "split"] : ["none", "minmax", "split"];
}
