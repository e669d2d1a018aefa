import type { Matrix } from "../matrix/matrix.js";

/**
 * All that a sweep does with the elements of X. Each product is summed feature after feature into one accumulator, so
 * dense and sparse data give the same bits (a zero adds nothing).
 */
export interface Rows {
  /** out[j] = ⟨x_i, w_j⟩ for the first k rows of W (k × m). */
  dots(i: number, W: Float64Array, k: number, out: Float64Array): void;
  /** ⟨x_i, w_j⟩ for one row j of W. */
  dot(i: number, W: Float64Array, j: number): number;
  /** Row j of S (k × m) += scale · x_i. */
  add(i: number, scale: number, S: Float64Array, j: number): void;
  normSq(i: number): number;
  sum(i: number): number;
}

export function rowsOf(X: Matrix): Rows {
  return X.kind === "dense" ? denseRows(X.data, X.features) : sparseRows(X.offsets, X.indices, X.values, X.features);
}

function denseRows(data: Float32Array | Float64Array, m: number): Rows {
  const dot = (i: number, W: Float64Array, j: number) => {
    let sum = 0;
    for (let p = i * m, q = j * m, end = p + m; p < end; p++, q++) sum += data[p] * W[q];
    return sum;
  };
  return {
    dot,
    dots(i, W, k, out) {
      for (let j = 0; j < k; j++) out[j] = dot(i, W, j);
    },
    add(i, scale, S, j) {
      for (let p = i * m, q = j * m, end = p + m; p < end; p++, q++) S[q] += scale * data[p];
    },
    normSq(i) {
      let sum = 0;
      for (let p = i * m, end = p + m; p < end; p++) sum += data[p] * data[p];
      return sum;
    },
    sum(i) {
      let sum = 0;
      for (let p = i * m, end = p + m; p < end; p++) sum += data[p];
      return sum;
    },
  };
}

function sparseRows(offsets: Uint32Array, indices: Uint32Array, values: Float32Array | Float64Array, m: number): Rows {
  const dot = (i: number, W: Float64Array, j: number) => {
    const base = j * m;
    let sum = 0;
    for (let p = offsets[i], end = offsets[i + 1]; p < end; p++) sum += values[p] * W[base + indices[p]];
    return sum;
  };
  return {
    dot,
    dots(i, W, k, out) {
      for (let j = 0; j < k; j++) out[j] = dot(i, W, j);
    },
    add(i, scale, S, j) {
      const base = j * m;
      for (let p = offsets[i], end = offsets[i + 1]; p < end; p++) S[base + indices[p]] += scale * values[p];
    },
    normSq(i) {
      let sum = 0;
      for (let p = offsets[i], end = offsets[i + 1]; p < end; p++) sum += values[p] * values[p];
      return sum;
    },
    sum(i) {
      let sum = 0;
      for (let p = offsets[i], end = offsets[i + 1]; p < end; p++) sum += values[p];
      return sum;
    },
  };
}
