/** The exports of assembly/index.ts; addresses are bytes. */
export type Kernel = Record<string, (...args: number[]) => number>;

/** A linear memory with the kernels on it. Views of it may be detached by a later `reserve`: take them anew. */
export interface Region {
  readonly kernel: Kernel;
  /** Room for `bytes`, zeroed, aligned to a cache line. */
  reserve(bytes: number): number;
  f32(at: number, length: number): Float32Array;
  f64(at: number, length: number): Float64Array;
  u32(at: number, length: number): Uint32Array;
}
