import type { Precision } from "bonmf";
import type { Stats, Step } from "bonmf/engine";

/** A step with its number among the steps of the fit. */
export interface NumberedStep {
  readonly number: number;
  readonly step: Step;
}

/** How the samples are laid out: partition after partition, cut at block boundaries. */
export interface Shape {
  readonly samples: number;
  readonly features: number;
  readonly precision: Precision;
  readonly sparse: boolean;
  /** The first sample of each partition, then the number of samples. */
  readonly cuts: readonly number[];
}

/** What the client asks of every partition. */
export interface Request {
  readonly shape: Shape;
  /** The steps that lead from nothing to the state `step` needs, for partitions that do not have it. */
  readonly prior: readonly NumberedStep[];
  /** In place of `prior`: the number of its last step, for partitions that have its state. */
  readonly after?: number | undefined;
  readonly step?: NumberedStep;
  /** Samples to copy out. */
  readonly rows?: readonly number[];
  /** The fit is over: forget the samples. */
  readonly close?: boolean;
}

/** Some of a partition's samples, packed by an executor and cached by Spark. */
export interface Chunk {
  readonly samples: number;
  readonly values: Float32Array | Float64Array;
  /** For sparse samples: how many values each has, and their features. */
  readonly lengths?: Uint32Array;
  readonly indices?: Uint32Array;
}

/** Copies of some samples, one after another. */
export interface Rows {
  readonly ids: readonly number[];
  readonly data: Float32Array | Float64Array;
}

/** The answer to a step: totals, and the ranked samples, which are usually asked for next. */
export interface Totals {
  readonly partitions: readonly number[];
  /** Whether the totals may be added in any order. */
  readonly exact: boolean;
  readonly stats: Stats;
  readonly rows: Rows;
}
