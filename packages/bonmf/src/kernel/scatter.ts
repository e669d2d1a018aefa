import type { Dense } from "../matrix/dense.js";
import { countNonZeros, type Matrix, valuesOf } from "../matrix/matrix.js";
import { Sparse } from "../matrix/sparse.js";
import { chooseStorage } from "./choose.js";
import { correlate } from "./simd/prototype-products.js";

/** Samples whose columns are held at a time. No power of two, so that columns do not share cache lines. */
const BLOCK = 1000;

/** Whether samples with so many values that are not 0 are best stored without the others, however they are given. */
export function isMostlyZero({ samples, features }: Matrix, nonZeros: number): boolean {
  return chooseStorage("dense", "f32", features, nonZeros / (samples * features)).value === "CSR";
}

/**
 * Σ share · x xᵀ over samples with a 1 behind their last feature: (m + 1) × (m + 1), of which the lower half counts. Dense and sparse
 * samples have the same bits.
 *
 * @param shares IN n numbers, 0 or more
 */
export function sumScatter(X: Matrix, shares: Float64Array): Float64Array {
  if (isMostlyZero(X, countNonZeros(X))) return sumSparse(X.kind === "sparse" ? X : Sparse.fromDense(X), shares);
  const sums = new Float64Array((X.features + 1) ** 2);
  const roots = shares.map(Math.sqrt);
  for (let first = 0; first < X.samples; first += BLOCK) {
    const part = X.slice(first, Math.min(first + BLOCK, X.samples)).toDense();
    const products = multiplyColumns(part, roots.subarray(first, first + BLOCK));
    for (let p = 0; p < sums.length; p++) sums[p] += products[p];
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

function sumSparse({ samples, features: m, offsets, indices, values }: Sparse, shares: Float64Array): Float64Array {
  const wide = m + 1;
  const sums = new Float64Array(wide * wide);
  const ones = m * wide;
  for (let i = 0; i < samples; i++) {
    const from = offsets[i];
    for (let p = from; p < offsets[i + 1]; p++) {
      const value = shares[i] * values[p];
      const row = indices[p] * wide;
      for (let q = from; q <= p; q++) sums[row + indices[q]] += value * values[q];
      sums[ones + indices[p]] += value;
    }
    sums[ones + m] += shares[i];
  }
  return sums;
}

function multiplyColumns({ samples: n, features: m, data }: Dense, roots: Float64Array): Float64Array {
  const columns = new Float64Array((m + 1) * n);
  for (let i = 0, p = 0; i < n; i++) {
    for (let f = 0; f < m; f++, p++) columns[f * n + i] = roots[i] * data[p];
    columns[m * n + i] = roots[i];
  }
  return correlate(columns, columns, m + 1);
}
