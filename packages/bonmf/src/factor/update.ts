import type { Survey } from "../engine/survey.js";
import { correlate, cycleRows, multiplyGram } from "../kernel/simd/prototype-products.js";
import type { Sums } from "../kernel/sums.js";
import { rowLengths, rowProducts } from "../matrix/prototypes.js";
import { raiseDiagonal, type Weights } from "./penalty.js";

/** The W steps and the loss. W and XHt are k × m (prototype j contiguous); HHt is k × k, or its diagonal, k long. */

export function meanW(W: Float64Array, XHt: Float64Array, counts: Float64Array): Float64Array {
  return divideRows(W, XHt, counts);
}

const FREE: Weights = { l1: 0, l2: 0 };

/** Lee and Seung (2001): W ∘ (XHᵀ) ⊘ (WHHᵀ + l2·W + l1); what would be 0/0 becomes 0. */
export function multiplyW(
  W: Float64Array,
  XHt: Float64Array,
  HHt: Float64Array,
  k: number,
  { l1, l2 }: Weights = FREE,
): Float64Array {
  const m = W.length / k;
  const G = raiseDiagonal(HHt, k, l2);
  const out = G.length === k ? W.map((w, q) => w * G[Math.floor(q / m)]) : multiplyGram(W, G, k);
  for (let q = 0; q < out.length; q++) {
    const value = (W[q] * XHt[q]) / (out[q] + l1);
    out[q] = value - value === 0 ? value : 0;
  }
  return out;
}

/**
 * Lee and Seung (2001), for the Kullback–Leibler divergence: W ∘ ((X ⊘ WH)Hᵀ) ⊘ (1Hᵀ + l1), and with l2 as for H (kernel/plain/divide).
 *
 * @param QHt IN k × m: (X ⊘ WH)Hᵀ
 * @param codes IN k: the sums of H; of samples with gaps k × m, those of the samples that know each feature
 */
export function divideW(W: Float64Array, QHt: Float64Array, codes: Float64Array, { l1, l2 }: Weights): Float64Array {
  const alike = W.length / codes.length;
  return W.map((w, q) => {
    const above = w * QHt[q];
    const below = codes[Math.floor(q / alike)] + l1;
    const value = l2 > 0 ? (2 * above) / (below + Math.sqrt(below * below + 4 * l2 * above)) : above / below;
    return value - value === 0 ? value : 0;
  });
}

/** How far beyond the optimum of a column of H or Wᵀ, as a share of the way there: successive over-relaxation. */
const BEYOND = 0.8;
const MOST_SWEEPS = 10;

/**
 * How a column of H or Wᵀ is cycled through. As many times, at most, as cost about half of the column's products (Gillis and Glineur 2012):
 * a sweep takes k multiply-adds an entry, the products twice as many as there are values.
 *
 * @param values of the column's sample or feature, zeros left out
 */
export function cyclingFor(values: number, k: number): { readonly sweeps: number; readonly beyond: number } {
  return { sweeps: Math.min(MOST_SWEEPS, Math.max(1, Math.round(values / k))), beyond: BEYOND };
}

/** The same for the rows of W, whose columns are features. */
export function cyclingForW(W: Float64Array, k: number, { filled, weight }: Survey) {
  return cyclingFor((filled * weight * k) / W.length, k);
}

/**
 * Cichocki, Zdunek and Amari (2007); Ho (2008): each column of W in turn its non-negative optimum, several times, since XHᵀ and
 * HHᵀ are at hand (Gillis and Glineur 2012), and beyond where the loss of a feature allows. The loss never rises.
 */
export function cyclicW(
  W: Float64Array,
  XHt: Float64Array,
  HHt: Float64Array,
  k: number,
  cycling: ReturnType<typeof cyclingFor>,
  { l1, l2 }: Weights = FREE,
  in32Bits = false,
): Float64Array {
  return cycleRows(W, l1 > 0 ? XHt.map((sum) => sum - l1) : XHt, raiseDiagonal(HHt, k, l2), k, cycling, in32Bits);
}

/** Rows scaled to length 1; a zero row keeps the old prototype. */
export function unitW(W: Float64Array, XHt: Float64Array, k: number): Float64Array {
  return divideRows(W, XHt, rowLengths(XHt, k));
}

/** ‖X − WH‖² from the totals: ‖X‖² − 2⟨W, XHᵀ⟩ + ⟨WᵀW, HHᵀ⟩. */
export function lossOf(W: Float64Array, XHt: Float64Array, HHt: Float64Array, k: number, normSq: number): number {
  return Math.max(0, normSq + lossChange(W, XHt, HHt, k));
}

/** The same from the cross product ⟨X, WH⟩; of samples with gaps, over known entries. */
export function lossOfProducts(
  W: Float64Array,
  { cross, HHt, listedCodes, listedSquare, lacking }: Sums,
  k: number,
  normSq: number,
): number {
  const listed = listedCodes.length > 0;
  const square = listed && !lacking ? listedSquare : squareOf(W, HHt, k) - listedSquare;
  return Math.max(0, normSq + square - 2 * cross);
}

/** ‖X − WH‖² − ‖X‖². */
function lossChange(W: Float64Array, XHt: Float64Array, HHt: Float64Array, k: number): number {
  const cross = rowProducts(W, XHt, k).reduce((sum, product) => sum + product, 0);
  return squareOf(W, HHt, k) - 2 * cross;
}

/** ‖WH‖². */
function squareOf(W: Float64Array, HHt: Float64Array, k: number): number {
  const WtW = HHt.length === k ? rowProducts(W, W, k) : gramOnce(W, k);
  return WtW.reduce((sum, product, p) => sum + product * HHt[p], 0);
}

/**
 * ‖X − w hᵀ‖ / ‖X‖ of the best single prototype for plain labels, the mean of all samples. From the totals of any sweep: the
 * sums of the clusters add up to the sum of all samples.
 */
export function singleErrorOf({ XHt, HHt }: Sums, { normSq }: Survey): number {
  const k = HHt.length;
  const m = XHt.length / k;
  const total = new Float64Array(m);
  for (let p = 0; p < XHt.length; p++) total[p % m] += XHt[p];
  const weight = HHt.reduce((sum, count) => sum + count, 0);
  const explained = weight > 0 ? rowLengths(total, 1)[0] ** 2 / weight : 0;
  return errorOf(normSq - explained, normSq);
}

/** ‖X − WH‖ / ‖X‖ from their squares. */
export function errorOf(loss: number, normSq: number): number {
  return normSq > 0 ? Math.sqrt(Math.max(0, loss) / normSq) : 0;
}

/** Rows of XHt divided by a number each; where that is 0, the row of W. */
function divideRows(W: Float64Array, XHt: Float64Array, divisors: Float64Array): Float64Array {
  const m = W.length / divisors.length;
  const out = new Float64Array(W.length);
  for (let j = 0; j < divisors.length; j++) {
    const divisor = divisors[j];
    const from = j * m;
    if (divisor > 0) for (let q = from; q < from + m; q++) out[q] = XHt[q] / divisor;
    else out.set(W.subarray(from, from + m), from);
  }
  return out;
}

const grams = new WeakMap<Float64Array, Float64Array>();

/** WᵀW of prototypes that do not change any more; both the step and the loss need it. */
export function gramOnce(W: Float64Array, k: number): Float64Array {
  const known = grams.get(W) ?? correlate(W, W, k);
  grams.set(W, known);
  return known;
}
