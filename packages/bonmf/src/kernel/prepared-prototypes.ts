import { allocate, type Floats, type Precision } from "../matrix/dense.js";
import { rowLengths } from "../matrix/prototypes.js";
import { RUN } from "./choose.js";
import type { RuleName } from "./step.js";
import { powerAbove } from "./sums.js";

/**
 * Prototypes prepared for a one-hot rule, in the precision of the samples: every such rule is the label of the largest
 * bias_j + ⟨x, p_j⟩, ties to the lowest j. By angle p_j = w_j/‖w_j‖ and the bias is 0; by distance p_j = w_j and the bias
 * is −½‖p_j‖², since ‖x − w‖² = ‖x‖² − 2(⟨x,w⟩ − ½‖w‖²).
 */
export interface PreparedPrototypes {
  /** k × m. */
  readonly rows: Floats;
  /** k. */
  readonly bias: Floats;
  /** For real-valued rules and `softmax` in 32 bits. */
  readonly float32?: Float32Scales;
}

/** Powers of two, k each, which bring W and H to about 1: what scores are to be multiplied by, and codes to be summed. */
export interface Float32Scales {
  readonly scores: Float64Array;
  readonly codes: Float64Array;
  /** For `cyclic`: what WᵀX is multiplied by beside codes (kernel/plain/cycle). */
  readonly products: Float64Array;
  /** m numbers: sums in 32 bits are rounded to these grids (kernel/sums) before they are added up. Absent: as they are. */
  readonly grid?: Float64Array;
  /** How many samples' XHᵀ is summed in 32 bits. */
  readonly run: number;
  /** Whether each term is rounded to the grid by itself, in 64 bits. */
  readonly byTerm?: boolean;
  /** HHᵀ is summed in 64 bits: of samples with gaps, that of few samples is what others are taken from. */
  readonly wideCodes?: boolean;
}

/** Scaled numbers below this count as 0: they would not show in any sum, and the smallest 32-bit numbers are slow. */
export const TINY = 2 ** -64;

/** @param W IN k × m */
export function preparePrototypes(
  rule: RuleName,
  W: Float64Array,
  k: number,
  precision: Precision,
): PreparedPrototypes {
  const rows = allocate(precision, W.length);
  const bias = allocate(precision, k);
  const m = W.length / k;
  if (rule === "distance") {
    rows.set(W);
    for (let j = 0; j < k; j++) {
      let sum = 0;
      for (let q = j * m; q < (j + 1) * m; q++) sum += rows[q] * rows[q];
      bias[j] = -0.5 * sum;
    }
    return { rows, bias };
  }
  const lengths = rowLengths(W, k);
  for (let j = 0; j < k; j++) {
    if (lengths[j] > 0) for (let q = j * m; q < (j + 1) * m; q++) rows[q] = W[q] / lengths[j];
  }
  return { rows, bias };
}

/**
 * Prototypes for real-valued rules in 32 bits.
 *
 * @param W IN k × m
 * @param length about the length of a sample, a power of two
 * @param grid IN m numbers, for codes times their scales
 */
export function prepareFloat32(W: Float64Array, k: number, length: number, grid?: Float64Array): PreparedPrototypes {
  const m = W.length / k;
  const rows = new Float32Array(W.length);
  const scores = new Float64Array(k);
  for (let j = 0; j < k; j++) {
    let most = 0;
    for (let q = j * m, end = q + m; q < end; q++) most = Math.max(most, Math.abs(W[q]));
    scores[j] = most > 0 ? powerAbove(most) : 1;
    const scale = 1 / scores[j];
    for (let q = j * m, end = q + m; q < end; q++) {
      const w = W[q] * scale;
      if (Math.abs(w) >= TINY) rows[q] = w;
    }
  }
  const codes = scores.map((scale) => scale / length);
  const products = scores.map((scale) => 1 / (scale * length));
  return { rows, bias: new Float32Array(k), float32: { scores, codes, products, run: RUN, ...(grid && { grid }) } };
}

/**
 * Prototypes for `linear` in 32 bits, whose codes are at most ‖x‖‖w‖ or the floor: so much they are divided by.
 *
 * @param W IN k × m
 */
export function prepareLinear(W: Float64Array, k: number, length: number, floor: number, grid?: Float64Array) {
  const prepared = prepareFloat32(W, k, length, grid);
  const codes = rowLengths(W, k).map((row) => 1 / powerAbove(Math.max(row * length, floor) || 1));
  return { ...prepared, float32: { ...prepared.float32!, codes } };
}

/**
 * Coefficients for `softmax` in 32 bits. Its errors are between −1 and 1, so their sums fit grids of the samples' own.
 *
 * @param W IN k × m
 * @param byTerm whether the terms of those sums are rounded, or sums over runs of samples
 */
export function prepareErrors(W: Float64Array, k: number, grid: Float64Array, byTerm = false): PreparedPrototypes {
  const { rows, bias, float32 } = prepareFloat32(W, k, 1);
  return { rows, bias, float32: { ...float32!, codes: new Float64Array(k).fill(1), grid, byTerm } };
}

/** Rows of k shares, scaled and rounded to be summed. */
export function roundShares(shares: Float64Array, { codes }: Float32Scales): Float32Array {
  const k = codes.length;
  return Float32Array.from(shares, (share, p) => {
    const scaled = Math.fround(share * codes[p % k]);
    return Math.abs(scaled) >= TINY ? scaled : 0;
  });
}

/**
 * Rows as columns of panels, feature after feature: lanes are rows.
 *
 * @param rows IN k × length
 * @param width columns of a panel
 * @param panels OUT ⌈k / width⌉ × length × width
 */
export function fillPanels(rows: Floats, k: number, width: number, panels: Floats): void {
  const length = rows.length / k;
  panels.fill(0);
  for (let j = 0; j < k; j++) {
    let to = (j - (j % width)) * length + (j % width);
    for (let q = j * length, end = q + length; q < end; q++, to += width) panels[to] = rows[q];
  }
}
