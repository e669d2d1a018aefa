import { DataError } from "../errors.js";
import { allocate, Dense } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";
import { Sparse } from "../matrix/sparse.js";

type Rule = (value: number, feature: number) => number;

/** The most values of sparse samples made dense. */
export const MOST_VALUES = 2 ** 30;

/** Maps every value; NaN, a missing one, stays. Sparse samples stay sparse, and share their indices, if every feature maps 0 to 0. */
export function mapValues(X: Dense, map: Rule): Dense;
export function mapValues(X: Matrix, map: Rule): Matrix;
export function mapValues(X: Matrix, map: Rule): Matrix {
  const { samples, features } = X;
  if (X.kind === "sparse" && keepsZeros(features, map)) {
    const values = allocate(X.precision, X.values.length);
    for (let p = 0; p < values.length; p++) values[p] = map(X.values[p], X.indices[p]);
    return Sparse.trust(samples, features, X.offsets, X.indices, values);
  }
  checkDense(X, features);
  const from = X.toDense().data;
  const to = X.kind === "dense" ? allocate(X.precision, from.length) : from;
  for (let i = 0, p = 0; i < samples; i++) {
    for (let f = 0; f < features; f++, p++) to[p] = Number.isNaN(from[p]) ? Number.NaN : map(from[p], f);
  }
  return new Dense(samples, features, to);
}

function keepsZeros(features: number, map: Rule): boolean {
  for (let f = 0; f < features; f++) if (map(0, f) !== 0) return false;
  return true;
}

/** Refuses to make sparse samples dense where that would take gigabytes. */
export function checkDense(X: Matrix, outputs: number): void {
  if (X.kind === "dense" || X.samples * outputs <= MOST_VALUES) return;
  throw new DataError(
    "too-large",
    `this scaler turns zeros into other values, and ${X.samples} sparse samples × ${outputs} features, made dense, ` +
      `are more than ${MOST_VALUES} values: choose scale: "tfidf", "l2" or "none", which keep the samples sparse`,
  );
}
