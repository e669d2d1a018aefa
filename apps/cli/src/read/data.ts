import type { Data, Declared, Kind, Size, TableOptions } from "bonmf-data";
import type { Named } from "./files/sources.js";

export type { Data, Kind, Recipe, TextOptions } from "bonmf-data";

/** The rows of a query, asked once. */
export interface Spool {
  /** Where they may be written. */
  readonly place: () => Promise<string>;
  /** The SQL that reads them, once they are there. */
  source?: string;
}

export interface ReadOptions extends TableOptions {
  /** What the sources are, where content and name mislead. */
  readonly kind?: Kind | undefined;
  readonly sql?: string | undefined;
  /** What the header of a file says of its columns. */
  readonly declared?: Declared | undefined;
  /** Where the rows of the query are kept, for all who read them; by default for each on its own. */
  readonly spool?: Spool | undefined;
  /** The file of a zip archive to read. */
  readonly member?: string | undefined;
  /** The table of a SQLite file; by default the only one. */
  readonly table?: string | undefined;
  /** The number of features of LIBSVM files; by default the largest index. */
  readonly width?: number | undefined;
  /** The sheet of an Excel file; by default the first. */
  readonly sheet?: string | undefined;
  /** Width × height that images are brought to; by default the first one's, at most 64 × 64. */
  readonly size?: Size | undefined;
  /** Only the first rows are wanted, to estimate the size: columns of plain numbers are not looked at before. */
  readonly glance?: boolean | undefined;
  /** Bytes that the user allows for what files claim; default: see findBudget, which sets `budget`. */
  readonly maxBytes?: number | undefined;
  /** Bytes that reading may take, about, for parts; default: what speed wants. */
  readonly memory?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** rows so far, and of how many where that is known; or bytes. */
  readonly onProgress?: ((done: number, total: number | null, unit: "rows" | "bytes" | "files") => void) | undefined;
}

/** Reads sources (paths, globs, folders, "-" for standard input, files already found) into one matrix. */
export type Read = (sources: readonly Named[], options: ReadOptions) => Promise<Data>;

/** The same in parts of at most `rows` samples, for data larger than memory. */
export type ReadParts = (sources: readonly Named[], options: ReadOptions, rows: number) => AsyncIterable<Data>;
