import { DataError, describePlace, OptionError, quote } from "../errors.js";
import { allocate, Dense } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";
import { Sparse } from "../matrix/sparse.js";
import { Random, STREAM } from "../random.js";

/** Streams of features begin here, beyond those of STREAM. */
const FEATURE_STREAMS = 0x1000;

/**
 * A null reference: the values of each feature in another order, each feature's own. Every feature keeps its distribution,
 * and nothing that two features have in common is left. What a measure finds here, it finds in data without clusters;
 * but also correlation is gone, so that one elongated group differs from its reference as well.
 *
 * @param X n × m
 * @param seed a whole number, 0 or more; the same seed gives the same matrix
 * @returns n × m, dense or sparse as X is
 * @throws OptionError for a bad seed
 *
 * @example
 * ```ts
 * import { Dense, shuffleFeatures } from "bonmf";
 * const X = Dense.from([[1, 10], [2, 20], [3, 30], [4, 40]]);
 * const R = shuffleFeatures(X, 7);
 * [0, 1, 2, 3].map((i) => R.at(i, 1)).sort(); // → [10, 20, 30, 40]
 * ```
 */
export function shuffleFeatures(X: Matrix, seed: number): Matrix {
  checkSeed(seed);
  return X.kind === "dense" ? shuffleDense(X, seed) : shuffleSparse(X, seed);
}

function shuffleDense(X: Dense, seed: number): Dense {
  const { samples, features, data } = X;
  const out = allocate(X.precision, data.length);
  out.set(data);
  for (let f = 0; f < features; f++) {
    const random = new Random(seed, FEATURE_STREAMS + f);
    for (let i = samples - 1; i > 0; i--) {
      const p = i * features + f;
      const q = random.below(i + 1) * features + f;
      const held = out[p];
      out[p] = out[q];
      out[q] = held;
    }
  }
  return new Dense(samples, features, out);
}

/** A feature's stored values go to as many distinct samples. */
function shuffleSparse(X: Sparse, seed: number): Sparse {
  const { samples, features, indices, values } = X;
  const columns = new Uint32Array(features + 1);
  for (const f of indices) columns[f + 1]++;
  for (let f = 0; f < features; f++) columns[f + 1] += columns[f];
  const byColumn = allocate(X.precision, values.length);
  const next = columns.slice();
  for (let p = 0; p < values.length; p++) byColumn[next[indices[p]]++] = values[p];
  const rows = new Uint32Array(values.length);
  const offsets = new Uint32Array(samples + 1);
  for (let f = 0; f < features; f++) {
    rows.set(new Random(seed, FEATURE_STREAMS + f).choose(samples, columns[f + 1] - columns[f]), columns[f]);
  }
  for (const i of rows) offsets[i + 1]++;
  for (let i = 0; i < samples; i++) offsets[i + 1] += offsets[i];
  const outIndices = new Uint32Array(values.length);
  const outValues = allocate(X.precision, values.length);
  const at = offsets.slice();
  // Feature after feature, so that the indices of every sample rise.
  for (let f = 0; f < features; f++) {
    for (let p = columns[f]; p < columns[f + 1]; p++) {
      const q = at[rows[p]]++;
      outIndices[q] = f;
      outValues[q] = byColumn[p];
    }
  }
  return Sparse.trust(samples, features, offsets, outIndices, outValues);
}

/**
 * A null reference for counts, of words above all: every sample keeps its total, and its words are drawn anew from the
 * totals of all samples together, as if all had one topic.
 *
 * @param X n × m whole numbers, 0 or more
 * @param seed a whole number, 0 or more; the same seed gives the same matrix
 * @returns n × m, sparse
 * @throws DataError for a value that is no count, OptionError for a bad seed
 *
 * @example
 * ```ts
 * import { Dense, resampleCounts } from "bonmf";
 * const X = Dense.from([[4, 0, 0], [0, 2, 1]]);
 * const R = resampleCounts(X, 7);
 * R.row(0).reduce((sum, count) => sum + count, 0); // → 4
 * ```
 */
export function resampleCounts(X: Matrix, seed: number): Sparse {
  checkSeed(seed);
  const totals = new Float64Array(X.features);
  const lengths = new Float64Array(X.samples);
  for (let i = 0; i < X.samples; i++) {
    X.each(i, (f, count) => {
      if (!Number.isInteger(count) || count < 0) throw noCount(i, f, count);
      totals[f] += count;
      lengths[i] += count;
    });
  }
  const drawWord = aliasTable(totals);
  const random = new Random(seed, STREAM.reference);
  const offsets = new Uint32Array(X.samples + 1);
  const indices: number[] = [];
  const values: number[] = [];
  for (let i = 0; i < X.samples; i++) {
    const counts = new Map<number, number>();
    for (let word = 0; word < lengths[i]; word++) {
      const f = drawWord(random.next());
      counts.set(f, (counts.get(f) ?? 0) + 1);
    }
    for (const [f, count] of [...counts].sort((a, b) => a[0] - b[0])) {
      indices.push(f);
      values.push(count);
    }
    offsets[i + 1] = indices.length;
  }
  const data = allocate(X.precision, values.length);
  data.set(values);
  return Sparse.trust(X.samples, X.features, offsets, Uint32Array.from(indices), data);
}

/** Draws an index by weight in constant time (Walker 1977, Vose 1991). */
function aliasTable(weights: Float64Array): (u: number) => number {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const n = weights.length;
  const share = weights.map((weight) => (weight * n) / total);
  const alias = Uint32Array.from({ length: n }, (_, i) => i);
  const small: number[] = [];
  const large: number[] = [];
  share.forEach((s, i) => {
    (s < 1 ? small : large).push(i);
  });
  while (small.length > 0 && large.length > 0) {
    const i = small.pop()!;
    const j = large.pop()!;
    alias[i] = j;
    share[j] -= 1 - share[i];
    (share[j] < 1 ? small : large).push(j);
  }
  for (const i of [...small, ...large]) share[i] = 1;
  return (u) => {
    const i = Math.floor(u * n);
    return u * n - i < share[i] ? i : alias[i];
  };
}

function noCount(sample: number, feature: number, value: number): DataError {
  const place = { sample, feature, value };
  const remedy = "counts are whole numbers, 0 or more. For other values use shuffleFeatures";
  return new DataError("count", `${describePlace(place)} is ${value}: ${remedy}`, place);
}

function checkSeed(seed: number): void {
  if (Number.isSafeInteger(seed) && seed >= 0) return;
  throw new OptionError("seed", seed, `seed must be a whole number from 0 to 2^53 − 1, not ${quote(seed)}`);
}
