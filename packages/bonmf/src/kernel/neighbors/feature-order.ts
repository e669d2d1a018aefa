/** The most features that are laid out one by one. */
export const MOST_HEADS = 511;
/** The share of what members differ by that these features must tell. */
const SHARE = 0.8;

/** Which features tell the members of a cluster apart. */
export interface FeatureOrder {
  /** All m, those first that tell most. */
  readonly order: Uint32Array;
  /** How many of them tell enough. */
  readonly enough: number;
}

/**
 * @param sums IN/OUT m, the sums of some unit vectors; then their centre
 * @param squares IN m, the sums of their squares
 * @param looks how many vectors there are
 */
export function orderFeatures(sums: Float64Array, squares: Float64Array, looks: number): FeatureOrder {
  const m = sums.length;
  const share = 1 / Math.max(1, looks);
  const spreads = new Float64Array(m);
  // Sorted as numbers: how little a feature differs, in units of 2⁻³², and in the last 20 bits which one it is.
  const keys = new Float64Array(m);
  let all = 0;
  for (let f = 0; f < m; f++) {
    sums[f] *= share;
    spreads[f] = Math.min(1, Math.max(0, squares[f] * share - sums[f] * sums[f]));
    all += spreads[f];
    keys[f] = Math.floor((1 - spreads[f]) * 2 ** 32) * 2 ** 20 + f;
  }
  keys.sort();
  const order = new Uint32Array(m);
  for (let q = 0; q < m; q++) order[q] = keys[q] % 2 ** 20;
  let enough = 0;
  for (let told = 0; enough < m && told < SHARE * all; enough++) told += spreads[order[enough]];
  return { order, enough };
}

/**
 * How many of m features are laid out one by one: an odd number, so that with the length of the rest it is even, or all.
 *
 * @param enough how many there ought to be
 */
export function countHeads(m: number, enough: number): number {
  const odd = Math.min(MOST_HEADS, 2 * Math.ceil(Math.max(1.25 * Math.sqrt(m), enough / 2)) - 1);
  return odd + 1 >= m ? m : odd;
}
