/**
 * The nearest samples of sparse data, by the samples that have each feature (an inverted index, as search engines keep):
 * exact, and quick while no feature is in many samples. Words are spread over more directions than a few components hold.
 */
import { type Matrix, valuesOf } from "../matrix/matrix.js";
import { Sparse } from "../matrix/sparse.js";
import { insert, openSearch } from "./nearest-samples.js";

/** Largest share of non-zero values. */
const MOST_STORED = 0.1;
/** Most products of two values. */
const MOST_PRODUCTS = 1e9;

/** The samples as sparse ones if they can be searched this way, however they are stored. */
export function suitsPostings(X: Matrix): Sparse | null {
  const values = valuesOf(X);
  let stored = 0;
  for (let p = 0; p < values.length; p++) if (values[p] !== 0) stored++;
  if (stored > MOST_STORED * X.samples * X.features) return null;
  const sparse = X.kind === "dense" ? Sparse.fromDense(X) : X;
  const sizes = new Uint32Array(X.features);
  for (const f of sparse.indices) sizes[f]++;
  let products = X.samples * X.samples;
  for (const size of sizes) products += size * size;
  return products > MOST_PRODUCTS ? null : sparse;
}

/**
 * The `near` nearest other samples of each, n × near, nearest first; yields the share that is done.
 */
export function* searchPostings(X: Sparse, near: number): Generator<number, Uint32Array> {
  const { samples: n, offsets, indices, values } = X;
  const { starts, holders, held } = listHolders(X);
  const squares = Float64Array.from({ length: n }, (_, i) => {
    let sum = 0;
    for (let p = offsets[i]; p < offsets[i + 1]; p++) sum += values[p] * values[p];
    return sum;
  });
  const out = new Uint32Array(n * near);
  const products = new Float64Array(n);
  const search = openSearch(near);
  for (let i = 0; i < n; i++) {
    products.fill(0);
    for (let p = offsets[i]; p < offsets[i + 1]; p++) {
      const f = indices[p];
      for (let q = starts[f]; q < starts[f + 1]; q++) products[holders[q]] += values[p] * held[q];
    }
    search.distances.fill(Number.POSITIVE_INFINITY);
    for (let j = 0; j < n; j++) {
      const distance = squares[i] + squares[j] - 2 * products[j];
      if (distance < search.distances[near - 1] && j !== i) insert(search, j, distance);
    }
    out.set(search.best, i * near);
    if (i % 64 === 0) yield i / n;
  }
  return out;
}

/** The samples that have feature f, `holders[starts[f]] … holders[starts[f + 1] − 1]`, and their values. */
function listHolders({ samples, features, offsets, indices, values }: Sparse) {
  const starts = new Uint32Array(features + 1);
  for (const f of indices) starts[f + 1]++;
  for (let f = 0; f < features; f++) starts[f + 1] += starts[f];
  const next = starts.slice();
  const holders = new Uint32Array(indices.length);
  const held = new Float64Array(indices.length);
  for (let i = 0; i < samples; i++) {
    for (let p = offsets[i]; p < offsets[i + 1]; p++) {
      const at = next[indices[p]]++;
      holders[at] = i;
      held[at] = values[p];
    }
  }
  return { starts, holders, held };
}
