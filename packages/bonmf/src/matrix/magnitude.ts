import { Dense, type Floats } from "./dense.js";
import { type Matrix, valuesOf } from "./matrix.js";
import { Sparse } from "./sparse.js";

/** Largest values within 2^±REACH can be squared twice and added up in 64 bits, and nothing overflows or vanishes. */
export const REACH = 100;

const view = new DataView(new ArrayBuffer(8));

/** The largest power of four that is at most x, for positive finite x; 2⁻¹⁰²² for the smallest numbers. */
function powerBelow(x: number): number {
  view.setFloat64(0, x);
  // The exponent of 1 is 1023: even powers have an odd one.
  const exponent = view.getUint32(0) >>> 20;
  view.setUint32(0, Math.max(1, exponent - ((exponent + 1) & 1)) << 20);
  view.setUint32(4, 0);
  return view.getFloat64(0);
}

/**
 * The power of two that brings the largest |value| to 1 … 4; 1 where all values are 0. A product with it is exact; its
 * exponent is even, so that square roots of products are too.
 */
export function factorFor(largest: number): number {
  return largest > 0 ? 1 / powerBelow(largest) : 1;
}

/** Where the largest |value| is among the stored values, and what it is; of equal ones the first. */
export function findLargest(X: Matrix): { readonly at: number; readonly largest: number } {
  const values = valuesOf(X);
  let at = 0;
  let largest = 0;
  for (let p = 0; p < values.length; p++) {
    const value = values[p] < 0 ? -values[p] : values[p];
    if (value > largest) {
      at = p;
      largest = value;
    }
  }
  return { at, largest };
}

/** The matrix times a power of two, or the matrix itself for 1. */
export function multiplyBy(X: Matrix, factor: number): Matrix {
  if (factor === 1) return X;
  const { samples, features } = X;
  const values = valuesOf(X).map((value) => value * factor) as Floats;
  return X.kind === "dense"
    ? new Dense(samples, features, values)
    : Sparse.trust(samples, features, X.offsets, X.indices, values);
}

/** The power of two for values that are to be squared: 1 for all but extreme ones. */
export function reachFactor(largest: number): number {
  return largest > 2 ** REACH || largest < 2 ** -REACH ? factorFor(largest) : 1;
}

/** The same samples, times a power of two where their values are extreme: for measures that do not depend on the unit. */
export function intoReach(X: Matrix): Matrix {
  return multiplyBy(X, reachFactor(findLargest(X).largest));
}
