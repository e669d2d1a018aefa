import { CHUNK } from "../plain/products.js";
import type { Placed } from "../region.js";
import { countSums } from "./float32-products.js";

/** Columns of a panel: three vectors of two. */
export const WIDTH = 6;

/** Addresses, for up to k prototypes. */
export interface ProductBuffers {
  readonly k: number;
  /** W: as rows, or packed into panels. */
  readonly W: number;
  readonly out: number;
  readonly shares: number;
  readonly H: number;
  /** The gram matrix, packed into panels. */
  readonly gram: number;
  /** The gram matrix as it is, and memory to solve by it. */
  readonly square: number;
  readonly solve: number;
  /** For `cyclic` in 32 bits: 3k. */
  readonly units: number;
  /** The gram matrix times columns. */
  readonly below: number;
  readonly HHt: number;
  readonly bias: number;
  /** Weights of a chunk, and what its errors add to. */
  readonly weights: number;
  readonly errorSums: number;
  readonly labels: number;
  readonly ids: number;
  readonly best: number;
  readonly second: number;
  /** The sums of a block so far: m × k, or as kernel/simd/float32-products has them. */
  readonly S: number;
}

export function reserveBuffers({ region, features: m, samples, sparse }: Placed, k: number): ProductBuffers {
  const of = (bytes: number) => region.reserve(bytes);
  const chunk = Math.min(CHUNK, samples);
  return {
    k,
    W: of(8 * WIDTH * Math.ceil(k / WIDTH) * m),
    // The last sample's last panel may reach beyond its k results.
    out: of(8 * (chunk * Math.max(1, k) + WIDTH)),
    shares: of(8 * chunk * k),
    H: of(8 * (chunk * k + WIDTH)),
    gram: of(8 * WIDTH * Math.ceil(k / WIDTH) * k),
    square: of(8 * (k * k + 8)),
    // For `cyclic` 32k + 24 numbers, for `nnls` k² + 6(k + 8): this is more than both.
    solve: of(8 * (k * k + 32 * (k + 8))),
    units: of(24 * k),
    below: of(8 * (chunk * Math.max(1, k) + WIDTH)),
    HHt: of(8 * k * k),
    bias: of(8 * k),
    weights: of(8 * chunk),
    errorSums: of(8 * (2 + k)),
    labels: of(4 * (chunk + 1)),
    ids: of(4 * chunk),
    // Of an odd number of samples, errors of a pair reach beyond the last.
    best: of(8 * (chunk + 1)),
    second: of(8 * (chunk + 1)),
    S: of(8 * Math.max(k * m, countSums(k, m, sparse))),
  };
}
