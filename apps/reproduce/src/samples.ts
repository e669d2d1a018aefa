import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { allocateDense, holdout, type Matrix, readCsv, readLibsvm } from "bonmf";
import type { PaperDataset } from "./datasets.js";

/** n labelled samples. */
export interface Labelled {
  readonly X: Matrix;
  readonly y: readonly string[];
}

export interface Samples extends Labelled {
  readonly classes: number;
}

/** The training and test samples of one run. */
export interface Split {
  readonly train: Labelled;
  readonly test: Labelled;
  readonly classes: number;
}

export const SHARE = 0.8;
/** Above this density dense samples take hardly more memory, and less time. */
const FULL = 0.375;

/** The file of a dataset on this machine, and its shape. */
export interface DatasetFile {
  readonly path: string;
  readonly samples: number;
  readonly features: number;
  readonly classes: number;
}

export function readSamples({ against }: PaperDataset, { path, features }: DatasetFile): Samples {
  const bytes = gunzipSync(readFileSync(path));
  const { X, labels = [] } = path.endsWith(".svm.gz")
    ? readLibsvm(bytes, { name: path, features })
    : readCsv(bytes, { name: path, label: "class" });
  const y = against === undefined ? labels : labels.map((label) => (label === against ? label : `not ${against}`));
  const full = X.kind === "sparse" && X.values.length > FULL * X.samples * X.features;
  return { X: full ? X.toDense() : X, y, classes: new Set(y).size };
}

/** A random split, not stratified: the paper says only 80 %. */
export function splitSamples({ X, y, classes }: Samples, seed: number): Split {
  const take = (ids: Uint32Array): Labelled => ({ X: X.take(ids), y: Array.from(ids, (i) => y[i]) });
  const { train, test } = holdout(X.samples, SHARE, seed);
  const part = take(train);
  return { train: { ...part, X: moveToKernelMemory(part.X) }, test: take(test), classes };
}

/** Copies dense samples to where a fit reads them in place, as the command's readers do. */
export function moveToKernelMemory(X: Matrix): Matrix {
  if (X.kind === "sparse") return X;
  const moved = allocateDense(X.samples, X.features, X.precision);
  moved.data.set(X.data);
  return moved;
}
