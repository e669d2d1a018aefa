import type { Floats } from "bonmf";

/** Two scores on the GPU, and what they are on the CPU, may differ by base + slope · ‖x‖ together. */
export interface Margin {
  readonly base: number;
  readonly slope: number;
}

/** 32-bit floats: half of a step of the CPU, which rounds to nearest; WGSL may round up or down. */
const CPU_UNIT = 2 ** -24;
const GPU_UNIT = 2 ** -23;
/** What a flushed subnormal loses, at most. */
const FLUSHED = 2 ** -126;
const LEAST_NORMAL = 2 ** -126;
/** Scores beyond this are not left to the GPU, whose infinities are undefined. */
export const MOST_SCORE = 2 ** 120;
/** What follows is computed in 32 bits. */
const ABOVE = 1 + 2 ** -18;

/**
 * How far apart two scores must be on the GPU so that they have the same order on the CPU.
 *
 * A score is the bias and m products. In whatever order it is summed, fused or not, with every operation off by a share u at most, it is
 * off by γ · (|bias| + Σ|x_f p_f|), γ = n·u / (1 − n·u), n = m + 1 (Higham, Accuracy and Stability of Numerical Algorithms, ch. 3), and
 * Σ|x_f p_f| ≤ ‖x‖‖p‖. Besides, every input, product and sum may be flushed to 0 where it is subnormal. The CPU's score has the
 * first error with half of the share; its products may lose half of the smallest subnormal. Both errors count, for both scores.
 *
 * @param features m, or of sparse samples the most values that one of them stores: the others are 0, and so are their products, which
 * add nothing to a sum however it is rounded
 * @param longest the largest ‖p_j‖
 * @param largestBias the largest |bias_j|
 */
export function marginOf(features: number, longest: number, largestBias: number): Margin {
  const n = features + 2;
  const gamma = shareOf(n * CPU_UNIT) + shareOf(n * GPU_UNIT);
  const flushed = 2 * n * FLUSHED;
  return {
    base: Math.fround(2 * (gamma * largestBias + flushed * (2 + longest)) * ABOVE),
    slope: Math.fround(2 * (gamma * longest + flushed) * ABOVE),
  };
}

function shareOf(nu: number): number {
  return nu < 0.5 ? nu / (1 - nu) : Number.POSITIVE_INFINITY;
}

/** The largest length of rows (k × m), rounded up. */
export function longestOf(rows: Floats, k: number): number {
  const m = rows.length / k;
  let most = 0;
  for (let j = 0; j < k; j++) {
    let sum = 0;
    for (let q = j * m, end = q + m; q < end; q++) sum += rows[q] * rows[q];
    most = Math.max(most, sum);
  }
  return Math.sqrt(most) * (1 + 1e-9);
}

/** The largest |value|. */
export function largestOf(values: ArrayLike<number>): number {
  let most = 0;
  for (let j = 0; j < values.length; j++) most = Math.max(most, Math.abs(values[j]));
  return most;
}

/** The smallest |value| that is not 0; infinity where all are. */
export function leastOf(values: ArrayLike<number>): number {
  let least = Number.POSITIVE_INFINITY;
  for (let j = 0; j < values.length; j++) {
    const size = Math.abs(values[j]);
    if (size < least && size > 0) least = size;
  }
  return least;
}

/**
 * Whether neither products nor sums of 32 bits can be subnormal, which adapters may flush to 0: where every product and bias that is not
 * 0 is 2^−100 at least, all of them, and so their sums, are multiples of 2^−123.
 *
 * @param x, w the smallest |value| that is not 0 of samples, and of prototypes
 */
export function areNormal(x: number, w: number, bias: number): boolean {
  return x >= LEAST_NORMAL && w >= LEAST_NORMAL && x * w >= 2 ** -100 && bias >= 2 ** -100;
}
