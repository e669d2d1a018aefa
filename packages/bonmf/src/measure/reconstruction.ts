import { DataError } from "../errors.js";
import type { Dense } from "../matrix/dense.js";
import { findLargest, intoReach, multiplyBy, reachFactor } from "../matrix/magnitude.js";
import { countValues, type Matrix } from "../matrix/matrix.js";
import { countTogether, finishSteps, type Steps } from "../steps.js";

/**
 * The relative Frobenius error ‖X − WH‖ / ‖X‖, computed from the residuals in 64 bits. For an all-zero X it is 0 if WH is
 * zero too, else Infinity.
 *
 * @param X n × m
 * @param W k × m, row j is prototype w_j
 * @param codes n × k, row i is h_i
 * @throws DataError when the three shapes do not match
 *
 * @example
 * ```ts
 * import { Dense, relativeError } from "bonmf";
 * const X = Dense.from([[3, 0], [0, 4]]);
 * const W = Dense.from([[3, 0], [0, 2]]);
 * relativeError(X, W, Dense.from([[1, 0], [0, 1]])); // → 0.4
 * relativeError(X, W, Dense.from([[1, 0], [0, 2]])); // → 0
 * ```
 */
export function relativeError(X: Matrix, W: Dense, codes: Matrix): number {
  return finishSteps(relativeErrorSteps(X, W, codes));
}

/** The same as {@link relativeError}, step by step, for callers that pause it. */
export function* relativeErrorSteps(X: Matrix, W: Dense, codes: Matrix): Steps<number> {
  if (W.features !== X.features || codes.features !== W.samples || codes.samples !== X.samples) {
    const shape = ({ samples, features }: Matrix) => `${samples} × ${features}`;
    throw new DataError(
      "shape",
      `X is ${shape(X)}, W ${shape(W)} and the codes ${shape(codes)}: they must be n × m, k × m and n × k`,
    );
  }
  const factor = reachFactor(findLargest(X).largest);
  if (factor !== 1) return yield* relativeErrorSteps(multiplyBy(X, factor), multiplyBy(W, factor).toDense(), codes);
  const together = countTogether(X.features * (1 + countValues(codes)));
  const residual = new Float64Array(X.features);
  let errorSq = 0;
  let normSq = 0;
  for (let i = 0; i < X.samples; i++) {
    if (i % together === 0) yield;
    residual.fill(0);
    X.each(i, (f, x) => {
      residual[f] = x;
      normSq += x * x;
    });
    codes.each(i, (j, h) => {
      if (h === 0) return;
      const w = W.row(j);
      for (let f = 0; f < w.length; f++) residual[f] -= h * w[f];
    });
    for (const r of residual) errorSq += r * r;
  }
  if (normSq === 0) return errorSq === 0 ? 0 : Number.POSITIVE_INFINITY;
  return Math.sqrt(errorSq / normSq);
}

/** The largest singular value is known well enough when a step adds less than this share. */
const SETTLED = 1e-9;
const MOST_STEPS = 30;

/**
 * The relative error ‖X − w hᵀ‖ / ‖X‖ of the best single prototype w: what is left without any clusters. 0 for an all-zero X.
 *
 * @param samples X, n × m
 * @param codes what h may be. "one": 1 for every sample, so that w is the mean; "real": any number, so that w is the leading
 * singular vector, found by power iteration from the mean on
 *
 * @example
 * ```ts
 * import { Dense, singlePrototypeError } from "bonmf";
 * const X = Dense.from([[3, 0], [6, 0], [0, 6]]);
 * singlePrototypeError(X, "one"); // → 0.72…
 * singlePrototypeError(X, "real"); // → 0.66…
 * singlePrototypeError(Dense.from([[1, 2], [2, 4]]), "real"); // → 0
 * ```
 */
export function singlePrototypeError(samples: Matrix, codes: "one" | "real"): number {
  return finishSteps(singlePrototypeSteps(samples, codes));
}

/** The same as {@link singlePrototypeError}, step by step, for callers that pause it. */
export function* singlePrototypeSteps(samples: Matrix, codes: "one" | "real"): Steps<number> {
  const X = intoReach(samples);
  const together = countTogether(1 + countValues(X));
  const h = new Float64Array(X.samples).fill(1);
  let normSq = 0;
  for (let i = 0; i < X.samples; i++) {
    if (i % together === 0) yield;
    normSq += multiplyRow(X, i, null);
  }
  let explained = 0;
  for (let step = 0; step < MOST_STEPS; step++) {
    const before = explained;
    // The best w for this h is Xh / ‖h‖², and explains ‖Xh‖² / ‖h‖².
    const Xh = new Float64Array(X.features);
    for (let i = 0; i < X.samples; i++) {
      if (i % together === 0) yield;
      X.each(i, (f, x) => {
        Xh[f] += h[i] * x;
      });
    }
    const hh = sumSquares(h);
    explained = hh > 0 ? sumSquares(Xh) / hh : 0;
    if (codes === "one" || !(explained > before * (1 + SETTLED))) break;
    const w = Xh.map((value) => value / hh);
    const ww = sumSquares(w);
    for (let i = 0; i < X.samples; i++) {
      if (i % together === 0) yield;
      h[i] = multiplyRow(X, i, w) / ww;
    }
  }
  return normSq > 0 ? Math.sqrt(Math.max(0, normSq - explained) / normSq) : 0;
}

/** ⟨x_i, w⟩, or ‖x_i‖² where w is null. */
function multiplyRow(X: Matrix, i: number, w: Float64Array | null): number {
  let sum = 0;
  X.each(i, (f, x) => {
    sum += x * (w === null ? x : w[f]);
  });
  return sum;
}

function sumSquares(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value * value;
  return sum;
}

/** A single prototype leaves less than rounding errors: the samples are all the same. */
const SAME = 1e-7;

/** The share of a single prototype's squared error that is gone; 0 where a single prototype leaves nothing. */
export function explainedShare(error: number, singleError: number): number {
  return singleError > SAME ? 1 - (error / singleError) ** 2 : 0;
}

/**
 * How far the rows of H are from orthogonal: ‖D⁻¹HHᵀD⁻¹ − I‖ / √(k(k − 1)) in the Frobenius norm, where D is the diagonal
 * of the row norms. This is the root mean square of the cosines between different rows: 0 for one-hot codes, 1 when all
 * rows are parallel. All-zero rows do not count; with fewer than two others the result is 0.
 *
 * @param codes n × k, the transpose of H
 *
 * @example
 * ```ts
 * import { Dense, orthogonalityDefect } from "bonmf";
 * orthogonalityDefect(Dense.from([[1, 0], [1, 0], [0, 1]])); // → 0
 * orthogonalityDefect(Dense.from([[1, 0], [1, 1], [0, 1]])); // → 0.5
 * orthogonalityDefect(Dense.from([[1, 2], [2, 4], [3, 6]])); // → 1
 * ```
 */
export function orthogonalityDefect(codes: Matrix): number {
  const k = codes.features;
  const HHt = new Float64Array(k * k);
  const places = new Uint32Array(k);
  const values = new Float64Array(k);
  for (let i = 0; i < codes.samples; i++) {
    let filled = 0;
    codes.each(i, (j, h) => {
      if (h === 0) return;
      places[filled] = j;
      values[filled++] = h;
    });
    for (let p = 0; p < filled; p++) {
      for (let q = 0; q <= p; q++) HHt[places[p] * k + places[q]] += values[p] * values[q];
    }
  }
  let live = 0;
  let cosinesSq = 0;
  for (let a = 0; a < k; a++) {
    if (HHt[a * k + a] === 0) continue;
    live++;
    for (let b = 0; b < a; b++) {
      const inner = HHt[a * k + b];
      if (inner !== 0) cosinesSq += ((inner / HHt[a * k + a]) * inner) / HHt[b * k + b];
    }
  }
  return live < 2 ? 0 : Math.sqrt((2 * cosinesSq) / (live * (live - 1)));
}
