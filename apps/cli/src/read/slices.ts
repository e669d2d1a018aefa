import type { Data } from "./data.js";

/** Samples in memory in parts of at most `rows`. */
export function* slice(data: Data, rows: number): Generator<Data> {
  const { X, labels, ids, weights } = data;
  for (let from = 0; from < X.samples; from += rows) {
    const to = Math.min(from + rows, X.samples);
    yield {
      ...data,
      X: X.slice(from, to),
      labels: labels?.slice(from, to) ?? null,
      ids: ids?.slice(from, to) ?? null,
      weights: weights?.slice(from, to) ?? null,
      notes: from === 0 ? data.notes : [],
    };
  }
}
