import { mapValues } from "./map.js";
import type { Scaling } from "./scaling.js";
import { findRange } from "./visit.js";

/**
 * x − min(0, min): a feature with negative values starts at 0, the others stay as they are. A new value below the
 * training minimum becomes 0.
 */
export const shift: Scaling = {
  least: { low: Number.NEGATIVE_INFINITY },
  *fit(X, weights) {
    const { min } = yield* findRange(X, weights);
    return { low: min.map((least) => Math.min(0, least)) };
  },
  transform: (X, { low }) => mapValues(X, (x, f) => Math.max(0, x - low[f])),
  inverse: (Z, { low }) => mapValues(Z, (z, f) => z + low[f]),
};
