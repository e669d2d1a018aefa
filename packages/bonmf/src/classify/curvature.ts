import { findProbabilities } from "../kernel/encode.js";
import { sumScatter, sumSquares } from "../kernel/scatter.js";
import { factorize, solveLower, solveUpper } from "../matrix/cholesky.js";
import type { Matrix } from "../matrix/matrix.js";
import { type Axes, divideAlong } from "./axes.js";
import type { Curvature } from "./lbfgs.js";
import type { Logistic } from "./logistic.js";

/**
 * The curvature of the mean loss of logistic regression, (Σ ω p (1 − p) x xᵀ + λ) / Σ ω for each score, from some of the samples. Where
 * it is cheap, it halves the number of sweeps or better. It changes which way the search goes, not where it ends.
 */

/** Samples that are asked: for each feature, and at least. */
const EACH = 32;
const LEAST = 2000;
/** About as many sweeps are saved. */
const SAVED = 20;

/** Whether the curvature costs fewer multiplications than the sweeps it saves. Dense or sparse, the answer is the same. */
export function isCurvatureCheap(Z: Matrix, nonZeros: number): boolean {
  const m = Z.features + 1;
  const each = nonZeros / Z.samples + 1;
  const asked = Math.min(Z.samples, Math.max(LEAST, EACH * m));
  return asked * each * each + (m * m * m) / 3 < SAVED * 4 * Z.samples * each;
}

/**
 * What the search begins with: square roots of the curvature of each coefficient where nothing is known of a sample but how large the
 * classes are. Dividing by the curvature itself would go too far where features speak of the same: axes tell of that.
 *
 * @param weights IN n weights; null: 1 each
 * @param sizes IN the weight of each class
 * @param axes IN those of the samples; null: features are taken one by one
 */
export function guessCurvature(
  Z: Matrix,
  weights: Float64Array | null,
  sizes: Float64Array,
  axes: Axes | null = null,
): (penalty: number) => Curvature {
  const m = Z.features;
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const shares = Array.from(sizes.length === 2 ? sizes.subarray(1) : sizes, (size) => {
    const share = Math.max(0.5, size) / Math.max(1, total);
    return share * Math.max(0.5 / Math.max(1, total), 1 - share);
  });
  let squares: Float64Array | null = null;
  return (penalty) => {
    squares ??= sumSquares(Z, weights);
    const own = squares;
    const meanSquare = own.reduce((sum, square) => sum + square / m, 0);
    const roots = new Float64Array(shares.length * (m + 1));
    shares.forEach((share, c) => {
      for (let f = 0; f < m; f++) roots[c * m + f] = Math.sqrt((share * own[f] + penalty) / total);
      roots[shares.length * m + c] = Math.sqrt(share);
    });
    const halves = axes && roots.map(Math.sqrt);
    return {
      divide(gradient) {
        if (axes === null || halves === null) {
          for (let p = 0; p < gradient.length; p++) gradient[p] /= roots[p];
          return;
        }
        // Half of it before and half after: what divides stays symmetric.
        for (let p = 0; p < gradient.length; p++) gradient[p] /= halves[p];
        for (let c = 0; c < shares.length; c++) {
          const even = penalty / (shares[c] * meanSquare + penalty);
          gradient[shares.length * m + c] *= divideAlong(axes, gradient.subarray(c * m, (c + 1) * m), even);
        }
        for (let p = 0; p < gradient.length; p++) gradient[p] /= halves[p];
      },
    };
  };
}

/** @param weights IN n weights; null: 1 each */
export function measureCurvature(
  Z: Matrix,
  weights: Float64Array | null,
  { W, bias }: Logistic,
  penalty: number,
): Curvature {
  const m = Z.features;
  const r = bias.length;
  const wide = m + 1;
  const weight = weights === null ? Z.samples : weights.reduce((sum, w) => sum + w, 0);
  const { X, P, worth } = chooseDoubtful(Z, weights, { W, bias }, Math.max(LEAST, EACH * wide));
  const factors = Array.from({ length: r }, (_, c) => {
    const H = sumScatter(
      X,
      worth.map((one, s) => one * P[s * r + c] * (1 - P[s * r + c])),
    );
    for (let f = 0; f < m; f++) H[f * wide + f] += penalty;
    // The intercept has no penalty: where all samples are sure, nothing else would be left.
    H[m * wide + m] += TINY * weight;
    return factorize(H, wide);
  });
  return {
    divide(gradient) {
      const row = new Float64Array(wide);
      factors.forEach((factor, c) => {
        row.set(gradient.subarray(c * m, (c + 1) * m));
        row[m] = gradient[r * m + c];
        solveLower(factor, wide, row);
        solveUpper(factor, wide, row);
        for (let f = 0; f < m; f++) gradient[c * m + f] = row[f] * weight;
        gradient[r * m + c] = row[m] * weight;
      });
    },
  };
}

const TINY = 1e-9;
/** Samples that are asked how sure the model is of them, for each that is chosen. */
const ASKED = 8;

/**
 * About `count` samples, chosen more often where the model is in doubt: they are what bends the loss. Of each, the probabilities, and
 * how much weight of samples it stands for.
 */
function chooseDoubtful(
  Z: Matrix,
  weights: Float64Array | null,
  { W, bias }: Logistic,
  count: number,
): { X: Matrix; P: Float64Array; worth: Float64Array } {
  const r = bias.length;
  const n = Math.min(Z.samples, ASKED * count);
  const each = Z.samples / n;
  const asked = new Uint32Array(n);
  const worth = new Float64Array(n).fill(each);
  for (let s = 0; s < n; s++) {
    asked[s] = Math.floor(s * each);
    if (weights !== null) worth[s] *= weights[asked[s]];
  }
  const X = n < Z.samples ? (Z.take(asked) as Matrix) : Z;
  const P = findProbabilities(X, W, bias);
  if (n <= count) return { X, P, worth };
  const doubts = new Float64Array(n);
  for (let s = 0, p = 0; s < n; s++) for (const end = p + r; p < end; p++) doubts[s] += worth[s] * P[p] * (1 - P[p]);
  const all = doubts.reduce((sum, doubt) => sum + doubt, 0);
  const ids: number[] = [];
  let passed = 0.5;
  for (let s = 0; s < n; s++) {
    const share = Math.min(1, (count * doubts[s]) / all);
    passed += share;
    if (!(passed >= 1)) continue;
    passed -= 1;
    worth[s] /= share;
    ids.push(s);
  }
  return {
    X: X.take(ids) as Matrix,
    P: Float64Array.from({ length: ids.length * r }, (_, p) => P[ids[Math.floor(p / r)] * r + (p % r)]),
    worth: Float64Array.from(ids, (s) => worth[s]),
  };
}
