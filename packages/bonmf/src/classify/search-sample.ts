import { Random, STREAM } from "../random.js";
import { sizeClasses } from "./class-weights.js";

/** The share of the chosen samples that would be even: every class has at least that much of it, or all its samples. */
const EVEN = 0.2;

/** The numbers, rising, of about `count` samples: any. */
export function chooseAny(samples: number, count: number, seed: number): Uint32Array {
  return new Random(seed, STREAM.split).choose(samples, count).sort();
}

/**
 * The same with more of rare classes: where every class counts alike, a few samples of one would decide.
 *
 * @param y IN n class numbers
 */
export function chooseByClass(y: Uint32Array, classes: number, count: number, seed: number): Uint32Array {
  if (count === y.length) return chooseAny(y.length, count, seed);
  const sizes = sizeClasses(y, classes, null);
  const least = (EVEN * count) / classes;
  const isRare = sizes.map((size) => (size * count < least * y.length ? 1 : 0));
  const wanted = sizes.map((size) => Math.ceil(Math.min(size, least)));
  const sum = (of: (c: number) => number) => sizes.reduce((total, _, c) => total + of(c), 0);
  const share = (count - sum((c) => isRare[c] * wanted[c])) / sum((c) => (1 - isRare[c]) * sizes[c]);
  const left = sizes.map((size, c) => (isRare[c] ? wanted[c] : Math.max(1, Math.floor(size * share))));
  const order = new Random(seed, STREAM.split).permutation(y.length);
  return order.filter((i) => left[y[i]]-- > 0).sort();
}
