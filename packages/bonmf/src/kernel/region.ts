import type { Precision } from "../matrix/dense.js";

/** The exports of assembly/index.ts; addresses are bytes. */
export type Kernel = Record<string, (...args: number[]) => number>;

/** The kernels' own scratch, one for each thread. */
export const SCRATCH_BYTES = 256;

/** A linear memory with the kernels on it. Views of it may be detached by a later `reserve`: take them anew. */
export interface Region {
  readonly kernel: Kernel;
  /** Where kernels leave small results. */
  readonly scratch: number;
  /** Room for `bytes`, zeroed unless it is `filled` at once, aligned to a cache line. */
  reserve(bytes: number, filled?: boolean): number;
  f32(at: number, length: number): Float32Array;
  f64(at: number, length: number): Float64Array;
  u32(at: number, length: number): Uint32Array;
}

/** Samples in a region's memory. */
export interface Placed {
  readonly region: Region;
  readonly samples: number;
  readonly features: number;
  readonly precision: Precision;
  readonly sparse: boolean;
  /** Dense: the values. Sparse: the offsets. */
  readonly X: number;
  readonly indices: number;
  readonly values: number;
  /** How much there is of all samples. */
  readonly bytes: number;
  /** The most values a sample stores. */
  readonly longest: number;
  /** f64 × n: ‖x‖. */
  readonly norms: number;
  /** The number of the first sample in the whole data. */
  readonly offset: number;
  readonly weights: Float64Array | null;
  /** The most lower bounds a sample may keep, where memory is short. */
  readonly groups?: number | undefined;
}

/** The kernels for some samples, named without precision and kind: `score` for `scoreDense32`. */
export function kernelsFor({ region, precision, sparse }: Pick<Placed, "region" | "precision" | "sparse">): Kernel {
  const ending = new RegExp(`(${sparse ? "Sparse" : "Dense"})?${precision === "f64" ? 64 : 32}$`);
  const other = new RegExp(`${sparse ? "Dense" : "Sparse"}(32|64)$|${precision === "f64" ? 32 : 64}$`);
  const own = Object.entries(region.kernel).filter(([name]) => !other.test(name));
  return Object.fromEntries(own.map(([name, kernel]) => [name.replace(ending, ""), kernel]));
}
