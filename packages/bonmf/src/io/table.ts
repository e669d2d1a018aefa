import { DataError } from "../errors.js";
import type { Precision } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";

/** What every reader returns and every writer takes: n samples, and what the file says about them. */
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

export interface ReadOptions {
  /** The file's name, for error messages; "input" by default. */
  name?: string | undefined;
  /** Width of the values in memory; "f32" by default. */
  precision?: Precision | undefined;
}

/** Stops when a list of the table does not have one entry a sample, or one a feature. */
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

/** Stops when a file held no samples at all. */
export function checkSamples(samples: number, name: string): void {
  if (samples === 0) throw new DataError("empty", `${name}: there are no samples in it: at least one is needed`);
}
