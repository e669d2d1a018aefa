/** A CSV file as threads read it; characters are given by their codes. */
export interface CsvFile {
  readonly path: string;
  readonly delimiter: number;
  readonly decimal: number;
  readonly quote: number;
  readonly escape: number;
  /** Whether lines end in CR LF. */
  readonly cr: boolean;
  readonly header: boolean;
  /** Bytes up to the end of the last row. */
  readonly size: number;
  /** For each column its feature; −2 − t for the text column t; −1 for a column that is not read. */
  readonly targets: Int32Array;
}

/** The lines that begin in bytes start … end − 1 of a file. */
export interface Block {
  readonly file: number;
  readonly start: number;
  readonly end: number;
}

/** What the threads do together. */
export interface Job {
  readonly files: readonly CsvFile[];
  readonly tasks: readonly Block[];
  /** How many columns are kept as text. */
  readonly texts: number;
  /** Rows of m values, at least as many as are expected, in shared memory. */
  readonly out: Float32Array;
  readonly m: number;
  /** The next block that no thread has taken, in shared memory. */
  readonly next: Int32Array;
  /** The rows of each block, −1 before they are counted, in shared memory. */
  readonly counts: Int32Array;
}

/** A finished block. */
export interface Done {
  readonly task: number;
  /** For each feature its one value, or NaN: see ConstantFeatures. */
  readonly constant: Float32Array;
  /** The text columns, one after the other. */
  readonly texts: readonly (readonly string[])[];
}
