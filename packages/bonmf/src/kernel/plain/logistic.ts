import { exp } from "../../exp.js";
import { ln } from "../../random.js";

/**
 * Turns the scores of one sample into the errors of its probabilities, p − y, in place. One score stands for two classes:
 * that of the second against the first.
 *
 * @param scores IN/OUT k numbers from `base` on: ⟨x, w_j⟩, then p_j − y_j
 * @param bias IN k intercepts
 * @param label IN the sample's class
 * @returns the log loss, −ln p of that class
 */
export function findErrors(scores: Float64Array, base: number, k: number, bias: Float64Array, label: number): number {
  if (k === 1) {
    const score = scores[base] + bias[0];
    const small = exp(-Math.abs(score));
    const p = (score < 0 ? small : 1) / (1 + small);
    scores[base] = p - label;
    return ln(1 + small) + Math.max(0, score) - label * score;
  }
  let most = Number.NEGATIVE_INFINITY;
  for (let r = 0; r < k; r++) {
    scores[base + r] += bias[r];
    if (scores[base + r] > most) most = scores[base + r];
  }
  const own = scores[base + label];
  let total = 0;
  for (let r = 0; r < k; r++) total += scores[base + r] = exp(scores[base + r] - most);
  for (let r = 0; r < k; r++) scores[base + r] /= total;
  scores[base + label] -= 1;
  return ln(total) + most - own;
}
