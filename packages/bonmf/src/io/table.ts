import { DataError } from "../errors.js";
import type { KnownOptions } from "../known-options.js";
import type { Precision } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";

/** A data file's content, which every reader returns and every writer takes. */
export interface Table {
  /** n samples × m features. */
  X: Matrix;
  /** n class labels, as the text in the file. */
  labels?: string[] | undefined;
  /** m feature names. */
  featureNames?: string[] | undefined;
  /** n sample ids, as the text in the file. */
  ids?: string[] | undefined;
}

/** Options of every reader. */
export interface ReadOptions {
  /** The file's name, which begins every error message. Default "input". */
  name?: string | undefined;
  /** The precision of the values in memory. Default "f32". */
  precision?: Precision | undefined;
  /**
   * Bytes that may be allocated for what the file claims; a {@link MemoryError} refuses larger claims. Default: 256 times
   * the size of the file, and at least 512 MB.
   */
  maxBytes?: number | undefined;
}

export const READ_OPTIONS: KnownOptions<ReadOptions> = { name: true, precision: true, maxBytes: true };

/** Checks that labels and ids have one entry per sample, and feature names one per feature. */
export function checkTable({ X, labels, featureNames, ids }: Table): void {
  const lists = [
    ["labels", labels, X.samples, "samples"],
    ["ids", ids, X.samples, "samples"],
    ["featureNames", featureNames, X.features, "features"],
  ] as const;
  for (const [name, list, size, unit] of lists) {
    if (list === undefined || list.length === size) continue;
    throw new DataError("shape", `${name} has ${list.length} entries but X has ${size} ${unit}: give one for each`);
  }
}

/** Refuses a file without samples. */
export function checkSamples(samples: number, name: string): void {
  if (samples === 0) throw new DataError("empty", `${name}: the file has no samples: at least one is needed`);
}
