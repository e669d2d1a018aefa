import { mixLabel } from "../kernel/sums.js";

/** A training sample found near a query; a larger `closeness` is nearer. */
export interface Neighbor {
  /** Its number in the training data. */
  readonly index: number;
  readonly closeness: number;
}

/**
 * For each cluster a lower bound on the angle between a query and its members. Clusters are searched in the order of
 * their bounds, until a bound exceeds the angle of the worst neighbour found. Infinity closes a cluster; a cluster with a
 * negative bound is always searched.
 */
export type ClusterBounds = Float64Array;

/** A query and what it has found so far. */
export interface Query {
  /** m values, and their length. */
  readonly x: Float64Array;
  readonly length: number;
  readonly bounds: ClusterBounds;
  /** Closest first. */
  readonly found: Neighbor[];
}

/** Inserts a neighbour into `found`, which stays sorted, closest first, then by `compareTied`, and at most `count` long. */
export function insert(found: Neighbor[], index: number, closeness: number, count: number): void {
  if (found.length === count) {
    if (!isBefore(index, closeness, found[count - 1])) return;
    found.pop();
  }
  const neighbor = { index, closeness };
  let at = found.push(neighbor) - 1;
  for (; at > 0 && isBefore(index, closeness, found[at - 1]); at--) found[at] = found[at - 1];
  found[at] = neighbor;
}

function isBefore(index: number, closeness: number, other: Neighbor): boolean {
  return closeness > other.closeness || (closeness === other.closeness && compareTied(index, other.index) < 0);
}

/**
 * Orders training samples that are equally close by a fixed shuffle of their numbers. The lower number would favour the
 * class that a sorted file begins with.
 */
export function compareTied(a: number, b: number): number {
  return mixLabel(a, 0, 0) - mixLabel(b, 0, 0) || a - b;
}

/** Numbers of queries, ordered so that those with the same two first clusters are neighbours. */
export function sortByFirstClusters(queries: readonly ClusterBounds[]): number[] {
  const n = queries.length;
  const keys = new Float64Array(n);
  for (let i = 0; i < n; i++) keys[i] = keyOf(queries[i]) * n + i;
  return Array.from(keys.sort(), (key) => key % n);
}

function keyOf(bounds: ClusterBounds): number {
  let [first, second] = [0, -1];
  for (let j = 1; j < bounds.length; j++) {
    if (bounds[j] < bounds[first]) [first, second] = [j, first];
    else if (second < 0 || bounds[j] < bounds[second]) second = j;
  }
  return first * bounds.length + Math.max(0, second);
}

/** Numbers of clusters by rising bound. A plain difference would be NaN for two infinite bounds. */
export function sortClusters(bounds: ClusterBounds): Uint32Array {
  return Uint32Array.from(bounds, (_, j) => j).sort((a, b) => {
    return bounds[a] < bounds[b] ? -1 : Number(bounds[a] > bounds[b]);
  });
}

/** `Math.acos` may differ between JavaScript engines: use it for bounds with slack and for refusals only. */
export function angleOf(cosine: number): number {
  return Math.acos(Math.min(1, Math.max(-1, cosine)));
}
