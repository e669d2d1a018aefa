import { openArena } from "../engine/memory/shared-memory-arena.js";
import { isTame, MOST_BEST } from "../kernel/neighbors/error-bound.js";
import { NeighborScreen, type Way } from "../kernel/neighbors/neighbor-screen.js";
import { SparseScreen } from "../kernel/neighbors/sparse-screen.js";
import type { Region } from "../kernel/region.js";
import { type Rows, readRow, rowsOf } from "../kernel/rows.js";
import { squaredNorms } from "../kernel/squared-norms.js";
import { Dense } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";
import { rowLengths } from "../matrix/prototypes.js";
import { Sparse } from "../matrix/sparse.js";
import {
  angleOf,
  compareAngles,
  compareTied,
  insert,
  type Neighbor,
  type Query,
  type Route,
  sortAlike,
} from "./query.js";
import { QueryBatch } from "./query-batch.js";

export { angleOf, compareTied, type Neighbor } from "./query.js";

/** `cosine`: the cosine of the angle, 0 where a vector is zero; `distance`: minus the Euclidean distance, squared. */
export type Closeness = "cosine" | "distance";

/**
 * Training samples kept cluster by cluster (an inverted file), searched by cosine or distance. Every search breaks ties
 * by `compareTied`, so an exact one returns what brute force would.
 */
export class NeighborIndex {
  /** How many training samples the searches so far have compared with. */
  visited = 0;
  /** Members of cluster j are `ids[starts[j]] … ids[starts[j+1] − 1]`, numbers rising. */
  readonly #ids: Uint32Array;
  readonly #starts: Uint32Array;
  /** How many they are. */
  readonly #sizes: Uint32Array;
  /** The cluster of each training sample, their values and lengths. */
  readonly #homes: Uint32Array;
  readonly #samples: Matrix;
  readonly #rows: Rows;
  readonly #norms: Float64Array;
  readonly #squares: Float64Array;
  readonly #W: Float64Array;
  readonly #k: number;
  /** ρ_j, the largest angle between w_j and a member; measured when an exact search needs it. */
  #radii: Float64Array | null = null;
  readonly #slack: number;
  /** What finds all that may matter by SIMD kernels, where they can run. */
  readonly #screen: NeighborScreen | null = null;
  readonly #panel: SparseScreen | null = null;
  /** All training samples, zero ones first, by `compareTied`; made when a zero query needs it. */
  #shuffle: Uint32Array | null = null;

  /**
   * @param Z IN n × m, values of 0 or more
   * @param clusters IN n labels
   * @param W IN k × m
   * @param region room for the SIMD kernels, if they are to be used
   */
  constructor(Z: Matrix, clusters: ArrayLike<number>, W: Float64Array, k: number, region: Region | null = null) {
    this.#sizes = new Uint32Array(k);
    for (let i = 0; i < Z.samples; i++) this.#sizes[clusters[i]]++;
    this.#starts = new Uint32Array(k + 1);
    for (let j = 0; j < k; j++) this.#starts[j + 1] = this.#starts[j] + this.#sizes[j];
    this.#ids = new Uint32Array(Z.samples);
    this.#homes = new Uint32Array(clusters);
    const next = this.#starts.slice();
    for (let i = 0; i < Z.samples; i++) this.#ids[next[clusters[i]]++] = i;
    this.#squares = squaredNorms(Z);
    const norms = new Float64Array(Z.samples);
    for (let i = 0; i < norms.length; i++) norms[i] = Math.sqrt(this.#squares[i]);
    this.#norms = norms;
    if (region !== null && Z.kind === "sparse" && !isFull(Z)) {
      if (SparseScreen.suits(Z, norms)) this.#panel = new SparseScreen(region, Z, norms, this.#ids, this.#starts);
    } else if (region !== null && NeighborScreen.suits(Z, norms)) {
      this.#screen = new NeighborScreen(region, Z, norms, this.#ids, this.#starts);
    }
    this.#samples = this.#screen?.samples ?? copy(Z);
    this.#rows = rowsOf(this.#samples);
    // Rounding moves a cosine by up to about m ulps, and an angle by the root of twice that.
    this.#slack = 3 * Math.sqrt(2 * (Z.features + 8) * Number.EPSILON);
    this.#W = W;
    this.#k = k;
  }

  /** The same with the SIMD kernels, where they can run: they find the same. */
  static async open(Z: Matrix, clusters: ArrayLike<number>, W: Float64Array, k: number): Promise<NeighborIndex> {
    const bytes = Z.kind === "sparse" && !isFull(Z) ? SparseScreen.bytesOf(Z) : NeighborScreen.bytesOf(Z, k);
    return new NeighborIndex(Z, clusters, W, k, await openArena(bytes));
  }

  get #radius(): Float64Array {
    this.#radii ??= this.#measureRadii();
    return this.#radii;
  }

  #measureRadii(): Float64Array {
    const lengths = rowLengths(this.#W, this.#k);
    const radii = new Float64Array(this.#k);
    for (let i = 0; i < this.#homes.length; i++) {
      const j = this.#homes[i];
      if (this.#norms[i] === 0) continue;
      const cosine = lengths[j] > 0 ? this.#rows.dot(i, this.#W, j) / (lengths[j] * this.#norms[i]) : 0;
      radii[j] = Math.max(radii[j], angleOf(cosine));
    }
    return radii;
  }

  /** The training samples, a copy. */
  samples(): Matrix {
    return copy(this.#samples);
  }

  /** Whether cluster j has no training sample. */
  isEmpty(j: number): boolean {
    return this.#sizes[j] === 0;
  }

  /**
   * The `count` closest members of the named clusters.
   *
   * @param x IN m, the query
   */
  search(x: Float64Array, clusters: Iterable<number>, count: number, by: Closeness = "cosine"): Neighbor[] {
    const found: Neighbor[] = [];
    const length = lengthOf(x);
    if (length === 0 && by === "cosine") {
      return this.#takeTied({ x, length, found, route: this.routeThrough([...clusters]) }, count);
    }
    for (const j of clusters) this.#scan(x, length, j, count, by, found);
    return found;
  }

  /**
   * The `count` closest training samples by angle, whatever their cluster.
   *
   * @param x IN m, the query
   * @param cosines IN k, of x with each prototype
   */
  searchExact(x: Float64Array, cosines: ArrayLike<number>, count: number): Neighbor[] {
    return this.#walk(this.#begin(x, this.routeExactly(cosines)), count);
  }

  /**
   * The route past every cluster that can hold a closest member: θ(x,w_j) − ρ_j. Zero samples need no bound of their
   * own: while they matter the worst angle is π/2, which no θ − ρ exceeds.
   */
  routeExactly(cosines: ArrayLike<number>): Route {
    const radii = this.#radius;
    const route = new Float64Array(this.#k);
    for (let j = 0; j < route.length; j++) route[j] = angleOf(cosines[j]) - radii[j] - this.#slack;
    return route;
  }

  /** The route through the named clusters alone. */
  routeThrough(clusters: readonly number[]): Route {
    const route = new Float64Array(this.#k).fill(Number.POSITIVE_INFINITY);
    clusters.forEach((j, place) => {
      route[j] = place - clusters.length;
    });
    return route;
  }

  /** Whether `searchMany` uses the SIMD kernels. */
  get isQuick(): boolean {
    return this.#screen !== null || this.#panel !== null;
  }

  /**
   * The `count` closest training samples by angle to each of several queries, on the way that each one's route leaves.
   *
   * @param Q IN n × m; the queries are the rows from `first` on, as many as there are routes
   */
  searchMany(Q: Matrix, first: number, routes: readonly Route[], count: number): Neighbor[][] {
    if (this.#screen === null || count > MOST_BEST) return this.#searchBatches(Q, first, routes, count);
    const way: Way = { reach: (i, out) => writeReach(routes[i], out) };
    const x = new Float64Array(Q.features);
    const all = routes.map((): Neighbor[] => []);
    const { hits } = this.#screen;
    this.#screen.search(Q, first, routes.length, count, way, (i, from, to, visited) => {
      readRow(Q, first + i, x);
      const query = this.#begin(x, routes[i], all[i]);
      if (from === to) this.#walk(query, count);
      else this.visited += visited;
      for (let h = 2 * from; h < 2 * to; h += 2) insert(all[i], hits[h], this.#cosine(x, query.length, hits[h]), count);
    });
    return all;
  }

  /**
   * The closest training sample of each query's home, or −1 where `search` must find it; null where it must find all.
   *
   * @param Q IN n × m
   * @param homes IN n
   */
  findNearest(Q: Matrix, homes: ArrayLike<number>): Int32Array | null {
    if (this.#screen === null) return null;
    const nearest = new Int32Array(Q.samples).fill(-1);
    const { hits } = this.#screen;
    this.#screen.search(Q, 0, Q.samples, 1, { homes }, (i, from, to, visited) => {
      if (from === to) return;
      this.visited += visited;
      nearest[i] = hits[2 * from];
      if (to - from === 1) return;
      const x = new Float64Array(Q.features);
      readRow(Q, i, x);
      const found: Neighbor[] = [];
      const length = lengthOf(x);
      for (let h = 2 * from; h < 2 * to; h += 2) insert(found, hits[h], this.#cosine(x, length, hits[h]), 1);
      nearest[i] = found[0].index;
    });
    return nearest;
  }

  #searchBatches(Q: Matrix, first: number, routes: readonly Route[], count: number): Neighbor[][] {
    const all = routes.map((): Neighbor[] => []);
    const panel = count > MOST_BEST ? null : this.#panel;
    const decide = ({ x, length, found }: Query, i: number) => insert(found, i, this.#cosine(x, length, i), count);
    const batch = panel && new QueryBatch(panel, this.#sizes, count, decide);
    const lanes = Math.min(routes.length, panel?.lanes ?? 1);
    const room = Array.from({ length: lanes }, () => new Float64Array(Q.features));
    for (const i of sortAlike(routes)) {
      const x = room[batch?.size ?? 0];
      readRow(Q, first + i, x);
      const query = this.#begin(x, routes[i], all[i]);
      if (batch === null || !isTame(query.length)) this.#walk(query, count);
      else if (batch.add(query)) this.visited += batch.sift();
    }
    if (batch !== null && batch.size > 0) this.visited += batch.sift();
    return all;
  }

  #begin(x: Float64Array, route: Route, found: Neighbor[] = []): Query {
    return { x, length: lengthOf(x), route, found };
  }

  #walk(query: Query, count: number): Neighbor[] {
    const { x, length, route, found } = query;
    if (length === 0) return this.#takeTied(query, count);
    const order = Uint32Array.from(route, (_, j) => j).sort((a, b) => compareAngles(route[a], route[b]));
    for (const j of order) {
      if (route[j] > (found.length === count ? angleOf(found[count - 1].closeness) : Number.MAX_VALUE)) break;
      this.#scan(x, length, j, count, "cosine", found);
    }
    return found;
  }

  /**
   * A zero query is the same as zero members, all of them, however many were asked for: one alone would decide for every
   * zero query there is. Without any, all members are equally far.
   */
  #takeTied({ route, found }: Query, count: number): Neighbor[] {
    this.#shuffle ??= this.#ids
      .slice()
      .sort((a, b) => Math.sign(this.#norms[a]) - Math.sign(this.#norms[b]) || compareTied(a, b));
    route.forEach((least, j) => {
      if (least < Number.POSITIVE_INFINITY) this.visited += this.#sizes[j];
    });
    for (const index of this.#shuffle) {
      const zero = this.#norms[index] === 0;
      if (!zero && (found[0]?.closeness === 1 || found.length === count)) break;
      if (route[this.#homes[index]] === Number.POSITIVE_INFINITY) continue;
      found.push({ index, closeness: zero ? 1 : 0 });
    }
    return found;
  }

  #cosine(x: Float64Array, length: number, index: number): number {
    const scale = length * this.#norms[index];
    return scale > 0 ? this.#rows.dot(index, x, 0) / scale : 0;
  }

  #scan(x: Float64Array, length: number, j: number, count: number, by: Closeness, found: Neighbor[]): void {
    const from = this.#starts[j];
    const to = this.#starts[j + 1];
    this.visited += to - from;
    for (let p = from; p < to; p++) {
      const i = this.#ids[p];
      const closeness =
        by === "cosine" ? this.#cosine(x, length, i) : 2 * this.#rows.dot(i, x, 0) - this.#squares[i] - length * length;
      insert(found, i, closeness, count);
    }
  }
}

/** ‖x‖, as `rowLengths` has it. */
function lengthOf(x: Float64Array): number {
  let sum = 0;
  for (let f = 0; f < x.length; f++) sum += x[f] * x[f];
  return Math.sqrt(sum);
}

function copy(X: Matrix): Matrix {
  if (X.kind === "dense") return new Dense(X.samples, X.features, X.data.slice());
  return Sparse.trust(X.samples, X.features, X.offsets.slice(), X.indices.slice(), X.values.slice());
}

/** Sparse members with a larger share of values than this are screened as dense ones are: a few features tell most apart. */
const FULL = 0.25;

function isFull(Z: Matrix): boolean {
  return Z.kind === "dense" || Z.values.length > FULL * Z.samples * Z.features;
}

/** For each cluster the largest cosine that its members can have, rounded up; less than −1 where it is closed. */
function writeReach(route: Route, out: Float32Array): void {
  for (let j = 0; j < route.length; j++) {
    const angle = route[j];
    out[j] = angle === Number.POSITIVE_INFINITY ? -2 : angle > 0 ? Math.cos(angle) + 1e-6 : 2 - angle;
  }
}
