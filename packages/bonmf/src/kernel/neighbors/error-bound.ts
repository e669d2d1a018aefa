/** Outside these lengths squares lose digits in float64, and the error bound does not hold. */
const SHORT = 1e-100;
const LONG = 1e100;

/** Whether the error bound holds for vectors of this length, which is not zero. */
export function isInRange(length: number): boolean {
  return length >= SHORT && length <= LONG;
}

/** The factor that scales a vector of this length to length 1; 0 for a zero vector. */
export function inverse(length: number): number {
  return length > 0 ? 1 / length : 0;
}

/** With more products in a sum the error bound would rule out too little. */
export const MOST_PRODUCTS = 2 ** 20;

/**
 * A sum of L products whose factors, products and partial sums are rounded to 32 bits is off by at most
 * (1 + 2⁻²⁴)^(L+2) − 1 of the sum of magnitudes, which for unit vectors is 1 or less. The rest covers the rounding of
 * limits and of float64.
 */
export function errorOf(products: number): number {
  return 1.1 * (products + 8) * 2 ** -24;
}

/** The most best scores a screen keeps: with more, comparing all of them takes longer than a search without a screen. */
export const MOST_BEST = 1024;
/** In place of a missing best score: less than any score. */
export const NONE = -4;
