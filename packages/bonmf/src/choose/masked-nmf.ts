import type { Dense } from "../matrix/dense.js";

/**
 * Non-negative matrix factorisation of the known entries alone: Σ ω_i (x_if − Σ_j h_ji w_jf)² over the entries that are not
 * hidden, by hierarchical alternating least squares (Cichocki, Zdunek, Amari 2007; masked as in Gillis, Glineur 2011). The
 * products and the Gram matrix are those of all entries, hidden ones being 0; what a row hides is taken out of its own
 * Gram matrix, so that few hidden entries cost little.
 */

/** Rows of X or of its transpose: rows × columns, hidden entries 0. */
interface Side {
  readonly rows: number;
  readonly columns: number;
  readonly known: Float64Array;
  /** The hidden columns of row r: hidden[starts[r]] … hidden[starts[r + 1] − 1]. */
  readonly starts: Uint32Array;
  readonly hidden: Uint32Array;
}

/** Samples some of whose entries are hidden. */
export interface MaskedSamples {
  readonly samples: Side;
  readonly features: Side;
  /** Of the samples; null: all 1. */
  readonly weights: Float64Array | null;
}

export interface Factors {
  readonly k: number;
  /** k × n */
  readonly H: Float64Array;
  /** k × m */
  readonly W: Float64Array;
}

/** Steps on a row while its own Gram matrix is at hand. */
const INNER_STEPS = 2;
/** Of the whole: less of a component is known to a row than rounding leaves. */
const LEAST_SHARE = 1e-10;

/**
 * @param X n × m
 * @param isHidden tells it of an entry by its index in the data of X; its value is never used
 */
export function maskSamples(
  { samples: n, features: m, data }: Dense,
  weights: Float64Array | null,
  isHidden: (index: number) => boolean,
): MaskedSamples {
  const side = (rows: number, columns: number, indexOf: (r: number, c: number) => number): Side => {
    const known = new Float64Array(n * m);
    const starts = new Uint32Array(rows + 1);
    const hidden: number[] = [];
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < columns; c++) {
        const index = indexOf(r, c);
        if (isHidden(index)) hidden.push(c);
        else known[r * columns + c] = data[index];
      }
      starts[r + 1] = hidden.length;
    }
    return { rows, columns, known, starts, hidden: Uint32Array.from(hidden) };
  };
  return { samples: side(n, m, (i, f) => i * m + f), features: side(m, n, (f, i) => i * m + f), weights };
}

/**
 * One component more: what is above WH in the sample where that is most. Its codes are 0 until the next sweep.
 *
 * @param factors null: the first component, the mean of all samples
 */
export function growFactors({ samples, weights }: MaskedSamples, factors: Factors | null): Factors {
  const { rows: n, columns: m } = samples;
  const before = factors?.k ?? 0;
  const H = new Float64Array((before + 1) * n);
  const W = new Float64Array((before + 1) * m);
  const added = W.subarray(before * m);
  if (factors === null) {
    for (let i = 0; i < n; i++) {
      for (let f = 0; f < m; f++) added[f] += ((weights?.[i] ?? 1) * samples.known[i * m + f]) / n;
    }
    return { k: 1, H, W };
  }
  H.set(factors.H);
  W.set(factors.W);
  let most = 0;
  for (let i = 0; i < n; i++) {
    const above = findAbove(samples, factors, i);
    let squares = 0;
    for (const x of above) squares += x * x;
    if (squares <= most) continue;
    most = squares;
    added.set(above);
  }
  return { k: before + 1, H, W };
}

/** max(0, x − Wh) of a sample's known entries. */
function findAbove(
  { rows: n, columns: m, known, starts, hidden }: Side,
  { k, H, W }: Factors,
  i: number,
): Float64Array {
  const above = known.slice(i * m, (i + 1) * m);
  for (let j = 0; j < k; j++) {
    const code = H[j * n + i];
    if (code !== 0) for (let f = 0; f < m; f++) above[f] -= code * W[j * m + f];
  }
  for (let h = starts[i]; h < starts[i + 1]; h++) above[hidden[h]] = 0;
  return above.map((x) => Math.max(0, x));
}

/** One sweep: H, then W, each entry in turn its optimum. In place. */
export function sweepFactors({ samples, features, weights }: MaskedSamples, { k, H, W }: Factors): void {
  updateRows(samples, H, W, k, null);
  updateRows(features, W, H, k, weights);
}

/** Columns of `own` (k × rows), each the best for its row of X as far as that is known, given the other factor. */
function updateRows(
  { rows, columns, known, starts, hidden }: Side,
  own: Float64Array,
  other: Float64Array,
  k: number,
  weights: Float64Array | null,
): void {
  const weighted = weights === null ? other : other.map((value, p) => value * weights[p % columns]);
  const whole = new Float64Array(k * k);
  for (let a = 0; a < k; a++) multiply(weighted, other, a * columns, whole, a * k, a + 1, columns);
  const gram = new Float64Array(k * k);
  const product = new Float64Array(k);
  const code = new Float64Array(k);
  for (let r = 0; r < rows; r++) {
    multiply(weighted, known, r * columns, product, 0, k, columns);
    gram.set(whole);
    subtractHidden(gram, weighted, other, k, hidden.subarray(starts[r], starts[r + 1]));
    for (let j = 0; j < k; j++) code[j] = own[j * rows + r];
    for (let step = 0; step < INNER_STEPS; step++) descend(code, gram, whole, product);
    for (let j = 0; j < k; j++) own[j * rows + r] = code[j];
  }
}

/** Products of the first `count` rows of F with the row of X at `at`, into `out` from `to` on; four rows at a time. */
function multiply(
  F: Float64Array,
  X: Float64Array,
  at: number,
  out: Float64Array,
  to: number,
  count: number,
  length: number,
): void {
  let j = 0;
  for (; j + 4 <= count; j += 4) {
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    for (let c = 0, p = j * length, q = at; c < length; c++, p++, q++) {
      const x = X[q];
      s0 += x * F[p];
      s1 += x * F[p + length];
      s2 += x * F[p + 2 * length];
      s3 += x * F[p + 3 * length];
    }
    out[to + j] = s0;
    out[to + j + 1] = s1;
    out[to + j + 2] = s2;
    out[to + j + 3] = s3;
  }
  for (; j < count; j++) {
    let sum = 0;
    for (let c = 0, p = j * length, q = at; c < length; c++, p++, q++) sum += X[q] * F[p];
    out[to + j] = sum;
  }
}

/** Takes the hidden columns out of a Gram matrix whose lower triangle is kept. */
function subtractHidden(gram: Float64Array, A: Float64Array, B: Float64Array, k: number, hidden: Uint32Array): void {
  const length = A.length / k;
  for (let a = 0; a < k; a++) {
    for (let b = 0; b <= a; b++) {
      let sum = 0;
      for (let h = 0, p = a * length, q = b * length; h < hidden.length; h++)
        sum += A[p + hidden[h]] * B[q + hidden[h]];
      gram[a * k + b] -= sum;
    }
  }
}

/** Each entry in turn its optimum. */
function descend(code: Float64Array, gram: Float64Array, whole: Float64Array, product: Float64Array): void {
  const k = code.length;
  for (let j = 0; j < k; j++) {
    const diagonal = gram[j * k + j];
    let best = 0;
    if (diagonal > LEAST_SHARE * whole[j * k + j]) {
      let slope = product[j] + diagonal * code[j];
      for (let l = 0; l < j; l++) slope -= gram[j * k + l] * code[l];
      for (let l = j; l < k; l++) slope -= gram[l * k + j] * code[l];
      best = slope / diagonal;
    }
    code[j] = Math.max(0, best);
  }
}
