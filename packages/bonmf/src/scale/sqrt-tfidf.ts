import { valuesOf } from "../matrix/matrix.js";
import { normalise } from "./l2.js";
import { mapValues } from "./map.js";
import type { Scaling } from "./scaling.js";
import { tfidf } from "./tfidf.js";

/**
 * As `tfidf`, of the square roots of counts, whose spread does not grow with them: a word that a text repeats counts for less.
 * Texts group better by it (packages/bonmf/bench/topics).
 */
export const sqrtTfidf: Scaling = {
  ...tfidf,
  transform(X, { idf }) {
    const roots = mapValues(X, root);
    return normalise(roots, idf, valuesOf(roots));
  },
  inverse: (Z, { idf }) => mapValues(Z, (z, f) => Math.sign(z) * (z / idf[f]) ** 2),
};

function root(value: number): number {
  return value < 0 ? -Math.sqrt(-value) : Math.sqrt(value);
}
