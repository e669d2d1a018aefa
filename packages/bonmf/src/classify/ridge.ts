import { correlate } from "../kernel/simd/prototype-products.js";
import { factorize, solveLower, solveUpper } from "../matrix/cholesky.js";
import type { Dense } from "../matrix/dense.js";
import { type Logistic, scoreCount } from "./logistic.js";

/**
 * Ridge regression of the classes (each 1 or 0; of two, the second 1 and the first −1): one Cholesky factor of the features' Gram
 * matrix gives all coefficients, without any search. Answers are sharpened, so that their softmax is something like probabilities.
 */
export interface RidgeTask {
  /** n × m. */
  readonly features: Dense;
  /** n class numbers. */
  readonly y: Uint32Array;
  readonly classes: number;
  /** n weights; null: 1 each. */
  readonly weights: Float64Array | null;
}

/** The coefficients for each penalty λ of Σ ω‖t − Wx − b‖² + λ‖W‖²; intercepts are free. */
export function solveRidge(task: RidgeTask, penalties: readonly number[]): Logistic[] {
  const sums = sumProducts(task);
  return penalties.map((penalty) => solveFor(sums, penalty));
}

/** Centred sums over all samples. */
interface Products {
  /** m × m: Σ ω (x − x̄)(x − x̄)ᵀ. */
  readonly gram: Float64Array;
  /** r × m: Σ ω (t − t̄)(x − x̄)ᵀ. */
  readonly cross: Float64Array;
  /** m and r: x̄ and t̄. */
  readonly mean: Float64Array;
  readonly target: Float64Array;
  readonly weight: number;
}

/** Samples at a time: their columns are held. No power of two, so that columns do not share cache lines. */
const BLOCK = 1000;

function sumProducts({ features, y, classes, weights }: RidgeTask): Products {
  const { samples: n, features: m } = features;
  const r = scoreCount(classes);
  const mean = new Float64Array(m);
  const target = new Float64Array(r);
  let weight = 0;
  for (let i = 0; i < n; i++) {
    const w = weights ? weights[i] : 1;
    const row = features.row(i);
    for (let f = 0; f < m; f++) mean[f] += w * row[f];
    for (let c = 0; c < r; c++) target[c] += w * targetOf(y[i], c, r);
    weight += w;
  }
  for (let f = 0; f < m; f++) mean[f] /= weight;
  for (let c = 0; c < r; c++) target[c] /= weight;
  // Features and targets side by side: one product has both sums.
  const wide = m + r;
  const sums = new Float64Array(wide * wide);
  for (let first = 0; first < n; first += BLOCK) {
    const count = Math.min(BLOCK, n - first);
    const columns = new Float64Array(wide * count);
    for (let s = 0; s < count; s++) {
      const i = first + s;
      const root = weights ? Math.sqrt(weights[i]) : 1;
      const row = features.row(i);
      for (let f = 0, p = s; f < m; f++, p += count) columns[p] = root * (row[f] - mean[f]);
      for (let c = 0; c < r; c++) columns[(m + c) * count + s] = root * (targetOf(y[i], c, r) - target[c]);
    }
    const part = correlate(columns, columns, wide);
    for (let p = 0; p < sums.length; p++) sums[p] += part[p];
  }
  const gram = new Float64Array(m * m);
  const cross = new Float64Array(r * m);
  for (let f = 0; f < m; f++) gram.set(sums.subarray(f * wide, f * wide + m), f * m);
  for (let c = 0; c < r; c++) cross.set(sums.subarray((m + c) * wide, (m + c) * wide + m), c * m);
  return { gram, cross, mean, target, weight };
}

/** What score c of r is to be for a sample of class `label`. */
function targetOf(label: number, c: number, r: number): number {
  if (r === 1) return label === 1 ? 1 : -1;
  return label === c ? 1 : 0;
}

/** A softmax of answers between 0 and 1 would hardly tell classes apart. Calibration corrects it. */
const SHARPNESS = 10;
/** Rounding must not make the matrix indefinite. */
const LEAST = 1e-10;

function solveFor({ gram, cross, mean, target, weight }: Products, penalty: number): Logistic {
  const m = mean.length;
  const regular = gram.slice();
  for (let f = 0; f < m; f++) regular[f * m + f] += penalty + LEAST * weight;
  const factor = factorize(regular, m);
  const W = cross.slice();
  solveLower(factor, m, W);
  solveUpper(factor, m, W);
  const bias = target.map((t, c) => {
    let sum = t;
    for (let f = 0; f < m; f++) sum -= W[c * m + f] * mean[f];
    return sum;
  });
  return { W: W.map((w) => w * SHARPNESS), bias: bias.map((b) => b * SHARPNESS) };
}
