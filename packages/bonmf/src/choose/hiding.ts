import { Dense } from "../matrix/dense.js";
import { type Matrix, valuesOf } from "../matrix/matrix.js";
import { Sparse } from "../matrix/sparse.js";
import { STREAM, uniform } from "../random.js";

/** Known entries are drawn into so many parts, of which one is hidden. */
const PARTS = 10;

/**
 * A copy of samples in which one part of the known entries is NaN. An entry's part is drawn by (seed, stream, index). The first known
 * entry of a sample and of a feature stays. Of sparse samples, stored values are known.
 */
export function hideEntries(X: Matrix, seed: number, part: number): Matrix {
  const { samples: n, features: m } = X;
  const values = valuesOf(X).slice();
  const seen = new Uint8Array(m);
  for (let i = 0, p = 0; i < n; i++) {
    let first = true;
    X.each(i, (f, x) => {
      const at = p++;
      if (Number.isNaN(x)) return;
      if (!first && seen[f] === 1 && Math.floor(PARTS * uniform(seed, STREAM.hidden, i * m + f)) === part) {
        values[at] = Number.NaN;
      }
      first = false;
      seen[f] = 1;
    });
  }
  return X.kind === "dense" ? new Dense(n, m, values) : Sparse.trust(n, m, X.offsets, X.indices, values);
}

/**
 * Calls `visit` for every entry of sample i that X has and `shown`, a copy by {@link hideEntries}, lacks. What is hidden is listed nowhere.
 */
export function eachHidden(X: Matrix, shown: Matrix, i: number, visit: (feature: number, value: number) => void): void {
  const values = valuesOf(shown);
  let p = X.kind === "dense" ? i * X.features : X.offsets[i];
  X.each(i, (f, x) => {
    if (Number.isNaN(values[p++]) && !Number.isNaN(x)) visit(f, x);
  });
}

/** The standard error of the sum of differences between two errors of each sample, from how samples differ. */
export function spreadOf(errors: Float64Array, others: Float64Array): number {
  const n = errors.length;
  let mean = 0;
  for (let i = 0; i < n; i++) mean += (errors[i] - others[i]) / n;
  let squares = 0;
  for (let i = 0; i < n; i++) squares += (errors[i] - others[i] - mean) ** 2;
  return Math.sqrt((squares * n) / Math.max(1, n - 1));
}
