/** Packings that are undone here. */
export type Codec = "UNCOMPRESSED" | "SNAPPY" | "GZIP" | "BROTLI" | "ZSTD" | "LZ4_FRAME";

/** How numbers stand in the file; the place in this list is what the kernel calls them. */
export const KINDS = ["f32", "f64", "i32", "u32", "i64", "u64", "i16", "u16", "i8", "u8"] as const;

export type Kind = (typeof KINDS)[number];

/** In bytes. */
export function widthOf(kind: Kind): number {
  return Number(kind.slice(1)) / 8;
}

/** The values of one column in one row group. */
export interface Chunk {
  /** Which of the order's files. */
  readonly file: number;
  /** Parquet has pages with headers, Arrow nothing but the values. */
  readonly format: "parquet" | "arrow";
  readonly values: number;
  readonly start: number;
  readonly end: number;
  readonly codec: Codec;
  readonly kind: Kind;
  /** Whether it says for each row that there is a value. */
  readonly levels: boolean;
}

/** Some rows of one row group, some features side by side. */
export interface Task {
  readonly chunks: readonly Chunk[];
  /** The feature of the first chunk. */
  readonly feature: number;
  /** The first sample. */
  readonly sample: number;
  /** Rows of the group before it. */
  readonly skip: number;
  readonly rows: number;
}

/** What the threads do together. */
export interface Order {
  readonly paths: readonly string[];
  readonly tasks: readonly Task[];
  /** n × m, in shared memory. */
  readonly out: Float32Array;
  readonly m: number;
  /** The next task that nobody has taken, in shared memory. */
  readonly next: Int32Array;
}

/** A task that is done. */
export interface Done {
  readonly task: number;
  /** For each feature the value it has throughout, or NaN. */
  readonly still: Float32Array;
}
