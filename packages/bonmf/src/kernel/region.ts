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
  /** How much there is of the whole data, where all of these lie there all the time. */
  readonly whole?: number;
  /** The number of the first sample in the whole data. */
  readonly offset: number;
  /** f64 × n: ω, or 0 where every sample counts once. */
  readonly weights: number;
  /** The most lower bounds a sample may keep, where memory is short. */
  readonly groups?: number | undefined;
}

const named = new WeakMap<Kernel, Map<string, Kernel>>();

/** The kernels for some samples, named without precision and kind: `dot` for `dotDense32`. */
export function kernelsFor({ region, precision, sparse }: Pick<Placed, "region" | "precision" | "sparse">): Kernel {
  const { kernel } = region;
  const known = named.get(kernel) ?? new Map<string, Kernel>();
  named.set(kernel, known);
  const kind = sparse ? "Sparse" : "Dense";
  const bits = precision === "f64" ? 64 : 32;
  const own = known.get(kind + bits) ?? pickKernels(kernel, kind, bits);
  known.set(kind + bits, own);
  return own;
}

function pickKernels(kernel: Kernel, kind: "Dense" | "Sparse", bits: 32 | 64): Kernel {
  const ending = new RegExp(`(${kind})?${bits}$`);
  const other = new RegExp(`${kind === "Sparse" ? "Dense" : "Sparse"}(32|64)$|${96 - bits}$`);
  const own = Object.entries(kernel).filter(([name]) => !other.test(name));
  return Object.fromEntries(own.map(([name, each]) => [name.replace(ending, ""), each]));
}
