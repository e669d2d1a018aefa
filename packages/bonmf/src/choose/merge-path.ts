import { Dense } from "../matrix/dense.js";
import { fit } from "../model/fit.js";
import type { Model } from "../model/model.js";
import { ln } from "../random.js";
import { centreDistances, type Partition } from "./gaps.js";
import type { TellShare } from "./share.js";

/** Sweeps after two clusters are merged: the others hardly move. */
const SWEEPS = 10;
const STARTS = 2;

export interface PathOptions {
  readonly seed: number;
  readonly threads: number | undefined;
  readonly signal: AbortSignal | undefined;
  readonly tell?: TellShare | undefined;
}

/**
 * Partitions into `most`, …, 3, 2 clusters by k-means: the first from scratch, each other from the one before, whose two
 * clusters that are cheapest to merge (Ward 1963) are one. Small clusters that a start with few centres misses are found
 * among many, and stay.
 *
 * @param X n × q
 */
export async function* walkPath(
  X: Dense,
  weights: Float64Array | null,
  most: number,
  { seed, threads, signal, tell }: PathOptions,
): AsyncGenerator<Partition> {
  const given = { method: "kmeans", weights: weights ?? undefined, seed, threads, signal } as const;
  let model = await fit(X, { ...given, k: most, init: "plusplus", restarts: STARTS });
  for (let k = most; k >= 2; k--) {
    const sizes = weighClusters(model, weights);
    tell?.((most - k + 1) / (most - 1));
    yield { k, centres: model.W.data as Float64Array, offsets: offsetsOf(model, sizes, X) };
    if (k > 2) model = await fit(X, { ...given, k: k - 1, init: merge(model, sizes), maxIterations: SWEEPS });
  }
}

/** How many samples each cluster has, by weight. */
export function weighClusters({ k, labels }: Model, weights: Float64Array | null): Float64Array {
  const sizes = new Float64Array(k);
  for (let i = 0; i < labels.length; i++) sizes[labels[i]] += weights?.[i] ?? 1;
  return sizes;
}

/** The pair of k clusters that costs the least. */
export function findCheapest(k: number, costOf: (a: number, b: number) => number): [number, number] {
  let least = Number.POSITIVE_INFINITY;
  let pair: [number, number] = [0, 1];
  for (let a = 0; a < k; a++) {
    for (let b = a + 1; b < k; b++) {
      const cost = costOf(a, b);
      if (cost < least) {
        least = cost;
        pair = [a, b];
      }
    }
  }
  return pair;
}

/** The centres, those of a pair replaced by their mean, which stands where the first stood. */
export function mergeCentres(centres: ArrayLike<number>, sizes: Float64Array, [a, b]: [number, number]): Float64Array {
  const k = sizes.length;
  const q = centres.length / k;
  const both = sizes[a] + sizes[b];
  const share = both > 0 ? sizes[a] / both : 0.5;
  const out = new Float64Array((k - 1) * q);
  for (let j = 0, to = 0; j < k; j++) {
    if (j === b) continue;
    for (let f = 0; f < q; f++) {
      const own = centres[j * q + f];
      out[to * q + f] = j === a ? share * own + (1 - share) * centres[b * q + f] : own;
    }
    to++;
  }
  return out;
}

/** By Ward's cost. */
function merge({ k, W }: Model, sizes: Float64Array): Dense {
  const apart = centreDistances(W.data as Float64Array, k);
  const pair = findCheapest(k, (a, b) => {
    const both = sizes[a] + sizes[b];
    return both > 0 ? ((sizes[a] * sizes[b]) / both) * apart[a * k + b] ** 2 : 0;
  });
  return new Dense(k - 1, W.features, mergeCentres(W.data, sizes, pair));
}

/** The Bayes rule for normal clusters of one variance: squared distance − 2v ln π. */
function offsetsOf({ potential }: Model, sizes: Float64Array, X: Dense): Float64Array {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const variance = potential / (total * X.features);
  return sizes.map((size) => -2 * variance * ln(Math.max(size, 0.5) / total));
}
