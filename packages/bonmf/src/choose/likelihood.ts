import { ln } from "../random.js";

/**
 * Two families of densities for how far samples are from the boundary of their cluster, in units of the mean distance.
 * Without a gap, density falls from the boundary inwards: exp(−(r/λ)^β), from exponential (β = 1) by half-normal (2) to
 * almost uniform (10). With a gap, it rises to the cluster's core: a normal density around 1, reflected at the boundary.
 * 5 % of Bayes error between two equal clusters is a standard deviation of 0.61. Logarithms and powers come from
 * + − × ÷ √ alone.
 */

/** λ (which makes the mean 1), the logarithm of the density at 0, and β = halves / 2. */
const FLAT: readonly (readonly [number, number, number])[] = [
  [1, 0, 2],
  [1.5164042644682674, -0.3140270839272252, 3],
  [1.7724538509055159, -0.45158270528945466, 4],
  [1.9783642596467903, -0.5690787300399012, 6],
  [2.0455313442263376, -0.6173857453515644, 8],
  [2.0778065378000465, -0.6562867540006592, 12],
  [2.0722787129093216, -0.6787763880435818, 20],
];
/** Standard deviations of a core. */
const CORES = [0.2, 0.3, 0.45, 0.62];
const ROOT_2PI = 2.5066282746310002;
/** One sample cannot decide alone. */
const LEAST = -12;

export const TERMS = FLAT.length + CORES.length;

/** Adds the log-densities of a sample at distance r, weighted, to `sums[at …]`. */
export function addLogDensities(r: number, weight: number, sums: Float64Array, at: number): void {
  let p = at;
  for (const [scale, height, halves] of FLAT) sums[p++] += weight * Math.max(LEAST, height - power(r / scale, halves));
  for (const sd of CORES) {
    const z = (r - 1) / sd;
    const reflected = ln(1 + expMinus((2 * r) / (sd * sd)));
    sums[p++] += weight * Math.max(LEAST, reflected - (z * z) / 2 - ln(sd * ROOT_2PI));
  }
}

/** The best density with a gap against the best without, as a logarithm: above 0 there is a gap. */
export function compareDensities(sums: Float64Array, at: number): number {
  let flat = Number.NEGATIVE_INFINITY;
  let core = Number.NEGATIVE_INFINITY;
  for (let p = 0; p < FLAT.length; p++) flat = Math.max(flat, sums[at + p]);
  for (let p = FLAT.length; p < TERMS; p++) core = Math.max(core, sums[at + p]);
  return core - flat;
}

/** x^(halves / 2) */
function power(x: number, halves: number): number {
  let out = halves % 2 === 1 ? Math.sqrt(x) : 1;
  for (let h = halves >> 1; h > 0; h--) out *= x;
  return out;
}

const INVERSES = Float64Array.from({ length: 13 }, (_, n) => 1 / n);
const HALVES = Float64Array.from({ length: 60 }, (_, h) => 2 ** -h);

/** e^−x for x ≥ 0. */
export function expMinus(x: number): number {
  if (x > 40) return 0;
  const halvings = Math.round(x / Math.LN2);
  const f = halvings * Math.LN2 - x;
  let sum = 1;
  for (let n = 12; n >= 1; n--) sum = 1 + sum * f * INVERSES[n];
  return sum * HALVES[halvings];
}
