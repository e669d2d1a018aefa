import type { Floats } from "../../matrix/dense.js";
import type { Matrix } from "../../matrix/matrix.js";
import { readRow } from "../plain/rows.js";
import { kernelsFor, type Region } from "../region.js";
import { errorOf, MOST_PRODUCTS } from "./error-bound.js";
import { buildTiles } from "./member-tiles.js";
import { countLanes, LENGTH_RANGE, tileBytes } from "./screen-struct.js";

/** Hits that a call has memory for, beside the most that two queries can find. */
const HITS = 2 ** 14;
const LITTLE = 2 ** 26;

/**
 * The clusters that a query searches: one home for each query, or all that can matter. `reach` writes for query i the
 * largest cosine that a member of each cluster can have.
 */
export type SearchedClusters =
  | { readonly homes: ArrayLike<number> }
  | { readonly reach: (i: number, out: Float32Array) => void };

/** Is called with the hits from … to − 1 of query i; with none where the screen cannot answer. */
export type OnHits = (i: number, from: number, to: number, visited: number) => void;

/**
 * Rules out most members of clusters, by bounds in 16 bits, before cosines are computed.
 *
 * Let x and z be unit vectors, c the centre of z's cluster, r = x − c and s = z − c. Then
 * ⟨x,z⟩ = 1 − ½‖r‖² − ½‖s‖² + ⟨r,s⟩. A few leading features give part of ⟨r,s⟩; by Cauchy–Schwarz the rest is at most the
 * product of the lengths of what remains of r and s. This bound is summed in 16 bits for all members. The few that it
 * does not rule out get a score: their cosine in the members' precision. A score differs from the cosine in float64 by at
 * most `error`, so a member that scores below the worst of the `count` best by more than twice `error` is not among them.
 */
export class NeighborScreen {
  readonly error: number;
  /** Holds the memory; freed when garbage-collected. */
  readonly region: Region;
  /** The members, in the region's memory. */
  readonly samples: Matrix;
  /** Pairs of words: member and score. */
  readonly hits: Uint32Array;
  readonly #k: number;
  readonly #lanes: number;
  readonly #stage: Floats;
  readonly #homes: Uint32Array;
  readonly #reaches: Float32Array;
  /** The order in which queries are searched: those of one home follow each other. */
  readonly #list: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #worsts: Float32Array;
  readonly #visits: Uint32Array;
  readonly #normalize: (count: number) => void;
  readonly #search: (from: number, to: number, count: number, byHome: boolean) => number;

  /** Whether the error bound holds for members of these lengths. */
  static suits(Z: Matrix, lengths: Float64Array): boolean {
    const [short, long] = LENGTH_RANGE[Z.precision];
    for (let i = 0; i < lengths.length; i++) {
      const length = lengths[i];
      if (length !== 0 && !(length >= short && length <= long)) return false;
    }
    return Z.features <= MOST_PRODUCTS;
  }

  /**
   * How many bytes to ask the arena for. Little data asks for no more than a fit of the same samples did, so that the
   * fit's idle memory can be reused; it grows on demand.
   */
  static bytesOf(Z: Matrix, k: number): number {
    const arrays = Z.kind === "dense" ? [Z.data] : [Z.values, Z.indices, Z.offsets];
    const stored = arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
    const all = stored + tileBytes(Z, k) + 16 * Z.samples + 4 * k * countLanes(Z.features);
    return all > LITTLE ? all : stored + 64 * Z.samples;
  }

  /**
   * @param Z IN n × m
   * @param lengths IN n, for which `suits` is true
   * @param ids IN n, members cluster by cluster
   * @param starts IN k + 1, where clusters begin in `ids`
   */
  constructor(region: Region, Z: Matrix, lengths: Float64Array, ids: Uint32Array, starts: Uint32Array) {
    const { samples: n, features: m, precision } = Z;
    const k = starts.length - 1;
    const lanes = countLanes(m);
    const capacity = 8 * (HITS + 2 * n);
    const hits = region.reserve(capacity, true);
    const homes = region.reserve(4 * lanes, true);
    const reaches = region.reserve(4 * lanes * k, true);
    const { at, fields, samples } = buildTiles(region, Z, lengths, ids, starts, hits);
    const { normalizeQueries, searchScreen } = kernelsFor({ region, precision });
    this.error = errorOf(m);
    this.region = region;
    this.samples = samples;
    this.hits = region.u32(hits, capacity / 4);
    this.#k = k;
    this.#lanes = lanes;
    this.#stage = precision === "f64" ? region.f64(fields.queries, lanes * m) : region.f32(fields.queries, lanes * m);
    this.#homes = region.u32(homes, lanes);
    this.#reaches = region.f32(reaches, lanes * k);
    this.#list = region.u32(fields.list, lanes);
    this.#ends = region.u32(fields.ends, lanes);
    this.#worsts = region.f32(fields.worsts, lanes);
    this.#visits = region.u32(fields.visits, lanes);
    this.#normalize = (count) => normalizeQueries(at, 0, count);
    this.#search = (from, to, count, byHome) =>
      searchScreen(at, from, to, count, byHome ? homes : 0, reaches, k, hits, capacity);
  }

  /**
   * Finds all members that may be among the `count` closest to queries.
   *
   * @param Q IN n × m, the queries
   */
  search(Q: Matrix, count: number, clusters: SearchedClusters, onHits: OnHits): void {
    const byHome = "homes" in clusters;
    const list = this.#list;
    for (let from = 0; from < Q.samples; from += this.#lanes) {
      const lanes = Math.min(this.#lanes, Q.samples - from);
      this.#load(Q, from, lanes);
      for (let lane = 0; lane < lanes; lane++) {
        list[lane] = lane;
        if (byHome) this.#homes[lane] = clusters.homes[from + lane];
        else clusters.reach(from + lane, this.#reaches.subarray(lane * this.#k, (lane + 1) * this.#k));
      }
      if (byHome) sortByHome(this.#homes.subarray(0, lanes), this.#k, list);
      // Rarely more than one call: where the hits might not fit into memory.
      for (let done = 0; done < lanes; ) {
        const next = this.#search(done, lanes, count, byHome);
        for (let place = done, begin = 0; place < next; place++) {
          const end = this.#ends[place];
          // At so small a cosine a zero member may be as close, and tiles hold none.
          const known = this.#worsts[place] > 2 * this.error;
          onHits(from + list[place], begin, known ? end : begin, this.#visits[place]);
          begin = end;
        }
        done = next;
      }
    }
  }

  #load(Q: Matrix, first: number, lanes: number): void {
    const m = Q.features;
    if (Q.kind === "dense") this.#stage.set(Q.data.subarray(first * m, (first + lanes) * m));
    else for (let lane = 0; lane < lanes; lane++) readRow(Q, first + lane, this.#stage, lane * m);
    this.#normalize(lanes);
  }
}

/** @param list OUT the numbers of queries, homes rising */
function sortByHome(homes: Uint32Array, k: number, list: Uint32Array): void {
  const next = new Uint32Array(k + 1);
  for (let i = 0; i < homes.length; i++) next[homes[i] + 1]++;
  for (let j = 0; j < k; j++) next[j + 1] += next[j];
  for (let i = 0; i < homes.length; i++) list[next[homes[i]]++] = i;
}
