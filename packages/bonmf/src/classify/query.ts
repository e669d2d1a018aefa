import { mixLabel } from "../kernel/sums.js";

/** A training sample found near a query; a larger `closeness` is nearer. */
export interface Neighbor {
  /** Its number in the training data. */
  readonly index: number;
  readonly closeness: number;
}

/**
 * For each cluster the least angle that a member can have with a query: no cluster is looked into once all that is
 * wanted is found nearer. Infinity closes a cluster; below 0 it is looked into in any case.
 */
export type Route = Float64Array;

/** One query under way. */
export interface Query {
  /** m, and its length. */
  readonly x: Float64Array;
  readonly length: number;
  readonly route: Route;
  readonly found: Neighbor[];
}

/** Keeps `found` sorted, closest first, then by `compareTied`, and no longer than `count`. */
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
 * Which of two equally close training samples comes first: a fixed shuffle of their numbers. The lower number would
 * favour whatever class a sorted file begins with.
 */
export function compareTied(a: number, b: number): number {
  return mixLabel(a, 0, 0) - mixLabel(b, 0, 0) || a - b;
}

/** The places of routes, so that those which begin in the same two clusters follow each other. */
export function sortAlike(routes: readonly Route[]): number[] {
  const n = routes.length;
  const keys = new Float64Array(n);
  for (let i = 0; i < n; i++) keys[i] = keyOf(routes[i]) * n + i;
  return Array.from(keys.sort(), (key) => key % n);
}

function keyOf(route: Route): number {
  let [first, second] = [0, -1];
  for (let j = 1; j < route.length; j++) {
    if (route[j] < route[first]) [first, second] = [j, first];
    else if (second < 0 || route[j] < route[second]) second = j;
  }
  return first * route.length + Math.max(0, second);
}

/** Rising, also where both are infinite. */
export function compareAngles(a: number, b: number): number {
  return a < b ? -1 : Number(a > b);
}

/** Used for bounds and refusals only, never for a choice, since `Math.acos` may differ between engines. */
export function angleOf(cosine: number): number {
  return Math.acos(Math.min(1, Math.max(-1, cosine)));
}
