import type { Precision } from "../matrix/dense.js";
import type { Gaps } from "../matrix/gaps.js";
import { type Kernels, type PrecisionKernels, selectPrecision } from "./module.js";

export type { Kernels, PrecisionKernels };

/** The kernels' own scratch, one for each thread. */
export const SCRATCH_BYTES = 256;

/** A linear memory with the kernels on it. Views of it may be detached by a later `reserve`: take them anew. */
export interface Region {
  readonly kernel: Kernels;
  /** Where kernels leave small results. */
  readonly scratch: number;
  /** Room for `bytes`, zeroed unless it is `filled` at once, aligned to a cache line. */
  reserve(bytes: number, filled?: boolean): number;
  /** Room for `bytes` that the caller fills at once; 0 where others may need it more. */
  reserveSome(bytes: number): number;
  f32(at: number, length: number): Float32Array;
  f64(at: number, length: number): Float64Array;
  u32(at: number, length: number): Uint32Array;
}

/** What is missing of samples, and the addresses of its offsets and features. */
export interface PlacedGaps {
  readonly list: Gaps;
  readonly offsets: number;
  readonly features: number;
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
  /** Bytes of all samples here. */
  readonly bytes: number;
  /** The most values a sample stores. */
  readonly longest: number;
  /** f64 × n: ‖x‖. */
  readonly norms: number;
  /** Bytes of the whole data, if all samples stay in memory. */
  readonly whole?: number;
  /** The number of the first sample in the whole data. */
  readonly offset: number;
  /** f64 × n: ω, or 0 where every sample counts once. */
  readonly weights: number;
  /** The most lower bounds a sample may keep, where memory is short. */
  readonly groups?: number | undefined;
  /** What is missing of the samples; absent: nothing. */
  readonly gaps?: PlacedGaps | null;
}

/** How `ScoreInput` names gaps. @param angular whether prototypes are compared by angle */
export function gapFields(gaps: PlacedGaps | null | undefined, angular: boolean): Record<GapField, number> {
  const { list, offsets = 0, features = 0 } = gaps ?? {};
  return { gapOffsets: offsets, gapFeatures: features, gapsKnown: +(list?.listed === "known"), angular: +angular };
}

type GapField = "gapOffsets" | "gapFeatures" | "gapsKnown" | "angular";

const selected = new WeakMap<Kernels, Record<Precision, PrecisionKernels>>();

/** The kernels for samples of one precision, named without it: `dotDense` for `dotDense32`. */
export function kernelsFor({ region, precision }: Pick<Placed, "region" | "precision">): PrecisionKernels {
  const { kernel } = region;
  let both = selected.get(kernel);
  if (both === undefined) {
    both = { f32: selectPrecision(kernel, "f32"), f64: selectPrecision(kernel, "f64") };
    selected.set(kernel, both);
  }
  return both[precision];
}
