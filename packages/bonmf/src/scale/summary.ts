import type { Visited } from "./scaling.js";

/** What the choice of a scaler depends on. */
export interface FeatureSummary {
  readonly samples: number;
  readonly features: number;
  /** m numbers: the least value of each feature. */
  readonly min: ArrayLike<number>;
  /** m numbers: the largest value of each feature. */
  readonly max: ArrayLike<number>;
  /** The share of all values that are not 0. */
  readonly density: number;
  /** Whether all values are whole numbers. */
  readonly whole: boolean;
}

/**
 * Summarises samples for `chooseScale`, in one look at each value.
 *
 * @example
 * ```ts
 * import { Dense, summariseFeatures } from "bonmf";
 * const summary = summariseFeatures(Dense.from([[0, 10], [4, 20]]));
 * summary.max; // → [4, 20]
 * summary.density; // → 0.75
 * ```
 */
export function summariseFeatures(X: Visited): FeatureSummary {
  const { samples, features } = X;
  const min = new Float64Array(features).fill(Number.POSITIVE_INFINITY);
  const max = new Float64Array(features).fill(Number.NEGATIVE_INFINITY);
  const seen = new Float64Array(features);
  let stored = 0;
  let missing = 0;
  let whole = true;
  const visit = (f: number, value: number) => {
    if (value === 0) return;
    if (Number.isNaN(value)) {
      seen[f]++;
      missing++;
      return;
    }
    if (value < min[f]) min[f] = value;
    if (value > max[f]) max[f] = value;
    seen[f]++;
    stored++;
    whole &&= Number.isInteger(value);
  };
  for (let i = 0; i < samples; i++) X.each(i, visit);
  for (let f = 0; f < features; f++) {
    if (seen[f] === samples) continue;
    min[f] = Math.min(min[f], 0);
    max[f] = Math.max(max[f], 0);
  }
  return { samples, features, min, max, density: stored / (samples * features - missing), whole };
}
