import { isSame, tabulate } from "./contingency.js";
import type { Labels } from "./labels.js";

/**
 * Adjusted Rand index (Hubert, Arabie, 1985): agreement on pairs of samples. 0 on average for random labels, 1 for the
 * same partition; it can be negative.
 *
 * @param truth n labels
 * @param clusters n labels
 * @throws DataError when the lists are empty or differ in length, or an entry is not a label
 *
 * @example
 * ```ts
 * import { ari } from "bonmf";
 * const truth = ["cat", "cat", "dog", "dog"];
 * ari(truth, [1, 1, 0, 0]); // → 1
 * ari(truth, [0, 1, 2, 3]); // → 0
 * ari(truth, [0, 1, 0, 1]); // → -0.5
 * ```
 */
export function ari(truth: Labels, clusters: Labels): number {
  const table = tabulate(truth, clusters);
  if (isSame(table)) return 1;
  // Ordered pairs, including each sample with itself; these are subtracted below.
  const { samples } = table;
  const square = (sum: number, size: number) => sum + size * size;
  const both = table.cells.reduce((sum, { count }) => square(sum, count), 0);
  const sameClass = table.classSizes.reduce(square, 0);
  const sameCluster = table.clusterSizes.reduce(square, 0);
  const together = both - samples;
  const split = sameClass - both;
  const joined = sameCluster - both;
  const apart = samples * samples - sameClass - sameCluster + both;
  return (
    (2 * (together * apart - split * joined)) /
    ((together + split) * (split + apart) + (together + joined) * (joined + apart))
  );
}
