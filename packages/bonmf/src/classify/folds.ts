import { OptionError, quote } from "../errors.js";
import { encode, type Labels } from "../measure/labels.js";
import { wholeNumber } from "../model/options.js";
import { Random, STREAM } from "../random.js";

/** Sample numbers, rising, of two parts of the data. */
export interface Split {
  readonly train: Uint32Array;
  readonly test: Uint32Array;
}

/**
 * Cuts samples at random into a training part of `share` of them and a test part.
 *
 * @param samples how many there are; or their labels, and then every class has its share of both parts
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
    throw new OptionError("share", share, `share must lie between 0 and 1, not be ${quote(share)}`);
  }
  wholeNumber("seed", seed, 0);
  const cut = Math.min(count - 1, Math.max(1, Math.round(count * share)));
  if (typeof samples === "number") {
    const order = new Random(seed, STREAM.split).permutation(count);
    return { train: order.subarray(0, cut).slice().sort(), test: order.subarray(cut).slice().sort() };
  }
  // Of the samples in the order of their classes, evenly spaced ones are left out.
  const left = (place: number) => Math.round((place * (count - cut)) / count);
  const isLeftOut = (_: number, place: number) => left(place + 1) > left(place);
  const order = shuffleByClass(samples, seed);
  return {
    train: order.filter((i, place) => !isLeftOut(i, place)).sort(),
    test: order.filter(isLeftOut).sort(),
  };
}

/**
 * Cuts samples into `count` folds in which every class has its share, and leaves each fold out once.
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
    throw new OptionError("folds", count, `${count} folds need as many samples, but there are ${labels.length}`);
  }
  wholeNumber("seed", seed, 0);
  const fold = new Uint32Array(labels.length);
  // Dealt out like cards.
  shuffleByClass(labels, seed).forEach((i, dealt) => {
    fold[i] = dealt % count;
  });
  const all = Uint32Array.from(fold, (_, i) => i);
  return Array.from({ length: count }, (_, f) => ({
    train: all.filter((i) => fold[i] !== f),
    test: all.filter((i) => fold[i] === f),
  }));
}

/** Sample numbers class after class, shuffled within each. */
function shuffleByClass(labels: Labels, seed: number): Uint32Array {
  const { codes } = encode(labels);
  const order = Array.from(new Random(seed, STREAM.split).permutation(labels.length));
  return Uint32Array.from(order.sort((a, b) => codes[a] - codes[b]));
}
