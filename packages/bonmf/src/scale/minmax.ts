import { mapValues } from "./map.js";
import type { Scaling } from "./scaling.js";
import { findRange } from "./visit.js";

/**
 * (x − min) / (max − min) for every feature: training values are in [0, 1]. A constant feature becomes 0. A new value below
 * the training minimum becomes 0; one above the maximum is above 1.
 */
export const minmax: Scaling = {
  least: { min: Number.NEGATIVE_INFINITY, range: 0 },
  *fit(X, weights) {
    const { min, max } = yield* findRange(X, weights);
    return { min, range: max.map((most, f) => most - min[f]) };
  },
  transform: (X, { min, range }) => mapValues(X, (x, f) => (range[f] === 0 ? 0 : Math.max(0, (x - min[f]) / range[f]))),
  inverse: (Z, { min, range }) => mapValues(Z, (z, f) => z * range[f] + min[f]),
};
