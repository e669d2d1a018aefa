import { type Contingency, isSame, tabulate } from "./contingency.js";
import type { Labels } from "./labels.js";

/**
 * Mutual information of two labelings in nats: I = Σ (n_ij/n) ln(n n_ij / (a_i b_j)), with a and b the sizes of the
 * classes and clusters.
 *
 * @param truth n labels
 * @param clusters n labels
 * @throws DataError when the lists are empty or differ in length, or an entry is not a label
 *
 * @example
 * ```ts
 * import { mutualInformation } from "bonmf";
 * const truth = ["cat", "cat", "dog", "dog"];
 * mutualInformation(truth, [1, 1, 0, 0]); // → 0.693…
 * mutualInformation(truth, [0, 1, 0, 1]); // → 0
 * ```
 */
export function mutualInformation(truth: Labels, clusters: Labels): number {
  return informationOf(tabulate(truth, clusters));
}

/**
 * Mutual information normalised by the arithmetic mean of the two entropies (scikit-learn ≥ 0.22): 0 for independent
 * labelings, 1 for the same partition.
 *
 * @param truth n labels
 * @param clusters n labels
 * @throws DataError when the lists are empty or differ in length, or an entry is not a label
 *
 * @example
 * ```ts
 * import { nmi } from "bonmf";
 * const truth = ["cat", "cat", "dog", "dog"];
 * nmi(truth, [1, 1, 0, 0]); // → 1
 * nmi(truth, [0, 1, 0, 1]); // → 0
 * nmi(truth, [0, 1, 2, 3]); // → 0.666…
 * ```
 */
export function nmi(truth: Labels, clusters: Labels): number {
  const table = tabulate(truth, clusters);
  if (isSame(table)) return 1;
  return (2 * informationOf(table)) / (entropyOf(table.classSizes) + entropyOf(table.clusterSizes));
}

/**
 * Mutual information adjusted for chance: (I − E[I]) / (mean of the entropies − E[I]), the expectation over random
 * labelings with the same sizes (Vinh, Epps, Bailey, JMLR 11, 2010). Around 0 for chance, 1 for the same partition.
 *
 * @param truth n labels
 * @param clusters n labels
 * @throws DataError when the lists are empty or differ in length, or an entry is not a label
 *
 * @example
 * ```ts
 * import { ami, nmi } from "bonmf";
 * const truth = ["cat", "cat", "dog", "dog"];
 * ami(truth, [1, 1, 0, 0]); // → 1
 * nmi(truth, [0, 1, 2, 3]); // → 0.666…
 * ami(truth, [0, 1, 2, 3]); // → 0
 * ```
 */
export function ami(truth: Labels, clusters: Labels): number {
  const table = tabulate(truth, clusters);
  const { classSizes, clusterSizes } = table;
  if (isSame(table)) return 1;
  if (classSizes.length === 1 || clusterSizes.length === 1) return 0;
  const expected = expectInformation(table);
  const mean = (entropyOf(classSizes) + entropyOf(clusterSizes)) / 2;
  return (informationOf(table) - expected) / (mean - expected);
}

/**
 * Homogeneity (each cluster has one class), completeness (each class is in one cluster) and their harmonic mean,
 * which equals {@link nmi} (Rosenberg, Hirschberg, EMNLP 2007).
 *
 * @param truth n class labels
 * @param clusters n cluster labels
 * @throws DataError when the lists are empty or differ in length, or an entry is not a label
 *
 * @example
 * ```ts
 * import { vMeasure } from "bonmf";
 * const truth = ["cat", "cat", "dog", "dog"];
 * vMeasure(truth, [0, 1, 2, 3]); // → { homogeneity: 1, completeness: 0.5, vMeasure: 0.666… }
 * vMeasure(truth, [0, 0, 0, 0]); // → { homogeneity: 0, completeness: 1, vMeasure: 0 }
 * ```
 */
export function vMeasure(
  truth: Labels,
  clusters: Labels,
): { homogeneity: number; completeness: number; vMeasure: number } {
  const table = tabulate(truth, clusters);
  const information = informationOf(table);
  const share = (sizes: Float64Array) => (sizes.length === 1 ? 1 : Math.min(1, information / entropyOf(sizes)));
  const homogeneity = share(table.classSizes);
  const completeness = share(table.clusterSizes);
  const sum = homogeneity + completeness;
  return { homogeneity, completeness, vMeasure: sum === 0 ? 0 : (2 * homogeneity * completeness) / sum };
}

function informationOf({ samples, classSizes, clusterSizes, cells }: Contingency): number {
  let sum = 0;
  for (const { row, col, count } of cells) {
    sum += count * Math.log((samples * count) / (classSizes[row] * clusterSizes[col]));
  }
  return Math.max(0, sum / samples);
}

function entropyOf(sizes: Float64Array): number {
  const samples = sizes.reduce((sum, size) => sum + size, 0);
  return sizes.reduce((sum, size) => sum + size * Math.log(samples / size), 0) / samples;
}

function expectInformation({ samples, classSizes, clusterSizes }: Contingency): number {
  let sum = 0;
  for (const a of classSizes) for (const b of clusterSizes) sum += expectCell(a, b, samples);
  return sum / samples;
}

/**
 * E[c ln(n c / (a b))] for a class of a and a cluster of b among n samples, whose overlap c is hypergeometric.
 * scikit-learn computes each probability from log-gammas, which lose digits as n grows. Here probabilities follow from
 * the mode outward by the ratio p(c+1)/p(c) = (a−c)(b−c) / ((c+1)(n−a−b+c+1)), until they are negligible, and are then
 * normalised by their sum.
 */
function expectCell(a: number, b: number, n: number): number {
  const mode = Math.floor(((a + 1) * (b + 1)) / (n + 2));
  const term = (c: number) => (c <= 0 ? 0 : c * Math.log((n * c) / (a * b)));
  let total = 1;
  let sum = term(mode);
  for (let c = mode, weight = 1; weight > 1e-25; c++) {
    weight *= ((a - c) * (b - c)) / ((c + 1) * (n - a - b + c + 1));
    total += weight;
    sum += weight * term(c + 1);
  }
  for (let c = mode, weight = 1; weight > 1e-25; c--) {
    weight *= (c * (n - a - b + c)) / ((a - c + 1) * (b - c + 1));
    total += weight;
    sum += weight * term(c - 1);
  }
  return sum / total;
}
