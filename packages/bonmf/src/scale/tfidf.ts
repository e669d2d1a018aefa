import { ln } from "../random.js";
import { normalise } from "./l2.js";
import { mapValues } from "./map.js";
import type { Scaling } from "./scaling.js";
import { visitRows } from "./visit.js";

/**
 * Counts × idf, then every sample to length 1. idf = ln((1 + n) / (1 + df)) + 1, where df of n samples have the feature:
 * scikit-learn's TfidfTransformer with its defaults. `inverse` divides by idf; the lengths are lost.
 */
export const tfidf: Scaling = {
  least: { idf: 1 },
  *fit(X, weights) {
    const df = new Float64Array(X.features);
    const n = yield* visitRows(X, weights, ({ indices, count }, weight) => {
      for (let e = 0; e < count; e++) df[indices[e]] += weight;
    });
    return { idf: df.map((holders) => ln((1 + n) / (1 + holders)) + 1) };
  },
  transform: (X, { idf }) => normalise(X, idf),
  inverse: (Z, { idf }) => mapValues(Z, (z, f) => z / idf[f]),
};
