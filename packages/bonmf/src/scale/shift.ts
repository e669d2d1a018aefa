import { mapValues } from "./map.js";
import type { Scaling } from "./scaling.js";
import { findRange } from "./visit.js";

/**
 * x − min(0, min): a feature with negative values starts at 0, the others stay as they are. A new value below the
 * training minimum becomes 0.
 */
export const shift: Scaling = {
  least: { low: Number.NEGATIVE_INFINITY },
  fit: (X, weights) => ({ low: findRange(X, weights).min.map((min) => Math.min(0, min)) }),
  transform: (X, { low }) => mapValues(X, (x, f) => Math.max(0, x - low[f])),
  inverse: (Z, { low }) => mapValues(Z, (z, f) => z + low[f]),
};
