import type { Precision } from "bonmf";
import type { Stats, Step } from "bonmf/engine";

/** A step with its number among all steps of the fit that change what executors remember. */
export interface NumberedStep {
  readonly number: number;
  readonly step: Step;
}

/** The samples as they are laid out over the partitions: each partition's follow the previous one's, cut at block boundaries. */
export interface Shape {
  readonly samples: number;
  readonly features: number;
  readonly precision: Precision;
  readonly sparse: boolean;
  /** The first sample of each partition, and at the end the number of samples. */
  readonly cuts: readonly number[];
}

/** What the client asks of every partition. */
export interface Request {
  readonly shape: Shape;
  /** The steps that lead from nothing to the state the next one needs, for partitions that do not remember it. */
  readonly prior: readonly NumberedStep[];
  /** In the place of those steps the number of the last one, for partitions that do. */
  readonly after?: number | undefined;
  readonly step?: NumberedStep;
  /** Samples to copy out. */
  readonly rows?: readonly number[];
  /** The fit is over: forget the samples. */
  readonly close?: boolean;
}

/** Some of a partition's samples, as packed by the executors and cached by Spark. */
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

/** What partitions answer to a step: their totals, and the samples they rank, which are likely to be asked for next. */
export interface Totals {
  readonly partitions: readonly number[];
  /** Whether the totals may be added in any order. */
  readonly exact: boolean;
  readonly stats: Stats;
  readonly rows: Rows;
}
