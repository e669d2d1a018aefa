import { DataError, OptionError, quote } from "../errors.js";
import { type Samples, toMatrix } from "../matrix/matrix.js";
import { checkLabel, checkLength, type Label, type Labels } from "./labels.js";

/** Probabilities of classes beside the true classes, checked. */
export interface Judged {
  readonly samples: number;
  readonly classes: number;
  /** samples × classes. */
  readonly P: Float64Array;
  /** The place of each true label among the classes; −1 where it is none of them. */
  readonly codes: Int32Array;
}

/** Sums of 32-bit numbers are off by less. */
const SLACK = 1e-5;

/** Checks that every row of P has one share for each class, and that the shares add up to 1. */
export function judge(truth: Labels, probabilities: Samples, classes: readonly Label[]): Judged {
  const matrix = toMatrix(probabilities, "f64");
  const { samples } = matrix;
  const places = new Map(classes.map((label, place) => [label, place]));
  if (classes.length === 0 || places.size !== classes.length) {
    throw new OptionError("classes", classes, "classes must be different labels, one for each column of probabilities");
  }
  if (matrix.features !== classes.length) {
    throw new DataError(
      "length",
      `there are ${classes.length} classes but ${matrix.features} probabilities for each sample: give one for each class`,
    );
  }
  if (samples === 0)
    throw new DataError("empty", "there are no probabilities to measure: at least one sample is needed");
  checkLength(truth, "label", samples);
  const P = new Float64Array(samples * classes.length);
  const codes = new Int32Array(samples);
  for (let i = 0; i < samples; i++) {
    const row = matrix.row(i);
    checkShares(row, i);
    P.set(row, i * classes.length);
    checkLabel(truth[i], i);
    codes[i] = places.get(truth[i]) ?? -1;
  }
  return { samples, classes: classes.length, P, codes };
}

function checkShares(row: ArrayLike<number>, sample: number): void {
  let sum = 0;
  for (let c = 0; c < row.length; c++) {
    if (!(row[c] >= 0)) {
      const message = `sample ${sample} has the probability ${quote(row[c])}: probabilities are numbers of 0 … 1`;
      throw new DataError("probability", message, { sample, feature: c, value: row[c] });
    }
    sum += row[c];
  }
  if (Math.abs(sum - 1) <= SLACK) return;
  const message = `the probabilities of sample ${sample} add up to ${sum}: they must add up to 1. Divide them by their sum`;
  throw new DataError("probability", message, { sample, value: sum });
}

/** A probability of 0 given to the true class counts as this: scikit-learn's limit, which keeps the loss finite. */
const LEAST = Number.EPSILON;

/**
 * The log loss (cross-entropy): the mean of −ln p, where p is the probability given to the true class. 0 is perfect;
 * confident mistakes cost most. A true label that is none of the classes has the probability 0, which counts as 2⁻⁵².
 *
 * @param truth n labels
 * @param probabilities n × classes; each row adds up to 1
 * @param classes the class of each column
 * @throws DataError when the lists differ in length, or a row is not a distribution
 *
 * @example
 * ```ts
 * import { logLoss } from "bonmf";
 * logLoss(["cat", "dog"], [[0.5, 0.5], [0.5, 0.5]], ["cat", "dog"]); // → 0.693…
 * logLoss(["cat", "dog"], [[0.9, 0.1], [0.2, 0.8]], ["cat", "dog"]); // → 0.164…
 * ```
 */
export function logLoss(truth: Labels, probabilities: Samples, classes: readonly Label[]): number {
  const { samples, codes, P, classes: width } = judge(truth, probabilities, classes);
  let sum = 0;
  for (let i = 0; i < samples; i++) sum -= Math.log(Math.max(LEAST, codes[i] < 0 ? 0 : P[i * width + codes[i]]));
  return sum / samples;
}

/**
 * The Brier score: the mean squared distance between the probabilities and the truth (1 for the true class, 0 for the
 * others). 0 is perfect. The worst is 2, and 1 for two classes, where the sum is halved: scikit-learn's convention.
 *
 * @param truth n labels
 * @param probabilities n × classes; each row adds up to 1
 * @param classes the class of each column
 * @throws DataError when the lists differ in length, or a row is not a distribution
 *
 * @example
 * ```ts
 * import { brierScore } from "bonmf";
 * brierScore(["cat", "dog"], [[1, 0], [0.5, 0.5]], ["cat", "dog"]); // → 0.125
 * brierScore(["cat"], [[0.5, 0.25, 0.25]], ["cat", "dog", "eel"]); // → 0.375
 * ```
 */
export function brierScore(truth: Labels, probabilities: Samples, classes: readonly Label[]): number {
  const { samples, codes, P, classes: width } = judge(truth, probabilities, classes);
  let sum = 0;
  for (let i = 0; i < samples; i++) {
    if (codes[i] < 0) sum += 1;
    for (let c = 0; c < width; c++) sum += (P[i * width + c] - (c === codes[i] ? 1 : 0)) ** 2;
  }
  return sum / samples / (width < 3 ? 2 : 1);
}
