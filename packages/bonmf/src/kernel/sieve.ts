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

/**
 * Members as 32-bit vectors in a region's memory. It lets through all that can matter and little else: a score differs
 * from the cosine in float64 by at most `error`, and whatever scores less than the least of the `count` best by more than
 * twice that is farther away than those are.
 */
export interface Sieve {
  readonly error: number;
  /** Queries that are compared at a time. */
  readonly lanes: number;
  /** How many of the best scores matter from now on: at most `MOST_BEST`. */
  expect(count: number): void;
  /** Puts a query of a tame length into a lane, which forgets its best scores. */
  load(lane: number, x: Float64Array, length: number): void;
  /** Whether a lane takes part. */
  open(lane: number, part: boolean): void;
  /** Compares the members of cluster j with the queries of all lanes that take part. */
  sift(j: number, hit: Hit): void;
  /** The least of the best scores of a lane; minus infinity while there are fewer than `count`. */
  worst(lane: number): number;
}

/** Is told whose neighbour may matter: the member's number, and its score. */
export type Hit = (lane: number, member: number, score: number) => void;
