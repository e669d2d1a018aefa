import type { Rows } from "./rows.js";

/** Features before the first look at what can become of a score. */
export const FIRST = 4;
/** Members that the centre and the order of features are taken from: others would only make the sieve slower. */
const LOOKED_AT = 256;
/** Features that tell which vectors lie together. */
export const BITS = 12;
/** One more than the largest code. */
export const CODES = 2 ** BITS;

/**
 * How dense vectors are sifted: less a centre c, those features first that tell most apart, and before features
 * 4, 8, 16, 32 … the length of all that follows. With r = x − c and s = z − c, ⟨x,z⟩ = ⟨r,s⟩ + ⟨s,c⟩ + ⟨x,c⟩, and what a
 * few features leave open of ⟨r,s⟩ is no larger than the product of two such lengths.
 */
export class Frame {
  /** Numbers a vector takes. */
  readonly size: number;
  /** ⟨c,c⟩. */
  readonly square: number;
  /** The features, those first that tell most apart. */
  readonly order: Uint32Array;
  /** m, in that order. */
  readonly centre: Float64Array;
  /** Where parts of the vector begin; the last is m. */
  readonly #bounds: readonly number[];

  /**
   * @param rows IN n × m, values of 0 or more
   * @param scales IN n, what makes them unit vectors
   */
  constructor(rows: Rows, features: number, scales: Float64Array) {
    const bounds = [0];
    for (let end = FIRST; end < features; end *= 2) bounds.push(end);
    this.#bounds = [...bounds, features];
    this.size = features + bounds.length - 1;

    const step = Math.ceil(scales.length / LOOKED_AT);
    const looks = Math.ceil(scales.length / step);
    const x = new Float64Array(features);
    const sums = new Float64Array(features);
    const spread = new Float64Array(features);
    for (let i = 0; i < scales.length; i += step) {
      rows.add(i, scales[i], x.fill(0), 0);
      for (let f = 0; f < features; f++) {
        sums[f] += x[f];
        spread[f] += x[f] * x[f];
      }
    }
    for (let f = 0; f < features; f++) spread[f] -= (sums[f] * sums[f]) / looks;
    this.order = new Uint32Array(features).map((_, f) => f).sort((a, b) => spread[b] - spread[a] || a - b);
    this.centre = Float64Array.from(this.order, (f) => sums[f] / looks);
    this.square = this.centre.reduce((sum, c) => sum + c * c, 0);
  }

  /**
   * On which side of the centre x · scale lies, by features, as a number: a step from one to the next is a step across one
   * feature (Gray's code). For the members a kernel does it.
   *
   * @param x IN m
   */
  codeOf(x: Float64Array, scale: number): number {
    const order = this.order;
    const centre = this.centre;
    let side = 0;
    let code = 0;
    for (let q = 0; q < BITS && q < order.length; q++) {
      side ^= x[order[q]] * scale > centre[q] ? 1 : 0;
      code = 2 * code + side;
    }
    return code;
  }

  /**
   * Lays x · scale out, and returns ⟨x · scale − c, c⟩. For the members a kernel does it.
   *
   * @param x IN m
   */
  write(x: Float64Array, scale: number, out: Float32Array): number {
    const order = this.order;
    const centre = this.centre;
    const bounds = this.#bounds;
    let place = this.size;
    let squares = 0;
    let along = 0;
    for (let part = bounds.length - 2; part >= 0; part--) {
      for (let q = bounds[part + 1] - 1; q >= bounds[part]; q--) {
        const r = x[order[q]] * scale - centre[q];
        squares += r * r;
        along += r * centre[q];
        out[--place] = r;
      }
      if (part > 0) out[--place] = Math.sqrt(squares);
    }
    return along;
  }
}
