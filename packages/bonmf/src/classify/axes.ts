import { findComponents } from "../choose/components.js";
import { sumSquares } from "../kernel/scatter.js";
import { Dense } from "../matrix/dense.js";
import { finishSteps } from "../steps.js";

/**
 * The axes along which samples are longest, features scaled to the mean square 1. A gradient that is divided by the square roots of the
 * squares along them leaves a search with fewer directions of very different curvature.
 */
export interface Axes {
  /** r × m orthonormal rows. */
  readonly axes: Float64Array;
  /** r mean squares along them. */
  readonly squares: Float64Array;
  /** That of a direction at right angles to them, on average. */
  readonly rest: number;
}

const MOST = 32;
/** The most axes for each feature. */
const SHARE = 0.25;
/** The least square of what the axes leave. */
const LEAST = 0.1;
/** Samples that are asked, at most. */
const ASKED = 1000;
/** Rough axes are enough. */
const ROUNDS = 2;
/** About as many sweeps are saved. */
const SAVED = 60;
/** How many multiplications of a sweep take as long as one here. */
const SLOWER = 4;

/** Whether axes cost less than the sweeps they save. */
export function areAxesCheap(samples: number, scores: number): boolean {
  return SLOWER * ROUNDS * MOST * Math.min(samples, ASKED) < SAVED * samples * scores;
}

/** @param Z n × m */
export function findAxes(Z: Dense): Axes {
  const m = Z.features;
  const count = Math.min(Z.samples, ASKED);
  const part = Z.take(Uint32Array.from({ length: count }, (_, s) => Math.floor((s * Z.samples) / count)));
  const lengths = sumSquares(part, null).map((square) => Math.sqrt(square / count));
  const values = Float64Array.from(part.data, (x, p) => (lengths[p % m] > 0 ? x / lengths[p % m] : 0));
  const baseline = { profile: new Float64Array(m), levels: null };
  const scaled = new Dense(count, m, values);
  const most = Math.min(MOST, Math.ceil(m * SHARE));
  const { axes, variances, total } = finishSteps(findComponents(scaled, most, 0, baseline, ROUNDS));
  // Features of one value have no length, so `total` is the number of the others.
  const left = variances.reduce((sum, square) => sum - square, total);
  const rest = Math.max(left / Math.max(1, total - variances.length), LEAST);
  return { axes, squares: variances.map((square) => Math.max(square, rest)), rest };
}

/**
 * Divides the square roots of the axes out of a row of a gradient, in place.
 *
 * @param row IN/OUT m
 * @param even IN the share of the curvature that is the same in all directions: that of the penalty
 * @returns what a direction at right angles to all axes was multiplied by
 */
export function divideAlong({ axes, squares, rest }: Axes, row: Float64Array, even: number): number {
  const m = row.length;
  const scaleOf = (square: number) => 1 / Math.sqrt((1 - even) * square + even);
  const outside = scaleOf(rest);
  const sums = new Float64Array(m);
  // Four axes at a time: one sum alone would wait for its last addition.
  for (let a = 0; a < squares.length; a += 4) {
    const at = [a, a + 1, a + 2, a + 3].map((axis) => m * Math.min(axis, squares.length - 1));
    const [p, q, r, s] = at;
    let [t, u, v, w] = [0, 0, 0, 0];
    for (let f = 0; f < m; f++) {
      const x = row[f];
      t += axes[p + f] * x;
      u += axes[q + f] * x;
      v += axes[r + f] * x;
      w += axes[s + f] * x;
    }
    const scales = at.map((_, next) => (a + next < squares.length ? scaleOf(squares[a + next]) - outside : 0));
    t *= scales[0];
    u *= scales[1];
    v *= scales[2];
    w *= scales[3];
    for (let f = 0; f < m; f++) sums[f] += axes[p + f] * t + axes[q + f] * u + axes[r + f] * v + axes[s + f] * w;
  }
  for (let f = 0; f < m; f++) row[f] = outside * row[f] + sums[f];
  return outside;
}
