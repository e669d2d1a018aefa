import type { Floats } from "../../matrix/dense.js";
import type { Matrix } from "../../matrix/matrix.js";
import type { PreparedPrototypes } from "../prepared-prototypes.js";

/**
 * All that a sweep does with the elements of X. Each product is summed feature after feature into one accumulator, so
 * dense and sparse data give the same bits (a zero adds nothing).
 */
export interface Rows {
  /** out[j] = ⟨x_i, w_j⟩ for the first k rows of W (k × m). */
  dots(i: number, W: Float64Array, k: number, out: Float64Array): void;
  /** ⟨x_i, w_j⟩ for one row j of W. */
  dot(i: number, W: Float64Array, j: number): number;
  /**
   * out[j] = bias_j + ⟨x_i, p_j⟩ for every prepared prototype, in the precision of the samples: with 32-bit samples every
   * product and every sum is rounded to 32 bits, as the SIMD kernels do.
   */
  scores(i: number, prepared: PreparedPrototypes, out: Float64Array): void;
  /** Row j of S (k × m) += scale · x_i; in 32 bits, product and sum, where S has them. */
  add(i: number, scale: number, S: Floats, j: number): void;
  /** Row j of S += scale · x_i, each term rounded to its feature's grid (kernel/sums). */
  addExact(i: number, scale: number, S: Float64Array, j: number, grid: Float64Array): void;
  /** most[f] = max(most[f], |x_i[f]|); returns whether a value is negative. */
  raise(i: number, most: Float64Array): boolean;
  /** The features that are not 0, in order. */
  each(i: number, use: (f: number, x: number) => void): void;
  /** ‖x_i‖², summed in four interleaved parts by feature number modulo 4. */
  normSq(i: number): number;
  /** The sum of the values, likewise. */
  sum(i: number): number;
}

export function rowsOf(X: Matrix): Rows {
  return X.kind === "dense" ? denseRows(X.data, X.features) : sparseRows(X.offsets, X.indices, X.values, X.features);
}

/** Puts sample i, zeros and all, at place `at` of an array. */
export function readRow(X: Matrix, i: number, out: Floats, at = 0): void {
  const { features } = X;
  if (X.kind === "dense") {
    const { data } = X;
    for (let f = 0, p = i * features; f < features; f++, p++) out[at + f] = data[p];
    return;
  }
  out.fill(0, at, at + features);
  for (let p = X.offsets[i], end = X.offsets[i + 1]; p < end; p++) out[at + X.indices[p]] = X.values[p];
}

/** Whether sums are rounded to 32 bits. A flag, since V8 inlines `Math.fround` but calls a function that may be either. */
function isFloat32(values: Floats): boolean {
  return values instanceof Float32Array;
}

function denseRows(data: Floats, m: number): Rows {
  const float32 = isFloat32(data);
  const dot = (i: number, W: Float64Array, j: number) => {
    let sum = 0;
    for (let p = i * m, q = j * m, end = p + m; p < end; p++, q++) sum += data[p] * W[q];
    return sum;
  };
  const quarters = (i: number, term: (x: number) => number) => {
    const parts = [0, 0, 0, 0];
    for (let f = 0, p = i * m; f < m; f++, p++) parts[f & 3] += term(data[p]);
    return parts[0] + parts[1] + (parts[2] + parts[3]);
  };
  return {
    dot,
    dots(i, W, k, out) {
      for (let j = 0; j < k; j++) out[j] = dot(i, W, j);
    },
    scores(i, { rows, bias }, out) {
      for (let j = 0; j < bias.length; j++) {
        let sum = bias[j];
        for (let p = i * m, q = j * m, end = p + m; p < end; p++, q++) {
          const term = data[p] * rows[q];
          sum = float32 ? Math.fround(sum + Math.fround(term)) : sum + term;
        }
        out[j] = sum;
      }
    },
    add(i, scale, S, j) {
      const float32 = isFloat32(S);
      for (let p = i * m, q = j * m, end = p + m; p < end; p++, q++) {
        const term = scale * data[p];
        S[q] += float32 ? Math.fround(term) : term;
      }
    },
    addExact(i, scale, S, j, grid) {
      for (let f = 0, p = i * m, q = j * m; f < m; f++, p++, q++) S[q] += scale * data[p] + grid[f] - grid[f];
    },
    raise(i, most) {
      let negative = false;
      for (let f = 0, p = i * m; f < m; f++, p++) {
        most[f] = Math.max(most[f], Math.abs(data[p]));
        if (data[p] < 0) negative = true;
      }
      return negative;
    },
    each(i, use) {
      for (let f = 0, p = i * m; f < m; f++, p++) if (data[p] !== 0) use(f, data[p]);
    },
    normSq: (i) => quarters(i, (x) => x * x),
    sum: (i) => quarters(i, (x) => x),
  };
}

function sparseRows(offsets: Uint32Array, indices: Uint32Array, values: Floats, m: number): Rows {
  const float32 = isFloat32(values);
  const dot = (i: number, W: Float64Array, j: number) => {
    const base = j * m;
    let sum = 0;
    for (let p = offsets[i], end = offsets[i + 1]; p < end; p++) sum += values[p] * W[base + indices[p]];
    return sum;
  };
  const quarters = (i: number, term: (x: number) => number) => {
    const parts = [0, 0, 0, 0];
    for (let p = offsets[i], end = offsets[i + 1]; p < end; p++) parts[indices[p] & 3] += term(values[p]);
    return parts[0] + parts[1] + (parts[2] + parts[3]);
  };
  return {
    dot,
    dots(i, W, k, out) {
      for (let j = 0; j < k; j++) out[j] = dot(i, W, j);
    },
    scores(i, { rows, bias }, out) {
      for (let j = 0; j < bias.length; j++) {
        const base = j * m;
        let sum = bias[j];
        for (let p = offsets[i], end = offsets[i + 1]; p < end; p++) {
          const term = values[p] * rows[base + indices[p]];
          sum = float32 ? Math.fround(sum + Math.fround(term)) : sum + term;
        }
        out[j] = sum;
      }
    },
    add(i, scale, S, j) {
      const base = j * m;
      const float32 = isFloat32(S);
      for (let p = offsets[i], end = offsets[i + 1]; p < end; p++) {
        const term = scale * values[p];
        S[base + indices[p]] += float32 ? Math.fround(term) : term;
      }
    },
    addExact(i, scale, S, j, grid) {
      const base = j * m;
      for (let p = offsets[i], end = offsets[i + 1]; p < end; p++) {
        const f = indices[p];
        S[base + f] += scale * values[p] + grid[f] - grid[f];
      }
    },
    raise(i, most) {
      let negative = false;
      for (let p = offsets[i], end = offsets[i + 1]; p < end; p++) {
        most[indices[p]] = Math.max(most[indices[p]], Math.abs(values[p]));
        if (values[p] < 0) negative = true;
      }
      return negative;
    },
    each(i, use) {
      for (let p = offsets[i], end = offsets[i + 1]; p < end; p++) if (values[p] !== 0) use(indices[p], values[p]);
    },
    normSq: (i) => quarters(i, (x) => x * x),
    sum: (i) => quarters(i, (x) => x),
  };
}
