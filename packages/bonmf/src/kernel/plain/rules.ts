import { STREAM, uniform } from "../../random.js";
import type { RuleName, Step } from "../step.js";
import { solveNnls } from "./nnls.js";

/** The label of the largest score; ties go to the lowest j. */
export function argMax(scores: ArrayLike<number>): number {
  let best = 0;
  for (let j = 1; j < scores.length; j++) if (scores[j] > scores[best]) best = j;
  return best;
}

/**
 * Rewrites one real column of H.
 *
 * @param WtX IN k
 * @param h IN/OUT k, the column at hand
 * @param old SCRATCH k
 * @param id IN the sample's number, for random columns
 */
export type RealRule = (WtX: Float64Array, h: Float64Array, old: Float64Array, step: Step, id: number) => void;

/** An entry's column ends when a sweep moves it by a tenth of what the first did, or less: in squares. */
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

/**
 * Each entry of a column in turn its non-negative optimum, several times, and on in that direction: `cyclic`, and the W step of
 * `hals`. The loss of the column, hᵀGh − 2bᵀh, never rises.
 *
 * @param b IN k, the column of WᵀX (or of HXᵀ)
 * @param h IN/OUT k
 * @param G IN k × k, symmetric
 * @param before SCRATCH k
 */
export function cycleColumn(
  b: Float64Array,
  h: Float64Array,
  G: Float64Array,
  k: number,
  before: Float64Array,
  { sweeps, beyond, stay }: Cycling,
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
      const value = Math.max(0, h[r] + (b[r] - rowDot(G, r, h, k)) / own);
      const change = value - h[r];
      moved += change * change;
      h[r] = value;
    }
    if (sweep === 0) least = SETTLED * moved;
    if (!(moved > least)) break;
  }
  if (beyond > 0) relaxColumn(b, h, G, k, before, beyond);
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
  G: Float64Array,
  k: number,
  before: Float64Array,
  beyond: number,
): void {
  const [next, both] = pairFor(k);
  for (let r = 0; r < k; r++) {
    next[r] = Math.max(0, h[r] + beyond * (h[r] - before[r]));
    both[r] = next[r] + before[r];
  }
  let change = 0;
  for (let r = 0; r < k; r++) change += (next[r] - before[r]) * (rowDot(G, r, both, k) - 2 * b[r]);
  if (change <= 0) h.set(next);
}

export const finite = (value: number) => (value - value === 0 ? value : 0);

export function rowDot(gram: Float64Array, r: number, h: Float64Array, k: number): number {
  let sum = 0;
  for (let s = 0; s < k; s++) sum += gram[r * k + s] * h[s];
  return sum;
}

/** Takes a penalty on Σh from the products that a code is solved by. */
export function lower(WtX: Float64Array, l1: number): void {
  if (l1 !== 0) for (let p = 0; p < WtX.length; p++) WtX[p] -= l1;
}

function roundCodes(h: Float64Array, k: number): void {
  for (let r = 0; r < k; r++) h[r] = h[r] >= 0.5 ? 1 : 0;
}

export const linear: RealRule = (WtX, h, _old, { k, gram, floor, round }) => {
  for (let r = 0; r < k; r++) {
    const value = gram ? rowDot(gram, r, WtX, k) : WtX[r];
    h[r] = floor === undefined ? value : Math.max(floor, value);
  }
  if (round) roundCodes(h, k);
};

export const REAL: Partial<Record<RuleName, RealRule>> = {
  linear,
  probe: linear,
  multiply(WtX, h, old, { k, gram, alpha = 0, l1 = 0 }) {
    old.set(h);
    for (let r = 0; r < k; r++) h[r] = finite((old[r] * (WtX[r] + alpha * old[r])) / (rowDot(gram!, r, old, k) + l1));
  },
  root(WtX, h, old, { k, gram }) {
    old.set(h);
    for (let r = 0; r < k; r++) h[r] = finite(old[r] * Math.sqrt(WtX[r] / rowDot(gram!, r, old, k)));
  },
  cyclic(WtX, h, old, { k, gram, sweeps = 1, beyond = 0, l1 = 0 }) {
    lower(WtX, l1);
    cycleColumn(WtX, h, gram!, k, old, { sweeps, beyond, stay: false });
  },
  binary(WtX, h, _old, { k, gram, sweeps = 1, fresh = false }) {
    if (fresh) h.fill(0);
    for (let sweep = 0; sweep < sweeps; sweep++) {
      let moved = false;
      for (let r = 0; r < k; r++) {
        const own = gram![r * k + r];
        const residual = WtX[r] - rowDot(gram!, r, h, k) + own * h[r];
        const bit = residual > 0.5 * own ? 1 : 0;
        if (bit !== h[r]) moved = true;
        h[r] = bit;
      }
      if (!moved) return;
    }
  },
  nnls(WtX, h, _old, { k, gram, l1 = 0 }) {
    lower(WtX, l1);
    solveNnls(gram!, WtX, h, k);
  },
  uniform(_WtX, h, _old, { k, seed = 0, round }, id) {
    for (let r = 0; r < k; r++) h[r] = uniform(seed, STREAM.codes + 16 * (r + 1), id);
    if (round) roundCodes(h, k);
  },
};
