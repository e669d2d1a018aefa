import { OptionError } from "../errors.js";
import type { Precision } from "../matrix/dense.js";

/** Reads bytes from somewhere: a file, say. */
export interface Reader {
  /** Fills `into` with the bytes from `at` on: synchronously where possible, else in a promise. */
  read(at: number, into: Uint8Array): Promise<void> | undefined;
  /** Called by the thread that opened the reader, when it is done. */
  close?(): Promise<void> | undefined;
}

/** A reader that every thread opens for itself: it imports `module` and calls its `openReader(options)`. */
export interface ReaderModule {
  /** The URL of a module. */
  readonly module: string;
  /** Plain data. */
  readonly options: unknown;
}

/** The layout of stored samples, in little-endian bytes. */
export interface Stored {
  readonly samples: number;
  readonly features: number;
  readonly precision: Precision;
  /** Dense: sample after sample, value after value. Sparse: part after part. */
  readonly kind: "dense" | "sparse";
  /**
   * Sparse: samples in a part, a power of two, 128 or more; the last part may have fewer. A part is CSR: count + 1 offsets
   * (u32, from 0), the feature of each value (u32, ascending within a sample), the values.
   */
  readonly part: number;
  /** Dense: where the first sample begins. Sparse: where each part begins, and where the last ends. */
  readonly starts: Float64Array;
  /** A `Reader` serves one thread, a `ReaderModule` any number. */
  readonly reader: Reader | ReaderModule;
}

export function isReaderModule(reader: Stored["reader"]): reader is ReaderModule {
  return "module" in reader;
}

export async function openReader(reader: Stored["reader"]): Promise<Reader> {
  if (!isReaderModule(reader)) return reader;
  const found: { openReader?: (options: unknown) => Reader | Promise<Reader> } = await import(
    /* @vite-ignore */ /* webpackIgnore: true */ reader.module
  );
  if (typeof found.openReader === "function") return found.openReader(reader.options);
  throw new OptionError("reader", reader.module, `${reader.module} has no function openReader`);
}

/** Bytes of a value. */
export function sizeOf({ precision }: Pick<Stored, "precision">): number {
  return precision === "f64" ? 8 : 4;
}

/** How many values part p of sparse samples stores. */
export function countStored({ samples, part, starts, precision }: Stored, p: number): number {
  const count = Math.min(part, samples - p * part);
  return (starts[p + 1] - starts[p] - 4 * (count + 1)) / (4 + sizeOf({ precision }));
}

/** Bytes of all samples. */
export function bytesOf(stored: Stored): number {
  const { samples, features, kind, starts } = stored;
  return kind === "dense" ? samples * features * sizeOf(stored) : starts[starts.length - 1] - starts[0];
}
