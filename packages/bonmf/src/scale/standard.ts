import { mapValues } from "./map.js";
import { findMoments } from "./moments.js";
import type { Scaling } from "./scaling.js";

/** z = (x − mean) / sd for every feature; a constant feature becomes 0. The result has signs, and is dense. */
export const standard: Scaling = {
  least: { mean: Number.NEGATIVE_INFINITY, sd: 0 },
  *fit(X, weights, groups) {
    const { mean, sd } = yield* findMoments(X, weights, groups);
    return { mean, sd };
  },
  transform: (X, { mean, sd }) => mapValues(X, (x, f) => (sd[f] === 0 ? 0 : (x - mean[f]) / sd[f])),
  inverse: (Z, { mean, sd }) => mapValues(Z, (z, f) => z * sd[f] + mean[f]),
};
