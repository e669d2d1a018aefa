/** A CSV file as threads read it; characters by their codes. */
export interface Script {
  readonly path: string;
  readonly delimiter: number;
  readonly decimal: number;
  readonly quote: number;
  readonly escape: number;
  readonly cr: boolean;
  readonly header: boolean;
  /** Bytes up to and with its last row. */
  readonly size: number;
  /** For each column its feature; from −2 downwards the texts; −1 for what nobody wants. */
  readonly targets: Int32Array;
}

/** The lines that begin in this part of a file. */
export interface Block {
  readonly file: number;
  readonly start: number;
  readonly end: number;
}

/** What the threads do together. */
export interface Writing {
  readonly files: readonly Script[];
  readonly tasks: readonly Block[];
  /** Columns kept as text. */
  readonly texts: number;
  /** At least as many rows as were expected × m, in shared memory. */
  readonly out: Float32Array;
  readonly m: number;
  /** The next block that nobody has taken, in shared memory. */
  readonly next: Int32Array;
  /** The rows of each block, −1 before they are counted, in shared memory. */
  readonly counts: Int32Array;
}

/** A block that is done. */
export interface Written {
  readonly task: number;
  /** For each feature the value it has throughout, or NaN. */
  readonly still: Float32Array;
  /** Column after column. */
  readonly texts: readonly (readonly string[])[];
}
