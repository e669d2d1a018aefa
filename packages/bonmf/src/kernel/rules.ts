import { STREAM, uniform } from "../random.js";
import { solveNnls } from "./nnls.js";
import type { RuleName, Step } from "./step.js";

/**
 * The label of the largest WtX_j / ‖w_j‖; ties go to the lowest j. A prototype of length 0 scores 0.
 *
 * @param WtX IN k
 * @param norms IN k
 */
export function nearestAngle(WtX: Float64Array, norms: Float64Array, k: number): number {
  let best = 0;
  let most = Number.NEGATIVE_INFINITY;
  for (let j = 0; j < k; j++) {
    const score = norms[j] > 0 ? WtX[j] / norms[j] : 0;
    if (score > most) {
      most = score;
      best = j;
    }
  }
  return best;
}

/** The label of the smallest ‖w_j‖² − 2 WtX_j, which is ‖x − w_j‖² less ‖x‖²; ties go to the lowest j. */
export function nearestPoint(WtX: Float64Array, norms: Float64Array, k: number): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let j = 0; j < k; j++) {
    const score = norms[j] * norms[j] - 2 * WtX[j];
    if (score < least) {
      least = score;
      best = j;
    }
  }
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

const finite = (value: number) => (value - value === 0 ? value : 0);

function rowDot(gram: Float64Array, r: number, h: Float64Array, k: number): number {
  let sum = 0;
  for (let s = 0; s < k; s++) sum += gram[r * k + s] * h[s];
  return sum;
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
  multiply(WtX, h, old, { k, gram, alpha = 0 }) {
    old.set(h);
    for (let r = 0; r < k; r++) h[r] = finite((old[r] * (WtX[r] + alpha * old[r])) / rowDot(gram!, r, old, k));
  },
  root(WtX, h, old, { k, gram }) {
    old.set(h);
    for (let r = 0; r < k; r++) h[r] = finite(old[r] * Math.sqrt(WtX[r] / rowDot(gram!, r, old, k)));
  },
  cyclic(WtX, h, _old, { k, gram }) {
    for (let r = 0; r < k; r++) {
      const own = gram![r * k + r];
      h[r] = own > 0 ? Math.max(0, h[r] + (WtX[r] - rowDot(gram!, r, h, k)) / own) : 0;
    }
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
  nnls(WtX, h, _old, { k, gram }) {
    solveNnls(gram!, WtX, h, k);
  },
  uniform(_WtX, h, _old, { k, seed = 0, round }, id) {
    for (let r = 0; r < k; r++) h[r] = uniform(seed, STREAM.codes + 16 * (r + 1), id);
    if (round) roundCodes(h, k);
  },
};
