import { factorFor } from "../matrix/magnitude.js";
import { mapValues } from "./map.js";
import type { Scaling } from "./scaling.js";
import { findRange } from "./visit.js";

/**
 * x · 2ᵉ with one e for all features, such that the largest |value| is in 1 … 4. The product is exact, so that all else stays
 * as it is, but squares of values neither overflow nor vanish.
 */
export const exponent: Scaling = {
  least: { factor: Number.MIN_VALUE },
  *fit(X, weights) {
    const { min, max } = yield* findRange(X, weights);
    const largest = max.reduce((most, value, f) => Math.max(most, value, -min[f]), 0);
    return { factor: new Float64Array(X.features).fill(factorFor(largest)) };
  },
  transform: (X, { factor }) => mapValues(X, (x, f) => x * factor[f]),
  inverse: (Z, { factor }) => mapValues(Z, (z, f) => z / factor[f]),
};
