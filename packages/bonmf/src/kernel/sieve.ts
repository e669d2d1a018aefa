import type { Matrix } from "../matrix/matrix.js";
import type { Region } from "./region.js";

/** Queries that are compared at a time. */
export const LANES = 12;
/** Members one call may take. */
export const CHUNK = 512;

/** Beyond these lengths squares lose digits in float64, and the error bound does not hold. */
const SHORT = 1e-100;
const LONG = 1e100;
/** With more products in a sum the bound would not be worth its name. */
const MOST_PRODUCTS = 2 ** 20;

/** Whether vectors of this length, which is not zero, can be sifted. */
export function isTame(length: number): boolean {
  return length >= SHORT && length <= LONG;
}

/**
 * Members as 32-bit unit vectors in a region's memory, compared with up to 12 queries at once. It lets through all that
 * can matter and little else: a score differs from the cosine in float64 by at most `error`.
 */
export class Sieve {
  /**
   * A sum of L products whose factors, products and partial sums are rounded to 32 bits is off by at most
   * (1 + 2⁻²⁴)^(L+2) − 1 of the sum of magnitudes, which for unit vectors is 1 or less. The rest is for the rounding of
   * limits and of float64.
   */
  readonly error: number;
  /** 12: the least score that makes a hit. */
  readonly limits: Float32Array;
  /** m × 12. */
  readonly #panel: Float32Array;
  /** Pairs of words: place · 16 + lane, and the score. */
  readonly #hits: Uint32Array;
  readonly #scores: Float32Array;
  /** Calls the kernel. */
  readonly #kernel: (from: number, to: number) => number;

  /** The bytes a sieve of these members takes. */
  static bytesOf(Z: Matrix): number {
    const members = Z.kind === "dense" ? 4 * Z.data.length : 8 * Z.values.length + 4 * Z.offsets.length;
    return members + 4 * LANES * Z.features + 8 * LANES * CHUNK + 1024;
  }

  /** Whether the error bound holds for members of these lengths. */
  static suits(Z: Matrix, lengths: Float64Array): boolean {
    return longest(Z) <= MOST_PRODUCTS && lengths.every((length) => length === 0 || isTame(length));
  }

  /**
   * @param Z IN n × m, values of 0 or more
   * @param lengths IN n
   */
  constructor(region: Region, Z: Matrix, lengths: Float64Array) {
    this.error = 1.1 * (longest(Z) + 8) * 2 ** -24;
    const values = Z.kind === "dense" ? Z.data : Z.values;
    const startOf = (i: number) => (Z.kind === "dense" ? i * Z.features : Z.offsets[i]);
    const at = region.reserve(4 * values.length);
    const words = (Z.kind === "dense" ? [] : [Z.offsets, Z.indices]).map((array) => region.reserve(4 * array.length));
    const limits = region.reserve(4 * LANES);
    const panel = region.reserve(4 * LANES * Z.features);
    const hits = region.reserve(8 * LANES * CHUNK);
    const unit = region.f32(at, values.length);
    for (let i = 0; i < Z.samples; i++) {
      const length = lengths[i] || Number.POSITIVE_INFINITY;
      for (let p = startOf(i), end = startOf(i + 1); p < end; p++) unit[p] = values[p] / length;
    }
    if (Z.kind === "sparse") {
      region.u32(words[0], Z.offsets.length).set(Z.offsets);
      region.u32(words[1], Z.indices.length).set(Z.indices);
    }
    const { nearDense, nearSparse } = region.kernel;
    this.#kernel =
      Z.kind === "dense"
        ? (from, to) => nearDense(at, Z.features, from, to, panel, limits, hits)
        : (from, to) => nearSparse(words[0], words[1], at, from, to, panel, limits, hits);
    this.limits = region.f32(limits, LANES);
    this.#panel = region.f32(panel, LANES * Z.features);
    this.#hits = region.u32(hits, 2 * LANES * CHUNK);
    this.#scores = region.f32(hits, 2 * LANES * CHUNK);
  }

  /** Puts a query of a tame length into a lane. */
  load(lane: number, x: Float64Array, length: number): void {
    for (let f = 0; f < x.length; f++) this.#panel[f * LANES + lane] = x[f] / length;
  }

  /** Compares members from … to − 1, at most 512, with all lanes; returns the number of hits. */
  sift(from: number, to: number): number {
    return this.#kernel(from, to);
  }

  /** Whose hit h is. */
  laneOf(h: number): number {
    return this.#hits[2 * h] & 15;
  }

  /** Which member it is, counted from the first that was sifted. */
  placeOf(h: number): number {
    return this.#hits[2 * h] >>> 4;
  }

  scoreOf(h: number): number {
    return this.#scores[2 * h + 1];
  }
}

/** The most products in a score. */
function longest(Z: Matrix): number {
  if (Z.kind === "dense") return Z.features;
  let most = 0;
  for (let i = 0; i < Z.samples; i++) most = Math.max(most, Z.offsets[i + 1] - Z.offsets[i]);
  return most;
}
