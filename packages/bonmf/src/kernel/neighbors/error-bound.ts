/** Beyond these lengths squares lose digits in float64, and the error bound does not hold. */
const SHORT = 1e-100;
const LONG = 1e100;

/** Whether vectors of this length, which is not zero, can be sifted. */
export function isTame(length: number): boolean {
  return length >= SHORT && length <= LONG;
}

/** What makes a vector of this length a unit vector; a zero vector stays one. */
export function inverse(length: number): number {
  return length > 0 ? 1 / length : 0;
}

/** With more products in a sum the bound would not be worth its name. */
export const MOST_PRODUCTS = 2 ** 20;

/**
 * A sum of L products whose factors, products and partial sums are rounded to 32 bits is off by at most
 * (1 + 2⁻²⁴)^(L+2) − 1 of the sum of magnitudes, which for unit vectors is 1 or less. The rest is for the rounding of
 * limits and of float64.
 */
export function errorOf(products: number): number {
  return 1.1 * (products + 8) * 2 ** -24;
}

/** How many best scores there may be: with more, deciding on each would take longer than to do without a sieve. */
export const MOST_BEST = 1024;
/** In place of a best score while there is none: less than any score. */
export const NONE = -4;
