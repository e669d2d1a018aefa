import { reachFactor } from "../matrix/magnitude.js";
import type { Steps } from "../steps.js";
import type { Visited } from "./scaling.js";
import { findRange, visitRows } from "./visit.js";

/** What standardises the features: z = (x − mean) / sd, and 0 where sd is 0. */
export interface Moments {
  readonly mean: Float64Array;
  readonly sd: Float64Array;
  /** Σ of the variances of all z: the number of features that vary, a category counting as less than 1. */
  readonly total: number;
}

/**
 * The mean and the standard deviation of every feature. Those of the values of a category (features with the same group)
 * are divided by √2 times their range instead: two different values are then at distance 1, one standard deviation of a
 * number, whether they are common or rare. Divided by its own deviation, a value that 1 % of the samples have would be
 * ten deviations away from the others.
 *
 * @param groups m numbers, if any
 */
export function* findMoments(
  X: Visited,
  weights: Float64Array | undefined,
  groups: ArrayLike<number> | undefined,
): Steps<Moments> {
  const { features } = X;
  const { min, max } = yield* findRange(X, weights);
  const mean = new Float64Array(features);
  const variance = new Float64Array(features);
  const stored = new Float64Array(features);
  // 1 for all but extreme features, whose squares would overflow or vanish.
  const unit = max.map((most, f) => reachFactor(Math.max(most, -min[f])));
  const missing = new Float64Array(features);
  const total = yield* visitRows(X, weights, ({ indices, values, count }, weight) => {
    for (let e = 0; e < count; e++) {
      const f = indices[e];
      if (Number.isNaN(values[e])) missing[f] += weight;
      else {
        mean[f] += weight * unit[f] * values[e];
        stored[f] += weight;
      }
    }
  });
  // The rounded mean of a constant feature may differ from the constant, and then its sd from 0.
  for (let f = 0; f < features; f++) mean[f] = min[f] === max[f] ? unit[f] * min[f] : mean[f] / (total - missing[f]);
  yield* visitRows(X, weights, ({ indices, values, count }, weight) => {
    for (let e = 0; e < count; e++) {
      const f = indices[e];
      if (!Number.isNaN(values[e])) variance[f] += weight * (unit[f] * values[e] - mean[f]) ** 2;
    }
  });
  for (let f = 0; f < features; f++) {
    const known = total - missing[f];
    variance[f] = (variance[f] + (known - stored[f]) * mean[f] ** 2) / known;
  }
  const sd = variance.map(Math.sqrt);
  if (groups) divideCategories(sd, groups, min, max, unit);
  const shares = sd.map((s, f) => (s > 0 ? variance[f] / (s * s) : 0));
  for (let f = 0; f < features; f++) {
    mean[f] /= unit[f];
    sd[f] /= unit[f];
  }
  return { mean, sd, total: shares.reduce((sum, share) => sum + share, 0) };
}

/** Replaces the sd of every feature that shares its group with another. */
function divideCategories(
  sd: Float64Array,
  groups: ArrayLike<number>,
  min: Float64Array,
  max: Float64Array,
  unit: Float64Array,
): void {
  const ranges = new Map<number, number>();
  const sizes = new Map<number, number>();
  for (let f = 0; f < sd.length; f++) {
    ranges.set(groups[f], Math.max(ranges.get(groups[f]) ?? 0, max[f] - min[f]));
    sizes.set(groups[f], (sizes.get(groups[f]) ?? 0) + 1);
  }
  for (let f = 0; f < sd.length; f++) {
    if (groups[f] >= 0 && sizes.get(groups[f])! > 1 && sd[f] > 0) sd[f] = Math.SQRT2 * unit[f] * ranges.get(groups[f])!;
  }
}
