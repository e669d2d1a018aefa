import { DataError } from "../errors.js";
import type { Dense } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";

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
  if (W.features !== X.features || codes.features !== W.samples || codes.samples !== X.samples) {
    const shape = ({ samples, features }: Matrix) => `${samples} × ${features}`;
    throw new DataError(
      "shape",
      `X is ${shape(X)}, W ${shape(W)} and the codes ${shape(codes)}: they must be n × m, k × m and n × k`,
    );
  }
  const residual = new Float64Array(X.features);
  let errorSq = 0;
  let normSq = 0;
  for (let i = 0; i < X.samples; i++) {
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
