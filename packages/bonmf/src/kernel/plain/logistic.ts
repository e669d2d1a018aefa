import { exp } from "../../exp.js";
import { ln } from "../../random.js";
import type { Labels } from "../step.js";
import { MOST_FACTOR, type Sums } from "../sums.js";

/** The errors of some samples. */
export interface Errors {
  /** count × k: p − y. */
  readonly errors: Float64Array;
  /** The log loss of a sample is its lag + ln(its total). */
  readonly lags: Float64Array;
  readonly totals: Float64Array;
}

/** @param scores IN/OUT count × k: scores, then errors */
export function findAllErrors(scores: Float64Array, k: number, bias: Float64Array, labels: Labels): Errors {
  const lags = new Float64Array(labels.length);
  const totals = new Float64Array(labels.length);
  const total = new Float64Array(1);
  for (let i = 0, base = 0; i < labels.length; i++, base += k) {
    lags[i] = findErrors(scores, base, k, bias, labels[i], total);
    totals[i] = total[0];
  }
  return { errors: scores, lags, totals };
}

/**
 * Adds the log losses of samples and their errors to the sums; errors are multiplied by the weights, in place.
 *
 * @param weights IN one for each sample; null: 1
 */
export function sumErrors({ errors, lags, totals }: Errors, weights: Float64Array | null, sums: Sums): void {
  const n = lags.length;
  const k = errors.length / n;
  // Fields of an object would be written for every sample.
  let { loss, factor } = sums;
  for (let i = 0; i < n; i++) {
    const own = weights === null ? 1 : weights[i];
    loss += own * lags[i];
    if (own !== 1) loss += own * ln(totals[i]);
    else factor *= totals[i];
    if (factor > MOST_FACTOR) {
      loss += ln(factor);
      factor = 1;
    }
  }
  sums.loss = loss;
  sums.factor = factor;
  if (weights === null) sums.weight += n;
  else {
    for (let i = 0; i < n; i++) sums.weight += weights[i];
    for (let p = 0; p < errors.length; p++) errors[p] *= weights[Math.floor(p / k)];
  }
  for (let r = 0; r < k; r++) {
    let sum = sums.HHt[r];
    for (let p = r; p < errors.length; p += k) sum += errors[p];
    sums.HHt[r] = sum;
  }
}

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
