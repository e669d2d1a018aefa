import type { Floats } from "../../matrix/dense.js";
import { powerAbove } from "../sums.js";

/** A column's sweeps end when one lowers its loss, Σ G_rr · change², by a hundredth of what the first did, or less. */
export const SETTLED = 0.1 ** 2;

/** How a column is cycled through. */
export interface Cycling {
  /** Times through the entries, at most. */
  readonly sweeps: number;
  /** How far to go on in the same direction, as a share of the way, where that leaves the loss no higher than it was. */
  readonly beyond: number;
  /** Whether an entry without an optimum stays as it is; else it becomes 0. */
  readonly stay: boolean;
}

type Round = (value: number) => number;

const keep: Round = (value) => value;

/**
 * Each entry of a column in turn its non-negative optimum, several times, and on in that direction: `cyclic`, and the W step of
 * `hals`. The loss of the column, hᵀGh − 2bᵀh, never rises.
 *
 * @param b IN k, the column of WᵀX (or of HXᵀ)
 * @param h IN/OUT k
 * @param G IN k × k, symmetric
 * @param before SCRATCH k
 * @param round of every result
 */
export function cycleColumn(
  b: Float64Array,
  h: Float64Array,
  G: Floats,
  k: number,
  before: Float64Array,
  { sweeps, beyond, stay }: Cycling,
  round: Round = keep,
): void {
  before.set(h);
  let least = 0;
  for (let sweep = 0; sweep < sweeps; sweep++) {
    let moved = 0;
    for (let r = 0; r < k; r++) {
      const own = G[r * k + r];
      if (!(own > 0)) {
        if (!stay) h[r] = 0;
        continue;
      }
      const value = Math.max(0, round(h[r] + round(round(b[r] - rowDot(G, r, h, k, round)) / own)));
      const change = round(value - h[r]);
      moved = round(moved + round(round(own * change) * change));
      h[r] = value;
    }
    if (sweep === 0) least = round(round(SETTLED) * moved);
    if (!(moved > least)) break;
  }
  if (beyond > 0) relaxColumn(b, h, G, k, before, round(beyond), round);
}

let pair: readonly [Float64Array, Float64Array] = [new Float64Array(0), new Float64Array(0)];

/** Two columns to work in: a W step has one column for each feature. */
function pairFor(k: number): readonly [Float64Array, Float64Array] {
  if (pair[0].length !== k) pair = [new Float64Array(k), new Float64Array(k)];
  return pair;
}

/** h + beyond · (h − before), at least 0, where that leaves the loss no higher than it was at `before`. */
function relaxColumn(
  b: Float64Array,
  h: Float64Array,
  G: Floats,
  k: number,
  before: Float64Array,
  beyond: number,
  round: Round,
): void {
  const [next, both] = pairFor(k);
  for (let r = 0; r < k; r++) {
    next[r] = Math.max(0, round(h[r] + round(beyond * round(h[r] - before[r]))));
    both[r] = round(next[r] + before[r]);
  }
  let change = 0;
  for (let r = 0; r < k; r++) {
    const above = round(rowDot(G, r, both, k, round) - round(2 * b[r]));
    change = round(change + round(round(next[r] - before[r]) * above));
  }
  if (change <= 0) h.set(next);
}

export function rowDot(gram: Floats, r: number, h: Float64Array, k: number, round: Round = keep): number {
  let sum = 0;
  for (let s = 0; s < k; s++) sum = round(sum + round(gram[r * k + s] * h[s]));
  return sum;
}

/**
 * Powers of two, k each, by which codes and products are multiplied so that 32 bits hold them; then the equations of a column,
 * G·h = b, hold with G · products ⊘ codes.
 */
export interface Units {
  readonly codes: Float64Array;
  readonly products: Float64Array;
}

/** @param G IN k × k */
export function gramInUnits(G: Float64Array, { codes, products }: Units): Float32Array {
  const k = codes.length;
  return Float32Array.from(G, (g, p) => (g * products[Math.floor(p / k)]) / codes[p % k]);
}

/** Units of codes, of products, and of codes back, as kernels take them: 3k. */
export function listUnits({ codes, products }: Units): Float64Array {
  return Float64Array.of(...codes, ...products, ...codes.map((unit) => 1 / unit));
}

/** For `multiply`: α and l1, k each. */
export function weightsInUnits({ codes, products }: Units, alpha: number, l1: number): [Float32Array, Float32Array] {
  return [
    Float32Array.from(products, (unit, r) => (alpha * unit) / codes[r]),
    Float32Array.from(products, (unit) => l1 * unit),
  ];
}

/** The units in which products are at most 1 and a code of length 1 explains one. @param products IN k × n @param G IN k × k */
export function unitsFor(products: Float64Array, G: Float64Array, k: number): Units {
  const n = products.length / k;
  const lengths = Float64Array.from({ length: k }, (_, r) => {
    const own = G[r * (k + 1)];
    return own > 0 ? powerAbove(Math.sqrt(own)) : 1;
  });
  let most = 0;
  for (let r = 0; r < k; r++) {
    const scale = 1 / lengths[r];
    for (let p = r * n, end = p + n; p < end; p++) most = Math.max(most, scale * Math.abs(products[p]));
  }
  const size = most > 0 ? powerAbove(most) : 1;
  return { codes: lengths.map((length) => length / size), products: lengths.map((length) => 1 / (length * size)) };
}

/** {@link cycleColumn} in 32 bits. @param G IN k × k, in units */
export function cycleInUnits(
  b: Float64Array,
  h: Float64Array,
  G: Float32Array,
  { codes, products }: Units,
  before: Float64Array,
  how: Cycling,
): void {
  const k = codes.length;
  for (let r = 0; r < k; r++) {
    b[r] = Math.fround(b[r] * products[r]);
    h[r] = Math.fround(h[r] * codes[r]);
  }
  cycleColumn(b, h, G, k, before, how, Math.fround);
  for (let r = 0; r < k; r++) h[r] /= codes[r];
}
