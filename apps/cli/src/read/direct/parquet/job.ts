/** What numbers the file has; the WASM kernel knows each by its place in this list. */
export const NUMBER_TYPES = ["f32", "f64", "i32", "u32", "i64", "u64", "i8", "u8", "i16", "u16"] as const;

export type NumberType = (typeof NUMBER_TYPES)[number];

/** In bytes, as stored: small integers take four. */
export function widthOf(type: NumberType): number {
  return Math.max(4, Number(type.slice(1)) / 8);
}

/** The values of one column in one row group. */
export interface ColumnChunk {
  /** Index into the job's files. */
  readonly file: number;
  readonly values: number;
  /** Bytes start … end − 1 of the file. */
  readonly start: number;
  readonly end: number;
  readonly type: NumberType;
  readonly snappy: boolean;
  /** Whether the column has definition levels, that is, values may be missing. */
  readonly optional: boolean;
}

/** Some neighbouring features of one row group. */
export interface Task {
  readonly chunks: readonly ColumnChunk[];
  /** The feature of the first chunk. */
  readonly feature: number;
  /** The first sample. */
  readonly sample: number;
  readonly rows: number;
}

/** What the threads do together. */
export interface Job {
  readonly paths: readonly string[];
  readonly tasks: readonly Task[];
  /** n × m, in shared memory. */
  readonly out: Float32Array;
  readonly m: number;
  /** The next task that no thread has taken, in shared memory. */
  readonly next: Int32Array;
}

/** A finished task. */
export interface Done {
  readonly task: number;
  /** For each feature of the task its one value, or NaN: see ConstantFeatures. */
  readonly constant: Float32Array;
}
