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
  for (let i = 0; i < samples; i++) {
    const start = X.kind === "dense" ? i * features : X.offsets[i];
    const end = X.kind === "dense" ? start + features : X.offsets[i + 1];
    let largest = 0;
    for (let p = start; p < end; p++) largest = Math.max(largest, Math.abs(from[p]));
    if (largest === 0) continue;
    // Divided by the largest value first, so that no square overflows or underflows.
    const scaled = (p: number): number => {
      const value = from[p] / largest;
      return factors ? value * factors[X.kind === "dense" ? p - start : X.indices[p]] : value;
    };
    let normSq = 0;
    for (let p = start; p < end; p++) normSq += scaled(p) ** 2;
    const norm = Math.sqrt(normSq);
    for (let p = start; p < end; p++) to[p] = scaled(p) / norm;
  }
  return X.kind === "dense"
    ? new Dense(samples, features, to)
    : Sparse.trust(samples, features, X.offsets, X.indices, to);
}
