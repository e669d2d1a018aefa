import { DataError } from "../errors.js";
import { tabulate } from "./contingency.js";
import { assign } from "./hungarian.js";
import { checkLabels, type Label, type Labels, type Predictions } from "./labels.js";

/**
 * The share of samples whose predicted label is the true one. A refused prediction (null) counts as wrong. For clusters,
 * whose labels are arbitrary, use {@link clusteringAccuracy}.
 *
 * @param truth n labels
 * @param predicted n labels or nulls
 * @throws DataError when the lists are empty or differ in length, or an entry is not a label
 *
 * @example
 * ```ts
 * import { accuracy } from "bonmf";
 * accuracy(["cat", "cat", "dog", "dog"], ["cat", "dog", "dog", null]); // → 0.5
 * ```
 */
export function accuracy(truth: Labels, predicted: Predictions): number {
  checkLabels(truth, predicted, true);
  let right = 0;
  for (let i = 0; i < truth.length; i++) if (truth[i] === predicted[i]) right++;
  return right / truth.length;
}

/**
 * The share of samples that agree under the best one-to-one matching of clusters and classes. With more clusters than
 * classes, samples of unmatched clusters count as wrong.
 *
 * @param truth n class labels
 * @param clusters n cluster labels
 * @throws DataError when the lists are empty or differ in length, an entry is not a label, or clusters × classes > 2^27
 *
 * @example
 * ```ts
 * import { clusteringAccuracy } from "bonmf";
 * const truth = ["cat", "cat", "dog", "dog"];
 * clusteringAccuracy(truth, [1, 1, 0, 0]); // → 1
 * clusteringAccuracy(truth, [1, 1, 0, 2]); // → 0.75
 * ```
 */
export function clusteringAccuracy(truth: Labels, clusters: Labels): number {
  return match(truth, clusters).agreeing / truth.length;
}

/**
 * The matching of {@link clusteringAccuracy}, cluster → class, one to one. With more clusters than classes, some clusters
 * are absent. A matched pair may share no sample.
 *
 * @param truth n class labels
 * @param clusters n cluster labels
 * @throws DataError when the lists are empty or differ in length, an entry is not a label, or clusters × classes > 2^27
 *
 * @example
 * ```ts
 * import { matchClusters } from "bonmf";
 * const classOf = matchClusters(["cat", "cat", "dog", "dog"], [1, 1, 0, 2]);
 * classOf.get(1); // → "cat"
 * classOf.get(0); // → "dog"
 * classOf.has(2); // → false
 * ```
 */
export function matchClusters(truth: Labels, clusters: Labels): Map<Label, Label> {
  return match(truth, clusters).classOf;
}

/** A cost matrix of 1 GiB. */
const LARGEST = 2 ** 27;

function match(truth: Labels, labels: Labels): { classOf: Map<Label, Label>; agreeing: number } {
  const { classes, clusters, cells } = tabulate(truth, labels);
  const width = classes.length;
  if (clusters.length * width > LARGEST) {
    throw new DataError(
      "size",
      `${clusters.length} clusters × ${width} classes are too many to match one to one: use nmi, ari or purity, ` +
        "or check that the labels are classes and not row numbers",
    );
  }
  const cost = new Float64Array(clusters.length * width);
  for (const { row, col, count } of cells) cost[col * width + row] = -count;
  const classOf = new Map<Label, Label>();
  let agreeing = 0;
  assign(cost, clusters.length, width).forEach((place, cluster) => {
    if (place < 0) return;
    classOf.set(clusters[cluster], classes[place]);
    agreeing -= cost[cluster * width + place];
  });
  return { classOf, agreeing };
}

/**
 * The share of samples that belong to the most common class of their cluster. It rises to 1 as clusters get smaller, so
 * compare only clusterings with the same number of clusters.
 *
 * @param truth n class labels
 * @param clusters n cluster labels
 * @throws DataError when the lists are empty or differ in length, or an entry is not a label
 *
 * @example
 * ```ts
 * import { purity } from "bonmf";
 * const truth = ["cat", "cat", "dog", "dog"];
 * purity(truth, [0, 0, 0, 1]); // → 0.75
 * purity(truth, [0, 1, 2, 3]); // → 1
 * ```
 */
export function purity(truth: Labels, clusters: Labels): number {
  const { samples, clusterSizes, cells } = tabulate(truth, clusters);
  const most = new Float64Array(clusterSizes.length);
  for (const { col, count } of cells) most[col] = Math.max(most[col], count);
  return most.reduce((sum, count) => sum + count, 0) / samples;
}
