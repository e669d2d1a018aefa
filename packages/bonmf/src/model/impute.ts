import type { Codes } from "../kernel/step.js";
import { Dense } from "../matrix/dense.js";
import { eachMissing, type Gaps, spread } from "../matrix/gaps.js";
import type { Matrix } from "../matrix/matrix.js";
import { lengthOf } from "./prototype-index.js";

/**
 * Scaled samples with their gaps filled by WH: a copy.
 *
 * @param W IN k × m
 * @param unit whether W approximates samples of length 1
 */
export function fillByCodes(Z: Matrix, gaps: Gaps, codes: Codes, W: Float64Array, unit: boolean): Dense {
  const { samples, features: m } = Z;
  const { k, labels, values } = codes;
  const dense = Z.toDense();
  const out = new Dense(samples, m, Z.kind === "dense" ? dense.data.slice() : dense.data);
  for (let i = 0; i < samples; i++) {
    const row = out.row(i);
    const length = unit ? lengthOf(row) : 1;
    eachMissing(gaps, i, (f) => {
      if (labels !== null) row[f] = length * W[labels[i] * m + f];
      else {
        let sum = 0;
        for (let r = 0; r < k; r++) sum += values![i * k + r] * W[r * m + f];
        row[f] = sum;
      }
    });
  }
  return out;
}

/**
 * A copy whose missing values are those of another matrix; known values stay to the bit.
 *
 * @param guess gives that matrix for the samples with NaN where a value is missing; null: none is
 */
export function fillGaps(X: Matrix, guess: (raw: Dense) => Dense | null): Dense {
  const raw = X.kind === "sparse" ? spread(X) : X;
  const out = new Dense(raw.samples, raw.features, raw.data.slice());
  const guessed = guess(raw);
  if (guessed === null) return out;
  for (let p = 0; p < out.data.length; p++) if (Number.isNaN(out.data[p])) out.data[p] = guessed.data[p];
  return out;
}
