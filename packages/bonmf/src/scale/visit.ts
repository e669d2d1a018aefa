import { Dense } from "../matrix/dense.js";
import { Sparse } from "../matrix/sparse.js";
import { countTogether, type Steps } from "../steps.js";
import type { Visited } from "./scaling.js";

/** The values of a sample that are not 0; NaN is a missing one. */
export interface Row {
  readonly indices: Uint32Array;
  readonly values: Float64Array;
  /** Only so many entries of either belong to the sample. */
  count: number;
}

/**
 * Calls `visit` for every sample with weight above 0, and returns the total weight. Zeros of dense samples are left out too,
 * so that dense and sparse samples give the same bits. A call for each value would take several times as long.
 *
 * @param visit is given the same row each time
 */
export function* visitRows(
  X: Visited,
  weights: Float64Array | undefined,
  visit: (row: Row, weight: number) => void,
): Steps<number> {
  const together = countTogether(X.features);
  const row = { indices: new Uint32Array(X.features), values: new Float64Array(X.features), count: 0 };
  const read = openRows(X, row);
  let total = 0;
  for (let i = 0; i < X.samples; i++) {
    if (i % together === 0) yield;
    const weight = weights ? weights[i] : 1;
    if (weight === 0) continue;
    total += weight;
    read(i);
    visit(row, weight);
  }
  return total;
}

function openRows(X: Visited, row: Row): (sample: number) => void {
  if (X instanceof Dense) return (sample) => readDense(X, sample, row);
  if (X instanceof Sparse) return (sample) => readSparse(X, sample, row);
  return readOther(X, row);
}

function readDense({ data, features }: Dense, sample: number, row: Row): void {
  const { indices, values } = row;
  let count = 0;
  for (let f = 0, p = sample * features; f < features; f++, p++) {
    if (data[p] === 0) continue;
    indices[count] = f;
    values[count++] = data[p];
  }
  row.count = count;
}

function readSparse(X: Sparse, sample: number, row: Row): void {
  const { indices, values } = row;
  let count = 0;
  for (let p = X.offsets[sample], end = X.offsets[sample + 1]; p < end; p++) {
    if (X.values[p] === 0) continue;
    indices[count] = X.indices[p];
    values[count++] = X.values[p];
  }
  row.count = count;
}

function readOther(X: Visited, row: Row): (sample: number) => void {
  const add = (feature: number, value: number) => {
    if (value === 0) return;
    row.indices[row.count] = feature;
    row.values[row.count++] = value;
  };
  return (sample) => {
    row.count = 0;
    X.each(sample, add);
  };
}

export interface Range {
  readonly min: Float64Array;
  readonly max: Float64Array;
}

/** The least and the largest value of every feature among the samples with weight above 0. */
export function* findRange(X: Visited, weights: Float64Array | undefined): Steps<Range> {
  const min = new Float64Array(X.features).fill(Number.POSITIVE_INFINITY);
  const max = new Float64Array(X.features).fill(Number.NEGATIVE_INFINITY);
  const seen = new Float64Array(X.features);
  // Counts, not weights: a sum with a huge weight would lose the small ones.
  const present = weights?.map((weight) => (weight > 0 ? 1 : 0));
  const samples = yield* visitRows(X, present, ({ indices, values, count }) => {
    for (let e = 0; e < count; e++) {
      const f = indices[e];
      if (values[e] < min[f]) min[f] = values[e];
      if (values[e] > max[f]) max[f] = values[e];
      // A missing value changes neither, and is no 0.
      seen[f]++;
    }
  });
  for (let f = 0; f < X.features; f++) {
    if (seen[f] === samples) continue;
    min[f] = Math.min(min[f], 0);
    max[f] = Math.max(max[f], 0);
  }
  return { min, max };
}
