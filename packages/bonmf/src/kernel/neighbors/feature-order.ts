import { MOST_LEADING } from "./screen-struct.js";

/** The share of the variance that the leading features must cover. */
const SHARE = 0.8;

/** The features of a cluster by falling variance. */
export interface FeatureOrder {
  /** All m. */
  readonly order: Uint32Array;
  /** How many of them cover `SHARE` of the variance. */
  readonly enough: number;
}

/**
 * @param sums IN/OUT m, the sums of some unit vectors; OUT their mean
 * @param squares IN m, the sums of their squares
 * @param count how many vectors there are
 */
export function orderFeatures(sums: Float64Array, squares: Float64Array, count: number): FeatureOrder {
  const m = sums.length;
  const share = 1 / Math.max(1, count);
  const variances = new Float64Array(m);
  // Keys sort as numbers: 1 − variance in units of 2⁻³², and the feature's number in the last 20 bits.
  const keys = new Float64Array(m);
  let all = 0;
  for (let f = 0; f < m; f++) {
    sums[f] *= share;
    variances[f] = Math.min(1, Math.max(0, squares[f] * share - sums[f] * sums[f]));
    all += variances[f];
    keys[f] = Math.floor((1 - variances[f]) * 2 ** 32) * 2 ** 20 + f;
  }
  keys.sort();
  const order = new Uint32Array(m);
  for (let q = 0; q < m; q++) order[q] = keys[q] % 2 ** 20;
  let enough = 0;
  for (let covered = 0; enough < m && covered < SHARE * all; enough++) covered += variances[order[enough]];
  return { order, enough };
}

/**
 * How many of m features are stored one by one: all, or an odd number, which the length of the rest makes even.
 *
 * @param enough how many there should be
 */
export function countLeading(m: number, enough: number): number {
  const odd = Math.min(MOST_LEADING, 2 * Math.ceil(Math.max(1.25 * Math.sqrt(m), enough / 2)) - 1);
  return odd + 1 >= m ? m : odd;
}
