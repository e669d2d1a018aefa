import type { Data } from "./data.js";

/** Samples in memory in parts of at most `rows`. */
export function* slice(data: Data, rows: number): Generator<Data> {
  const { X, labels, ids, weights, vectors, dropped } = data;
  const takeDropped = shareOut(dropped ?? []);
  for (let from = 0; from < X.samples; from += rows) {
    const to = Math.min(from + rows, X.samples);
    yield {
      ...data,
      X: X.slice(from, to),
      labels: labels?.slice(from, to) ?? null,
      ids: ids?.slice(from, to) ?? null,
      weights: weights?.slice(from, to) ?? null,
      ...(vectors && { vectors: vectors.slice(from, to) }),
      notes: from === 0 ? data.notes : [],
      ...(dropped && { dropped: takeDropped(to - from) }),
    };
  }
}

/** Tells which of the rows that were left out come before the last of the next samples. */
function shareOut(dropped: readonly number[]): (samples: number) => number[] {
  let row = 0;
  let next = 0;
  return (samples) => {
    const found: number[] = [];
    for (let left = samples; left > 0; row++) {
      if (dropped[next] === row) found.push(dropped[next++]);
      else left--;
    }
    return found;
  };
}
