import { OptionError, quote } from "../errors.js";
import { encode, type Labels } from "../measure/labels.js";
import { wholeNumber } from "../model/options.js";
import { Random, STREAM } from "../random.js";

/** The numbers of the samples of two parts, each rising. */
export interface Split {
  /** The training part. */
  readonly train: Uint32Array;
  /** The test part. */
  readonly test: Uint32Array;
}

/**
 * Splits samples at random into a training part and a test part.
 *
 * @param samples the number of samples; or their labels, for a split that keeps the shares of the classes
 * @param share the share of the training part, between 0 and 1
 * @param seed the same seed gives the same split
 * @throws OptionError for a bad share, seed or number of samples
 *
 * @example
 * ```ts
 * import { holdout } from "bonmf";
 * const { train, test } = holdout(10, 0.8, 7);
 * [train.length, test.length]; // → [8, 2]
 * const labels = ["a", "a", "a", "a", "b", "b"];
 * Array.from(holdout(labels, 0.5, 7).test, (i) => labels[i]); // → ["a", "a", "b"]
 * ```
 */
export function holdout(samples: number | Labels, share = 0.8, seed = 0): Split {
  const count = typeof samples === "number" ? samples : samples.length;
  wholeNumber("samples", count, 2);
  if (!(share > 0 && share < 1)) {
    throw new OptionError("share", share, `share must be between 0 and 1, not ${quote(share)}`);
  }
  wholeNumber("seed", seed, 0);
  const cut = Math.min(count - 1, Math.max(1, Math.round(count * share)));
  if (typeof samples === "number") {
    const order = new Random(seed, STREAM.split).permutation(count);
    return { train: order.subarray(0, cut).slice().sort(), test: order.subarray(cut).slice().sort() };
  }
  // Test samples are evenly spaced among the samples sorted by class.
  const left = (place: number) => Math.round((place * (count - cut)) / count);
  const isLeftOut = (_: number, place: number) => left(place + 1) > left(place);
  const order = shuffleByClass(samples, seed);
  return {
    train: order.filter((i, place) => !isLeftOut(i, place)).sort(),
    test: order.filter(isLeftOut).sort(),
  };
}

/**
 * Splits samples into stratified folds for cross-validation. Each fold is the test part once.
 *
 * @param labels n labels; every fold keeps the shares of the classes
 * @param count the number of folds, from 2 to n
 * @param seed the same seed gives the same folds
 * @returns one split per fold
 * @throws OptionError for a bad number of folds or seed
 *
 * @example
 * ```ts
 * import { folds } from "bonmf";
 * folds(["a", "a", "b", "b"], 2, 1).map(({ test }) => test.length); // → [2, 2]
 * ```
 */
export function folds(labels: Labels, count = 5, seed = 0): Split[] {
  wholeNumber("folds", count, 2);
  if (count > labels.length) {
    throw new OptionError(
      "folds",
      count,
      `${count} folds need at least ${count} samples, but there are ${labels.length}`,
    );
  }
  wholeNumber("seed", seed, 0);
  const fold = new Uint32Array(labels.length);
  // Round robin.
  shuffleByClass(labels, seed).forEach((i, dealt) => {
    fold[i] = dealt % count;
  });
  const all = Uint32Array.from(fold, (_, i) => i);
  return Array.from({ length: count }, (_, f) => ({
    train: all.filter((i) => fold[i] !== f),
    test: all.filter((i) => fold[i] === f),
  }));
}

/** Sample numbers sorted by class, shuffled within each class. */
function shuffleByClass(labels: Labels, seed: number): Uint32Array {
  const { codes } = encode(labels);
  const order = Array.from(new Random(seed, STREAM.split).permutation(labels.length));
  return Uint32Array.from(order.sort((a, b) => codes[a] - codes[b]));
}
