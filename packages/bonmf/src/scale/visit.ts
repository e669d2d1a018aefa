import { countTogether, type Steps } from "../steps.js";
import type { Visited } from "./scaling.js";

/**
 * Calls `visit` for every non-zero value of the samples with weight above 0, and returns the total weight. Zeros of dense
 * samples are skipped too, so that dense and sparse samples give the same bits. NaN is a missing value: `skip` is told of it.
 */
export function* visitNonzero(
  X: Visited,
  weights: Float64Array | undefined,
  visit: (feature: number, value: number, weight: number) => void,
  skip?: (feature: number, weight: number) => void,
): Steps<number> {
  const together = countTogether(X.features);
  let total = 0;
  let weight = 1;
  const visitOne = (feature: number, value: number) => {
    if (Number.isNaN(value)) skip?.(feature, weight);
    else if (value !== 0) visit(feature, value, weight);
  };
  for (let i = 0; i < X.samples; i++) {
    if (i % together === 0) yield;
    if (weights) weight = weights[i];
    if (weight === 0) continue;
    total += weight;
    X.each(i, visitOne);
  }
  return total;
}

export interface Range {
  readonly min: Float64Array;
  readonly max: Float64Array;
}

/** The least and the largest value of every feature among the samples with weight above 0. */
export function* findRange(X: Visited, weights: Float64Array | undefined): Steps<Range> {
  const min = new Float64Array(X.features).fill(Number.POSITIVE_INFINITY);
  const max = new Float64Array(X.features).fill(Number.NEGATIVE_INFINITY);
  const seen = new Float64Array(X.features);
  // Counts, not weights: a sum with a huge weight would lose the small ones.
  const present = weights?.map((weight) => (weight > 0 ? 1 : 0));
  const samples = yield* visitNonzero(
    X,
    present,
    (f, value) => {
      if (value < min[f]) min[f] = value;
      if (value > max[f]) max[f] = value;
      seen[f]++;
    },
    (f) => {
      seen[f]++;
    },
  );
  for (let f = 0; f < X.features; f++) {
    if (seen[f] === samples) continue;
    min[f] = Math.min(min[f], 0);
    max[f] = Math.max(max[f], 0);
  }
  return { min, max };
}
