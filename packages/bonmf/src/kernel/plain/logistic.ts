import { exp } from "../../exp.js";

/**
 * Turns the scores of one sample into the errors of its probabilities, p − y, in place. One score stands for two classes:
 * that of the second against the first.
 *
 * @param scores IN/OUT k numbers from `base` on: ⟨x, w_j⟩, then p_j − y_j
 * @param bias IN k intercepts
 * @param label IN the sample's class
 * @param total OUT its one entry is Σ exp(score − the largest score)
 * @returns the largest score less that of the class; the log loss is this + ln(total)
 */
export function findErrors(
  scores: Float64Array,
  base: number,
  k: number,
  bias: Float64Array,
  label: number,
  total: Float64Array,
): number {
  if (k === 1) {
    const score = scores[base] + bias[0];
    const small = exp(-Math.abs(score));
    const p = (score < 0 ? small : 1) / (1 + small);
    scores[base] = p - label;
    total[0] = 1 + small;
    return Math.max(0, score) - label * score;
  }
  let most = Number.NEGATIVE_INFINITY;
  for (let r = 0; r < k; r++) {
    scores[base + r] += bias[r];
    if (scores[base + r] > most) most = scores[base + r];
  }
  const own = scores[base + label];
  let sum = 0;
  for (let r = 0; r < k; r++) sum += scores[base + r] = exp(scores[base + r] - most);
  for (let r = 0; r < k; r++) scores[base + r] /= sum;
  scores[base + label] -= 1;
  total[0] = sum;
  return most - own;
}
