import type { Dense } from "../matrix/dense.js";
import { type Matrix, valuesOf } from "../matrix/matrix.js";
import type { Sparse } from "../matrix/sparse.js";
import { correlate } from "./simd/prototype-products.js";

/** Samples whose sum is added at a time; of dense ones the columns are held. No power of two, so that columns do not share cache lines. */
const BLOCK = 1000;

/**
 * Σ share · x xᵀ over samples with a 1 behind their last feature: (m + 1) × (m + 1), of which the lower half counts. Dense and sparse
 * samples have the same bits.
 *
 * @param shares IN n numbers, 0 or more
 */
export function sumScatter(X: Matrix, shares: Float64Array): Float64Array {
  const wide = X.features + 1;
  const sums = new Float64Array(wide * wide);
  const roots = shares.map(Math.sqrt);
  for (let first = 0; first < X.samples; first += BLOCK) {
    const last = Math.min(first + BLOCK, X.samples);
    const part = X.kind === "sparse" ? sumSparse(X, roots, first, last) : sumDense(X, roots, first, last);
    for (let p = 0; p < sums.length; p++) sums[p] += part[p];
  }
  return sums;
}

/** Σ share · x² over samples, m numbers; null: every share is 1. Dense and sparse samples have the same bits. */
export function sumSquares(X: Matrix, shares: Float64Array | null): Float64Array {
  const m = X.features;
  const sums = new Float64Array(m);
  const values = valuesOf(X);
  const indices = X.kind === "dense" ? null : X.indices;
  for (let i = 0, p = 0; i < X.samples; i++) {
    const share = shares === null ? 1 : shares[i];
    if (indices === null) {
      for (let f = 0; f < m; f++, p++) sums[f] += share * (values[p] * values[p]);
    } else {
      for (const end = (X as Sparse).offsets[i + 1]; p < end; p++) sums[indices[p]] += share * (values[p] * values[p]);
    }
  }
  return sums;
}

function sumSparse(X: Sparse, roots: Float64Array, first: number, last: number): Float64Array {
  const { features: m, offsets, indices, values } = X;
  const wide = m + 1;
  const sums = new Float64Array(wide * wide);
  const ones = m * wide;
  for (let i = first; i < last; i++) {
    const root = roots[i];
    const from = offsets[i];
    for (let p = from; p < offsets[i + 1]; p++) {
      const value = root * values[p];
      const row = indices[p] * wide;
      for (let q = from; q <= p; q++) sums[row + indices[q]] += value * (root * values[q]);
      sums[ones + indices[p]] += root * value;
    }
    sums[ones + m] += root * root;
  }
  return sums;
}

function sumDense({ features: m, data }: Dense, roots: Float64Array, first: number, last: number): Float64Array {
  const count = last - first;
  const columns = new Float64Array((m + 1) * count);
  for (let s = 0; s < count; s++) {
    const root = roots[first + s];
    for (let f = 0, p = (first + s) * m; f < m; f++, p++) columns[f * count + s] = root * data[p];
    columns[m * count + s] = root;
  }
  return correlate(columns, columns, m + 1);
}
