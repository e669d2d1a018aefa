import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { allocateDense, holdout, type Matrix, readCsv, readLibsvm } from "bonmf";
import { lookUp } from "../datasets/catalogue.js";
import { resolveSource } from "../datasets/find.js";
import type { Subject } from "./subjects.js";

/** n labelled samples. */
export interface Labelled {
  readonly X: Matrix;
  readonly y: readonly string[];
}

export interface Samples extends Labelled {
  readonly classes: number;
}

/** What one run learns from and what it is tested on. */
export interface Lesson {
  readonly train: Labelled;
  readonly test: Labelled;
  readonly classes: number;
}

export const SHARE = 0.8;
/** Samples with fewer zeros take hardly more room with them, and less time. */
const FULL = 0.375;

/** @throws UserError where the dataset is not on this machine */
export function readSamples({ source, against }: Subject): Samples {
  const path = resolveSource(`@${source}`);
  const bytes = gunzipSync(readFileSync(path));
  const { X, labels = [] } = path.endsWith(".svm.gz")
    ? readLibsvm(bytes, { name: path, features: lookUp(source).files[0].features })
    : readCsv(bytes, { name: path, label: "class" });
  const y = against === undefined ? labels : labels.map((label) => (label === against ? label : `not ${against}`));
  const full = X.kind === "sparse" && X.values.length > FULL * X.samples * X.features;
  return { X: full ? X.toDense() : X, y, classes: new Set(y).size };
}

/** A random split, not by class: the paper says no more than 80 %. */
export function cut({ X, y, classes }: Samples, seed: number): Lesson {
  const take = (ids: Uint32Array): Labelled => ({ X: X.take(ids), y: Array.from(ids, (i) => y[i]) });
  const { train, test } = holdout(X.samples, SHARE, seed);
  const lesson = take(train);
  return { train: { ...lesson, X: moveIn(lesson.X) }, test: take(test), classes };
}

/** Samples where a fit reads them in place, as the command's other readers leave them; sparse ones stay where they are. */
export function moveIn(X: Matrix): Matrix {
  if (X.kind === "sparse") return X;
  const moved = allocateDense(X.samples, X.features, X.precision);
  moved.data.set(X.data);
  return moved;
}
