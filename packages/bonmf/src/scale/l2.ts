import { allocate, Dense, type Floats } from "../matrix/dense.js";
import { type Matrix, valuesOf } from "../matrix/matrix.js";
import { Sparse } from "../matrix/sparse.js";
import type { Scaling } from "./scaling.js";

/** Scales every sample to Euclidean length 1; a zero sample stays zero. The lengths are lost: `inverse` changes nothing. */
export const l2: Scaling = {
  least: {},
  transform: (X) => normalise(X),
  inverse: (Z) => Z,
};

/**
 * Multiplies every feature by its factor (m, default 1), then scales every sample to length 1.
 *
 * @param to OUT zeros, or the values of X, which then change
 */
export function normalise(X: Matrix, factors?: Float64Array, to: Floats = allocateLike(X)): Matrix {
  const { samples, features } = X;
  const sparse = X.kind === "sparse";
  const from = valuesOf(X);
  const row = new Float64Array(features);
  for (let i = 0; i < samples; i++) {
    const start = sparse ? X.offsets[i] : i * features;
    const length = sparse ? X.offsets[i + 1] - start : features;
    let largest = 0;
    for (let p = start; p < start + length; p++) {
      const size = Math.abs(from[p]);
      if (size > largest) largest = size;
    }
    if (largest === 0) continue;
    // Divided by the largest value first, so that no square overflows or underflows.
    for (let e = 0; e < length; e++) row[e] = from[start + e] / largest;
    if (factors) multiply(row, factors, length, sparse ? X.indices : null, start);
    let normSq = 0;
    for (let e = 0; e < length; e++) normSq += row[e] * row[e];
    const norm = Math.sqrt(normSq);
    for (let e = 0; e < length; e++) to[start + e] = row[e] / norm;
  }
  return X.kind === "dense"
    ? new Dense(samples, features, to)
    : Sparse.trust(samples, features, X.offsets, X.indices, to);
}

function allocateLike(X: Matrix): Floats {
  return allocate(X.precision, valuesOf(X).length);
}

/** @param indices the feature of each value, from `start` on; null: the features in order */
function multiply(
  row: Float64Array,
  factors: Float64Array,
  length: number,
  indices: Uint32Array | null,
  start: number,
): void {
  if (indices === null) for (let e = 0; e < length; e++) row[e] *= factors[e];
  else for (let e = 0; e < length; e++) row[e] *= factors[indices[start + e]];
}
