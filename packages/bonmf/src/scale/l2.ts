import { allocate, Dense } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";
import { Sparse } from "../matrix/sparse.js";
import type { Scaling } from "./scaling.js";

/** Scales every sample to Euclidean length 1; a zero sample stays zero. The lengths are lost: `inverse` changes nothing. */
export const l2: Scaling = {
  least: {},
  transform: (X) => normalise(X),
  inverse: (Z) => Z,
};

/** Multiplies every feature by its factor (m, default 1), then scales every sample to length 1. */
export function normalise(X: Matrix, factors?: Float64Array): Matrix {
  const from = X.kind === "dense" ? X.data : X.values;
  const to = allocate(X.precision, from.length);
  const { samples, features } = X;
  const row = new Float64Array(features);
  for (let i = 0; i < samples; i++) {
    const start = X.kind === "dense" ? i * features : X.offsets[i];
    const length = X.kind === "dense" ? features : X.offsets[i + 1] - start;
    let largest = 0;
    for (let p = start; p < start + length; p++) {
      const size = Math.abs(from[p]);
      if (size > largest) largest = size;
    }
    if (largest === 0) continue;
    // Divided by the largest value first, so that no square overflows or underflows.
    for (let e = 0; e < length; e++) row[e] = from[start + e] / largest;
    if (factors) for (let e = 0; e < length; e++) row[e] *= factors[X.kind === "dense" ? e : X.indices[start + e]];
    let normSq = 0;
    for (let e = 0; e < length; e++) normSq += row[e] ** 2;
    const norm = Math.sqrt(normSq);
    for (let e = 0; e < length; e++) to[start + e] = row[e] / norm;
  }
  return X.kind === "dense"
    ? new Dense(samples, features, to)
    : Sparse.trust(samples, features, X.offsets, X.indices, to);
}
