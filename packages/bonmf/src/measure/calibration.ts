import { OptionError, quote } from "../errors.js";
import type { Samples } from "../matrix/matrix.js";
import type { Label, Labels } from "./labels.js";
import { judge } from "./probabilities.js";

/** One bin of a reliability plot: the answers whose probability is above `from` and at most `to`. */
export interface ReliabilityBin {
  /** The lower limit, not included, except for 0. */
  from: number;
  /** The upper limit. */
  to: number;
  /** The number of answers. */
  count: number;
  /** The mean of their probabilities; null where there are none. */
  confidence: number | null;
  /** The share of them that is right; null where there are none. */
  accuracy: number | null;
}

/** How far probabilities can be taken at their word. */
export interface Calibration {
  /** The expected calibration error: the mean of |accuracy − confidence| over the bins, weighted by their counts. */
  error: number;
  /** Bins of equal width, from 0 to 1. */
  bins: ReliabilityBin[];
}

/**
 * The expected calibration error and the bins of a reliability plot. The answer is the class with the largest probability
 * (the first among equals), and that probability is its confidence. Of the answers given with 0.8, eight of ten should be
 * right.
 *
 * @param truth n labels
 * @param probabilities n × classes; each row adds up to 1
 * @param classes the class of each column
 * @param bins how many; default 15
 * @throws DataError when the lists differ in length, or a row is not a distribution
 *
 * @example
 * ```ts
 * import { calibration } from "bonmf";
 * const P = [[0.8, 0.2], [0.8, 0.2], [0.8, 0.2], [0.8, 0.2]];
 * const { error, bins } = calibration(["cat", "cat", "cat", "dog"], P, ["cat", "dog"], 5);
 * error; // → 0.05…
 * bins[3]; // → { from: 0.6, to: 0.8, count: 4, confidence: 0.8, accuracy: 0.75 }
 * ```
 */
export function calibration(truth: Labels, probabilities: Samples, classes: readonly Label[], bins = 15): Calibration {
  if (!Number.isInteger(bins) || bins < 1) {
    throw new OptionError("bins", bins, `bins must be a whole number of 1 or more, not ${quote(bins)}`);
  }
  const { samples, classes: width, P, codes } = judge(truth, probabilities, classes);
  const counts = new Float64Array(bins);
  const sums = new Float64Array(bins);
  const rights = new Float64Array(bins);
  for (let i = 0; i < samples; i++) {
    const row = P.subarray(i * width, (i + 1) * width);
    const confidence = Math.max(...row);
    const best = row.indexOf(confidence);
    const bin = findBin(confidence, bins);
    counts[bin]++;
    sums[bin] += confidence;
    if (best === codes[i]) rights[bin]++;
  }
  let error = 0;
  for (let b = 0; b < bins; b++) error += Math.abs(rights[b] - sums[b]) / samples;
  return {
    error,
    bins: Array.from(counts, (count, b) => ({
      from: b / bins,
      to: (b + 1) / bins,
      count,
      confidence: count === 0 ? null : sums[b] / count,
      accuracy: count === 0 ? null : rights[b] / count,
    })),
  };
}

/** The first bin whose upper limit is not below the value; a product would be rounded. */
function findBin(value: number, bins: number): number {
  let bin = 0;
  while (value > (bin + 1) / bins && bin < bins - 1) bin++;
  return bin;
}
