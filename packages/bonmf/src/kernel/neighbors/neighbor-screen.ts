import type { Floats } from "../../matrix/dense.js";
import type { Matrix } from "../../matrix/matrix.js";
import type { Region } from "../region.js";
import { readRow } from "../rows.js";
import { errorOf, MOST_PRODUCTS } from "./error-bound.js";
import { countLanes, layOutMembers, TAME, tileBytes } from "./member-tiles.js";

/** Room for hits of a call, beside what two queries can find at most. */
const HITS = 2 ** 14;
const LITTLE = 2 ** 26;

/** Where a query looks: in one cluster, or in those where, as `reach` writes for each, a cosine may be large enough. */
export type Way = { readonly homes: ArrayLike<number> } | { readonly reach: (i: number, out: Float32Array) => void };

/** Is told of query i that its hits are from … to − 1; none where the screen cannot tell. */
export type Tell = (i: number, from: number, to: number, visited: number) => void;

/**
 * Members as they are, and laid out in tiles by a few features. With r = x − c and s = z − c for unit vectors x and z and the
 * centre c of z's cluster, ⟨x,z⟩ = 1 − ½‖r‖² − ½‖s‖² + ⟨r,s⟩, and what a few features leave open of ⟨r,s⟩ is no larger than
 * the product of the lengths of what they leave. That bound is summed in 16 bits for all members; few are left, whose cosines
 * are found in the members' precision. A score differs from the cosine in float64 by at most `error`, and whatever scores
 * less than the least of the `count` best by more than twice that is farther away than those are.
 */
export class NeighborScreen {
  readonly error: number;
  /** Where everything lies, as long as somebody holds it. */
  readonly region: Region;
  /** The members, in the region. */
  readonly samples: Matrix;
  /** Member and score, in turns. */
  readonly hits: Uint32Array;
  readonly #k: number;
  readonly #lanes: number;
  readonly #stage: Floats;
  readonly #homes: Uint32Array;
  readonly #routes: Float32Array;
  /** Which queries are compared, one after another: two with the same home at once. */
  readonly #list: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #worsts: Float32Array;
  readonly #visits: Uint32Array;
  readonly #level: (count: number) => void;
  readonly #near: (from: number, to: number, count: number, byHome: boolean) => number;

  /** Whether members of these lengths can be screened. */
  static suits(Z: Matrix, lengths: Float64Array): boolean {
    const [short, long] = TAME[Z.precision];
    for (let i = 0; i < lengths.length; i++) {
      const length = lengths[i];
      if (length !== 0 && !(length >= short && length <= long)) return false;
    }
    return Z.features <= MOST_PRODUCTS;
  }

  /**
   * What to ask for. If it is little, no more than a fit of the same samples did, whose memory may be there still: it grows
   * as it must.
   */
  static bytesOf(Z: Matrix, k: number): number {
    const arrays = Z.kind === "dense" ? [Z.data] : [Z.values, Z.indices, Z.offsets];
    const stored = arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
    const all = stored + tileBytes(Z, k) + 16 * Z.samples + 4 * k * countLanes(Z.features);
    return all > LITTLE ? all : stored + 64 * Z.samples;
  }

  /**
   * @param Z IN n × m, values of 0 or more
   * @param lengths IN n, which suit
   * @param ids IN n, members cluster by cluster
   * @param starts IN k + 1, where they begin
   */
  constructor(region: Region, Z: Matrix, lengths: Float64Array, ids: Uint32Array, starts: Uint32Array) {
    const { samples: n, features: m, precision } = Z;
    const k = starts.length - 1;
    const lanes = countLanes(m);
    const room = 8 * (HITS + 2 * n);
    const hits = region.reserve(room, true);
    const homes = region.reserve(4 * lanes, true);
    const routes = region.reserve(4 * lanes * k, true);
    const { at, fields, samples } = layOutMembers(region, Z, lengths, ids, starts, hits);
    const { level32, level64, near32, near64 } = region.kernel;
    const [level, near] = precision === "f64" ? [level64, near64] : [level32, near32];
    this.error = errorOf(m);
    this.region = region;
    this.samples = samples;
    this.hits = region.u32(hits, room / 4);
    this.#k = k;
    this.#lanes = lanes;
    this.#stage = precision === "f64" ? region.f64(fields.queries, lanes * m) : region.f32(fields.queries, lanes * m);
    this.#homes = region.u32(homes, lanes);
    this.#routes = region.f32(routes, lanes * k);
    this.#list = region.u32(fields.list, lanes);
    this.#ends = region.u32(fields.ends, lanes);
    this.#worsts = region.f32(fields.worsts, lanes);
    this.#visits = region.u32(fields.visits, lanes);
    this.#level = (count) => level(at, 0, count);
    this.#near = (from, to, count, byHome) => near(at, from, to, count, byHome ? homes : 0, routes, k, hits, room);
  }

  /**
   * Finds all members that may be among the `count` closest to queries.
   *
   * @param Q IN n × m, the queries
   */
  search(Q: Matrix, count: number, way: Way, tell: Tell): void {
    const byHome = "homes" in way;
    const list = this.#list;
    for (let from = 0; from < Q.samples; from += this.#lanes) {
      const lanes = Math.min(this.#lanes, Q.samples - from);
      this.#load(Q, from, lanes);
      for (let lane = 0; lane < lanes; lane++) {
        list[lane] = lane;
        if (byHome) this.#homes[lane] = way.homes[from + lane];
        else way.reach(from + lane, this.#routes.subarray(lane * this.#k, (lane + 1) * this.#k));
      }
      if (byHome) sortByHome(this.#homes.subarray(0, lanes), this.#k, list);
      // A second call is rare: where there was no room for all hits that there might have been.
      for (let done = 0; done < lanes; ) {
        const next = this.#near(done, lanes, count, byHome);
        for (let place = done, begin = 0; place < next; place++) {
          const end = this.#ends[place];
          // With so small a cosine a zero member may be as close, and there are none in the tiles.
          const known = this.#worsts[place] > 2 * this.error;
          tell(from + list[place], begin, known ? end : begin, this.#visits[place]);
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
    this.#level(lanes);
  }
}

/** @param list OUT the places of homes, homes rising */
function sortByHome(homes: Uint32Array, k: number, list: Uint32Array): void {
  const next = new Uint32Array(k + 1);
  for (let i = 0; i < homes.length; i++) next[homes[i] + 1]++;
  for (let j = 0; j < k; j++) next[j + 1] += next[j];
  for (let i = 0; i < homes.length; i++) list[next[homes[i]]++] = i;
}
