/**
 * Exact sums. A term is rounded to a grid so coarse that no sum of terms can need more than 53 bits, and so fine that the
 * rounding is below 2⁻⁵² of the largest possible sum. Sums of grid points are exact in any order: the same bits however
 * samples are divided, and a sample that moves can be taken out of one sum and put into another without any drift.
 */

const view = new DataView(new ArrayBuffer(8));

/** The smallest power of two that is at least x, for positive finite x. */
export function powerAbove(x: number): number {
  view.setFloat64(0, x);
  const high = view.getUint32(0);
  view.setUint32(0, high & 0x7ff00000);
  view.setUint32(4, 0);
  const floor = view.getFloat64(0);
  return floor < x ? 2 * floor : floor;
}

/** A number c such that (t + c) − c rounds t to the grid for sums of at most `largest`. */
export function gridFor(largest: number): number {
  return largest > 0 ? 1.5 * powerAbove(largest) : 0;
}
