import { openDraw } from "./subsample.js";

/** Weights of samples, 0 or more; null: 1 each. */
export type Weights = ArrayLike<number> | null;

/**
 * Weights as numbers of samples: a weight of 2 counts as two samples. Where all are below ½ they are shares, and the largest
 * counts as one sample.
 */
export function countSamples(weights: ArrayLike<number>): Float64Array {
  let largest = 0;
  for (let i = 0; i < weights.length; i++) largest = Math.max(largest, weights[i]);
  const scale = largest > 0 && largest < 0.5 ? 1 / largest : 1;
  return Float64Array.from(weights, (weight) => scale * weight);
}

/** How many samples there are by weight. */
export function totalOf(counts: Float64Array): number {
  return Math.round(counts.reduce((sum, count) => sum + count, 0));
}

/** Rows, ascending: one seeded draw from each of `most` equal intervals of the weight. A sample may be drawn several times. */
export function drawByWeight(counts: Float64Array, seed: number, most: number): Uint32Array {
  const whole = counts.reduce((sum, count) => sum + count, 0);
  const draw = openDraw(seed);
  let row = 0;
  let until = counts[0];
  return Uint32Array.from({ length: most }, (_, p) => {
    const at = ((p + draw()) * whole) / most;
    while (at >= until && row < counts.length - 1) until += counts[++row];
    return row;
  });
}
