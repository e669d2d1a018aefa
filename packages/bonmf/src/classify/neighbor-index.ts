import { openArena } from "../engine/memory/shared-memory-arena.js";
import { isInRange, MOST_BEST } from "../kernel/neighbors/error-bound.js";
import { NeighborScreen, type SearchedClusters } from "../kernel/neighbors/neighbor-screen.js";
import { SparseScreen } from "../kernel/neighbors/sparse-screen.js";
import { type Rows, readRow, rowsOf } from "../kernel/plain/rows.js";
import type { Region } from "../kernel/region.js";
import { squaredNorms } from "../kernel/squared-norms.js";
import { Dense } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";
import { rowLengths } from "../matrix/prototypes.js";
import { Sparse } from "../matrix/sparse.js";
import {
  angleOf,
  type ClusterBounds,
  compareTied,
  insert,
  type Neighbor,
  type Query,
  sortByFirstClusters,
  sortClusters,
} from "./query.js";
import { QueryBatch } from "./query-batch.js";

/** `cosine`: the cosine of the angle, 0 where a vector is zero; `distance`: minus the squared Euclidean distance. */
export type Closeness = "cosine" | "distance";

/**
 * An inverted file: training samples by cluster, searched by cosine or distance. Ties are broken by `compareTied`, so an
 * exact search returns what brute force would.
 */
export class NeighborIndex {
  /** How many training samples the searches so far have compared with. */
  visited = 0;
  readonly #lists: InvertedLists;
  /** The cluster of each training sample, their values, lengths and squared lengths. */
  readonly #homes: Uint32Array;
  readonly #samples: Matrix;
  readonly #rows: Rows;
  readonly #norms: Float64Array;
  readonly #squares: Float64Array;
  readonly #W: Float64Array;
  readonly #k: number;
  /** k, ρ_j: the largest angle between w_j and a member. Measured by the first exact search. */
  #radii: Float64Array | null = null;
  /** k, 1 where a member is zero. */
  readonly #holdsZero: Uint8Array;
  readonly #slack: number;
  /** SIMD kernels that rule out most members: one for dense samples, one for sparse; both null without WebAssembly. */
  readonly #screen: NeighborScreen | null = null;
  readonly #sparseScreen: SparseScreen | null = null;
  /** All training samples, zero ones first, then by `compareTied`. Sorted by the first zero query. */
  #tied: Uint32Array | null = null;

  /**
   * @param Z IN n × m
   * @param clusters IN n labels
   * @param W IN k × m
   * @param region memory for the SIMD kernels; null: do without them
   */
  constructor(Z: Matrix, clusters: ArrayLike<number>, W: Float64Array, k: number, region: Region | null = null) {
    const lists = groupByCluster(clusters, k);
    const squares = squaredNorms(Z);
    const norms = new Float64Array(Z.samples);
    for (let i = 0; i < norms.length; i++) norms[i] = Math.sqrt(squares[i]);
    if (region !== null && isSparse(Z)) {
      if (SparseScreen.suits(Z, norms))
        this.#sparseScreen = new SparseScreen(region, Z, norms, lists.ids, lists.starts);
    } else if (region !== null && NeighborScreen.suits(Z, norms)) {
      this.#screen = new NeighborScreen(region, Z, norms, lists.ids, lists.starts);
    }
    this.#lists = lists;
    this.#homes = new Uint32Array(clusters);
    this.#holdsZero = new Uint8Array(k);
    for (let i = 0; i < norms.length; i++) if (norms[i] === 0) this.#holdsZero[clusters[i]] = 1;
    this.#samples = this.#screen?.samples ?? copy(Z);
    this.#rows = rowsOf(this.#samples);
    this.#norms = norms;
    this.#squares = squares;
    // Rounding moves a cosine by up to about m ulps, and an angle by the root of twice that.
    this.#slack = 3 * Math.sqrt(2 * (Z.features + 8) * Number.EPSILON);
    this.#W = W;
    this.#k = k;
  }

  /** Uses the SIMD kernels where they can run. The results are the same. */
  static async open(Z: Matrix, clusters: ArrayLike<number>, W: Float64Array, k: number): Promise<NeighborIndex> {
    const bytes = isSparse(Z) ? SparseScreen.bytesOf(Z) : NeighborScreen.bytesOf(Z, k);
    return new NeighborIndex(Z, clusters, W, k, await openArena(bytes));
  }

  /** A copy of the training samples. */
  samples(): Matrix {
    return copy(this.#samples);
  }

  /** Whether cluster j has no training sample. */
  isEmpty(j: number): boolean {
    return this.#lists.sizes[j] === 0;
  }

  /** Whether `searchMany` uses the SIMD kernels. */
  get usesKernels(): boolean {
    return this.#screen !== null || this.#sparseScreen !== null;
  }

  /**
   * Bounds for an exact search: θ(x,w_j) − ρ_j, by the triangle inequality; π/2 at most where a member is zero, because its
   * cosine counts as 0.
   *
   * @param cosines IN k, of the query with each prototype
   */
  boundAll(cosines: ArrayLike<number>): ClusterBounds {
    this.#radii ??= this.#measureRadii();
    const bounds = new Float64Array(this.#k);
    for (let j = 0; j < bounds.length; j++) {
      const angle = angleOf(cosines[j]) - this.#radii[j];
      bounds[j] = (this.#holdsZero[j] ? Math.min(angle, Math.PI / 2) : angle) - this.#slack;
    }
    return bounds;
  }

  /** Bounds for a search of all of these clusters, in this order, and of no others. */
  boundOnly(clusters: readonly number[]): ClusterBounds {
    const bounds = new Float64Array(this.#k).fill(Number.POSITIVE_INFINITY);
    clusters.forEach((j, place) => {
      bounds[j] = place - clusters.length;
    });
    return bounds;
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

  /**
   * The `count` closest members of the named clusters.
   *
   * @param x IN m, the query
   */
  search(x: Float64Array, clusters: readonly number[], count: number, by: Closeness = "cosine"): Neighbor[] {
    const query = this.#ask(x, NO_BOUNDS);
    if (query.length === 0 && by === "cosine") {
      return this.#takeTied({ ...query, bounds: this.boundOnly(clusters) }, count);
    }
    for (const j of clusters) this.#scan(query, j, count, by);
    return query.found;
  }

  /**
   * The `count` closest training samples by angle, whatever their cluster.
   *
   * @param x IN m, the query
   * @param cosines IN k, of x with each prototype
   */
  searchExact(x: Float64Array, cosines: ArrayLike<number>, count: number): Neighbor[] {
    return this.#walk(this.#ask(x, this.boundAll(cosines)), count);
  }

  /**
   * The `count` closest training samples by angle to each query, in the clusters that its bounds admit.
   *
   * @param Q IN n × m, the queries
   * @param bounds IN n, one for each query
   */
  searchMany(Q: Matrix, bounds: readonly ClusterBounds[], count: number): Neighbor[][] {
    if (this.#screen === null || count > MOST_BEST) return this.#searchBatches(Q, bounds, count);
    const clusters: SearchedClusters = { reach: (i, out) => writeReach(bounds[i], out) };
    const x = new Float64Array(Q.features);
    const all = bounds.map((): Neighbor[] => []);
    const { hits } = this.#screen;
    this.#screen.search(Q, count, clusters, (i, from, to, visited) => {
      readRow(Q, i, x);
      const query = this.#ask(x, bounds[i], all[i]);
      if (from === to) this.#walk(query, count);
      else this.visited += visited;
      for (let h = 2 * from; h < 2 * to; h += 2) this.#compare(query, hits[h], count);
    });
    return all;
  }

  /**
   * The closest training sample in each query's home cluster. −1 where only `search` can find it; null where that is so
   * for all queries.
   *
   * @param Q IN n × m
   * @param homes IN n
   */
  findNearest(Q: Matrix, homes: ArrayLike<number>): Int32Array | null {
    if (this.#screen === null) return null;
    const nearest = new Int32Array(Q.samples).fill(-1);
    const { hits } = this.#screen;
    this.#screen.search(Q, 1, { homes }, (i, from, to, visited) => {
      if (from === to) return;
      this.visited += visited;
      nearest[i] = hits[2 * from];
      if (to - from === 1) return;
      const x = new Float64Array(Q.features);
      readRow(Q, i, x);
      const query = this.#ask(x, NO_BOUNDS);
      for (let h = 2 * from; h < 2 * to; h += 2) this.#compare(query, hits[h], 1);
      nearest[i] = query.found[0].index;
    });
    return nearest;
  }

  /** Searches in batches by the sparse screen; one by one where it cannot serve. */
  #searchBatches(Q: Matrix, bounds: readonly ClusterBounds[], count: number): Neighbor[][] {
    const all = bounds.map((): Neighbor[] => []);
    const screen = count > MOST_BEST ? null : this.#sparseScreen;
    const decide = (query: Query, member: number) => this.#compare(query, member, count);
    const batch = screen && new QueryBatch(screen, this.#lists.sizes, count, decide);
    const lanes = Math.min(bounds.length, screen?.lanes ?? 1);
    const rows = Array.from({ length: lanes }, () => new Float64Array(Q.features));
    for (const i of sortByFirstClusters(bounds)) {
      const x = rows[batch?.size ?? 0];
      readRow(Q, i, x);
      const query = this.#ask(x, bounds[i], all[i]);
      if (batch === null || !isInRange(query.length)) this.#walk(query, count);
      else if (batch.add(query)) this.visited += batch.search();
    }
    if (batch !== null && batch.size > 0) this.visited += batch.search();
    return all;
  }

  #ask(x: Float64Array, bounds: ClusterBounds, found: Neighbor[] = []): Query {
    return { x, length: lengthOf(x), bounds, found };
  }

  /** Searches cluster after cluster, until the next bound rules out all that follow. */
  #walk(query: Query, count: number): Neighbor[] {
    const { length, bounds, found } = query;
    if (length === 0) return this.#takeTied(query, count);
    for (const j of sortClusters(bounds)) {
      if (bounds[j] > (found.length === count ? angleOf(found[count - 1].closeness) : Number.MAX_VALUE)) break;
      this.#scan(query, j, count, "cosine");
    }
    return found;
  }

  /**
   * The neighbours of a zero query: all zero members, however many were asked for, since a single one would decide for
   * every zero query. Without zero members, all members are equally far.
   */
  #takeTied({ bounds, found }: Query, count: number): Neighbor[] {
    this.#tied ??= this.#lists.ids
      .slice()
      .sort((a, b) => Math.sign(this.#norms[a]) - Math.sign(this.#norms[b]) || compareTied(a, b));
    bounds.forEach((bound, j) => {
      if (bound < Number.POSITIVE_INFINITY) this.visited += this.#lists.sizes[j];
    });
    for (const index of this.#tied) {
      const zero = this.#norms[index] === 0;
      if (!zero && (found[0]?.closeness === 1 || found.length === count)) break;
      if (bounds[this.#homes[index]] === Number.POSITIVE_INFINITY) continue;
      found.push({ index, closeness: zero ? 1 : 0 });
    }
    return found;
  }

  #compare({ x, length, found }: Query, member: number, count: number): void {
    insert(found, member, this.#cosine(x, length, member), count);
  }

  #cosine(x: Float64Array, length: number, member: number): number {
    const scale = length * this.#norms[member];
    return scale > 0 ? this.#rows.dot(member, x, 0) / scale : 0;
  }

  /** Compares a query with all members of cluster j. */
  #scan({ x, length, found }: Query, j: number, count: number, by: Closeness): void {
    const { ids, starts } = this.#lists;
    const to = starts[j + 1];
    this.visited += to - starts[j];
    for (let p = starts[j]; p < to; p++) {
      const i = ids[p];
      const closeness =
        by === "cosine" ? this.#cosine(x, length, i) : 2 * this.#rows.dot(i, x, 0) - this.#squares[i] - length * length;
      insert(found, i, closeness, count);
    }
  }
}

const NO_BOUNDS: ClusterBounds = new Float64Array(0);

/** The members of cluster j are `ids[starts[j]] … ids[starts[j+1] − 1]`, numbers rising. */
interface InvertedLists {
  readonly ids: Uint32Array;
  /** k + 1. */
  readonly starts: Uint32Array;
  /** k. */
  readonly sizes: Uint32Array;
}

function groupByCluster(clusters: ArrayLike<number>, k: number): InvertedLists {
  const n = clusters.length;
  const sizes = new Uint32Array(k);
  for (let i = 0; i < n; i++) sizes[clusters[i]]++;
  const starts = new Uint32Array(k + 1);
  for (let j = 0; j < k; j++) starts[j + 1] = starts[j] + sizes[j];
  const ids = new Uint32Array(n);
  const next = starts.slice();
  for (let i = 0; i < n; i++) ids[next[clusters[i]]++] = i;
  return { ids, starts, sizes };
}

/** ‖x‖, as `rowLengths` computes it. */
function lengthOf(x: Float64Array): number {
  let sum = 0;
  for (let f = 0; f < x.length; f++) sum += x[f] * x[f];
  return Math.sqrt(sum);
}

function copy(X: Matrix): Matrix {
  if (X.kind === "dense") return new Dense(X.samples, X.features, X.data.slice());
  return Sparse.trust(X.samples, X.features, X.offsets.slice(), X.indices.slice(), X.values.slice());
}

/** Above this share of stored values, a few features rule out most members, so sparse samples use the dense screen. */
const MOST_STORED = 0.25;

function isSparse(Z: Matrix): Z is Sparse {
  return Z.kind === "sparse" && Z.values.length <= MOST_STORED * Z.samples * Z.features;
}

/** Turns bounds into the largest cosine that each cluster's members can have, rounded up; less than −1: closed. */
function writeReach(bounds: ClusterBounds, out: Float32Array): void {
  for (let j = 0; j < bounds.length; j++) {
    const angle = bounds[j];
    out[j] = angle === Number.POSITIVE_INFINITY ? -2 : angle > 0 ? Math.cos(angle) + 1e-6 : 2 - angle;
  }
}
