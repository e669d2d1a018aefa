/**
 * The nearest other points of each point, by an inverted file (H. Jégou et al., "Product quantization for nearest neighbor
 * search", 2011, without the quantisation): points lie in lists around centres, and a point is compared with those of the
 * nearest lists. Coordinates come in the order of their variance, so that most comparisons end after a few of them.
 */
import { Random, STREAM } from "../random.js";
import { countTogether } from "../steps.js";

/** A point is compared with at least so many others, unless told otherwise: with all of them, where there are no more. */
const COMPARED = 3000;
const ROUNDS = 3;
/** Points for each centre in these rounds. */
const SURVEYED = 24;
/** Coordinates that are compared before a comparison may end. */
const STRIDE = 4;

/** Points by list: those of list c are `ids[starts[c]] … ids[starts[c + 1] − 1]`, and `points` holds their coordinates. */
export interface PointLists {
  readonly d: number;
  readonly centres: Float32Array;
  readonly ids: Uint32Array;
  readonly starts: Uint32Array;
  readonly points: Float32Array;
}

/**
 * Yields 0 between steps.
 *
 * @param points n × d
 */
export function* listPoints(
  points: Float32Array,
  d: number,
  seed: number,
  compared = COMPARED,
): Generator<number, PointLists> {
  const n = points.length / d;
  const count = n <= compared ? 1 : Math.ceil(Math.sqrt(n));
  const centres = yield* findCentres(points, d, count, seed);
  const homes = new Uint32Array(n);
  const starts = new Uint32Array(count + 1);
  const together = countTogether(count * d);
  for (let i = 0; i < n; i++) {
    if (i % together === 0) yield 0;
    homes[i] = findCentre(points, i, centres, d, count);
    starts[homes[i] + 1]++;
  }
  for (let c = 0; c < count; c++) starts[c + 1] += starts[c];
  const next = starts.slice();
  const ids = new Uint32Array(n);
  const sorted = new Float32Array(points.length);
  for (let i = 0; i < n; i++) {
    const p = next[homes[i]]++;
    ids[p] = i;
    sorted.set(points.subarray(i * d, (i + 1) * d), p * d);
  }
  return { d, centres, ids, starts, points: sorted };
}

/** A few rounds of k-means on some of the points. */
function* findCentres(points: Float32Array, d: number, count: number, seed: number): Generator<number, Float32Array> {
  const n = points.length / d;
  const random = new Random(seed, STREAM.map);
  const surveyed = random.choose(n, Math.min(n, SURVEYED * count));
  const centres = new Float32Array(count * d);
  const together = countTogether(count * d);
  for (let c = 0; c < count; c++) centres.set(points.subarray(surveyed[c] * d, (surveyed[c] + 1) * d), c * d);
  for (let round = 0; round < ROUNDS && count > 1; round++) {
    const sums = new Float64Array(count * d);
    const sizes = new Uint32Array(count);
    for (const [e, i] of surveyed.entries()) {
      if (e % together === 0) yield 0;
      const c = findCentre(points, i, centres, d, count);
      sizes[c]++;
      for (let a = 0; a < d; a++) sums[c * d + a] += points[i * d + a];
    }
    for (let c = 0; c < count; c++) {
      if (sizes[c] > 0) for (let a = 0; a < d; a++) centres[c * d + a] = sums[c * d + a] / sizes[c];
    }
  }
  return centres;
}

function findCentre(points: Float32Array, i: number, centres: Float32Array, d: number, count: number): number {
  let nearest = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let c = 0; c < count; c++) {
    const distance = distanceWithin(points, i * d, centres, c * d, d, least);
    if (distance < least) {
      least = distance;
      nearest = c;
    }
  }
  return nearest;
}

/** Squared distance, or something above `limit` where it is above. */
function distanceWithin(A: Float32Array, a: number, B: Float32Array, b: number, d: number, limit: number): number {
  let sum = 0;
  let f = 0;
  for (; f + STRIDE <= d; f += STRIDE) {
    const s = A[a + f] - B[b + f];
    const t = A[a + f + 1] - B[b + f + 1];
    const u = A[a + f + 2] - B[b + f + 2];
    const v = A[a + f + 3] - B[b + f + 3];
    sum += s * s + t * t + (u * u + v * v);
    if (sum > limit) return sum;
  }
  for (; f < d; f++) {
    const s = A[a + f] - B[b + f];
    sum += s * s;
  }
  return sum;
}

/** The lists nearest to a centre, itself first, until they hold enough points. */
function nearLists({ d, centres, starts }: PointLists, own: number, compared: number): number[] {
  const count = starts.length - 1;
  const distances = Float64Array.from({ length: count }, (_, c) =>
    distanceWithin(centres, own * d, centres, c * d, d, Number.POSITIVE_INFINITY),
  );
  const order = Uint32Array.from(distances.keys()).sort((a, b) => distances[a] - distances[b] || a - b);
  const lists: number[] = [];
  let held = 0;
  for (const c of order) {
    if (held >= compared) break;
    lists.push(c);
    held += starts[c + 1] - starts[c];
  }
  return lists;
}

/**
 * The `near` nearest other points of each, n × near, nearest first; yields the share that is done.
 */
export function* findNearest(lists: PointLists, near: number, compared = COMPARED): Generator<number, Uint32Array> {
  const { ids, starts } = lists;
  const out = new Uint32Array(ids.length * near);
  const search = openSearch(near);
  for (let c = 0; c < starts.length - 1; c++) {
    const searched = nearLists(lists, c, Math.max(near + 1, compared));
    for (let p = starts[c]; p < starts[c + 1]; p++) {
      search.distances.fill(Number.POSITIVE_INFINITY);
      for (const list of searched) searchList(lists.points, p, lists, list, search);
      for (let e = 0; e < near; e++) out[ids[p] * near + e] = ids[search.best[e]];
      if (p % 64 === 0) yield p / ids.length;
    }
  }
  return out;
}

/** The nearest points found so far, nearest first. */
export interface Search {
  readonly best: Uint32Array;
  readonly distances: Float64Array;
}

export function openSearch(near: number): Search {
  return { best: new Uint32Array(near), distances: new Float64Array(near) };
}

/** Puts the points of one list that are nearer than the best into it; a point is not its own neighbour. */
function searchList(from: Float32Array, p: number, lists: PointLists, list: number, search: Search): void {
  const { d, points, starts } = lists;
  const { distances } = search;
  const last = distances.length - 1;
  for (let q = starts[list]; q < starts[list + 1]; q++) {
    const distance = distanceWithin(from, p * d, points, q * d, d, distances[last]);
    if (distance < distances[last] && (q !== p || from !== points)) insert(search, q, distance);
  }
}

export function insert({ best, distances }: Search, q: number, distance: number): void {
  let place = distances.length - 1;
  for (; place > 0 && distances[place - 1] > distance; place--) {
    distances[place] = distances[place - 1];
    best[place] = best[place - 1];
  }
  distances[place] = distance;
  best[place] = q;
}

/** Points that one from outside the lists is compared with. */
const COMPARED_OUTSIDE = 400;

/**
 * The nearest listed points of others, n × near, nearest first, and their squared distances.
 *
 * @param points n × d
 */
export function* findListed(
  lists: PointLists,
  points: Float32Array,
  near: number,
): Generator<number, { nearest: Uint32Array; distances: Float64Array }> {
  const { d, centres, ids, starts } = lists;
  const n = points.length / d;
  const count = starts.length - 1;
  const nearest = new Uint32Array(n * near);
  const distances = new Float64Array(n * near);
  const around = Array.from({ length: count }, (_, c) => nearLists(lists, c, Math.max(near, COMPARED_OUTSIDE)));
  const search = openSearch(near);
  for (let i = 0; i < n; i++) {
    search.distances.fill(Number.POSITIVE_INFINITY);
    for (const list of around[findCentre(points, i, centres, d, count)]) searchList(points, i, lists, list, search);
    distances.set(search.distances, i * near);
    for (let e = 0; e < near; e++) nearest[i * near + e] = ids[search.best[e]];
    if (i % 64 === 0) yield i / n;
  }
  return { nearest, distances };
}
