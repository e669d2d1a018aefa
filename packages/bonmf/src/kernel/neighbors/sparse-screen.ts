import { fullestRow, type Sparse } from "../../matrix/sparse.js";
import type { Region } from "../region.js";
import { errorOf, inverse, isInRange, MOST_BEST, MOST_PRODUCTS, NONE } from "./error-bound.js";

const LANES = 12;
/** The most members of one call. */
const CHUNK = 512;

/** Is called with every member that may be among the closest to the query of a lane, and its score. */
export type Hit = (lane: number, member: number, score: number) => void;

/**
 * Compares sparse members, stored as 32-bit unit vectors, with 12 queries at a time. A score differs from the cosine in
 * float64 by at most `error`, so a member that scores below the worst of the `count` best by more than twice `error` is
 * not among them.
 */
export class SparseScreen {
  readonly lanes = LANES;
  readonly error: number;
  /** Holds the memory; freed when garbage-collected. */
  readonly region: Region;
  /** Members of cluster j are `ids[starts[j]] … ids[starts[j+1] − 1]`. */
  readonly #ids: Uint32Array;
  readonly #starts: Uint32Array;
  readonly #limits: Float32Array;
  /** m × 12. */
  readonly #panel: Float32Array;
  /** Pairs of words: 16 · place + lane, and the score. */
  readonly #hits: Uint32Array;
  readonly #scores: Float32Array;
  /** 12 × count. */
  readonly #best: Float32Array;
  readonly #search: (from: number, to: number) => number;
  #count = 1;

  /** Whether the error bound holds for members of these lengths. */
  static suits(Z: Sparse, lengths: Float64Array): boolean {
    return fullestRow(Z) <= MOST_PRODUCTS && lengths.every((length) => length === 0 || isInRange(length));
  }

  static bytesOf({ samples, features, values }: Sparse): number {
    return 8 * values.length + 4 * samples + 4 * LANES * features + 8 * LANES * CHUNK + 4 * LANES * MOST_BEST + 1024;
  }

  /**
   * @param Z IN n × m
   * @param lengths IN n
   * @param ids IN n, members cluster by cluster
   * @param starts IN k + 1, where clusters begin in `ids`
   */
  constructor(region: Region, Z: Sparse, lengths: Float64Array, ids: Uint32Array, starts: Uint32Array) {
    const stored = Z.values.length;
    const [offsets, indices, values] = [ids.length + 1, stored, stored].map((count) => region.reserve(4 * count, true));
    const ends = region.u32(offsets, ids.length + 1);
    const features = region.u32(indices, stored);
    const unit = region.f32(values, stored);
    let to = 0;
    for (let p = 0; p < ids.length; p++) {
      const scale = inverse(lengths[ids[p]]);
      ends[p] = to;
      for (let from = Z.offsets[ids[p]], end = Z.offsets[ids[p] + 1]; from < end; from++, to++) {
        features[to] = Z.indices[from];
        unit[to] = Z.values[from] * scale;
      }
    }
    ends[ids.length] = to;

    const limits = region.reserve(4 * LANES);
    const panel = region.reserve(4 * LANES * Z.features);
    const hits = region.reserve(8 * LANES * CHUNK);
    const { searchSparse } = region.kernel;
    const best = region.reserve(4 * LANES * MOST_BEST);
    this.error = errorOf(fullestRow(Z));
    this.region = region;
    const margin = 2 * this.error;
    this.#search = (from, to) =>
      searchSparse(offsets, indices, values, from, to, panel, limits, best, this.#count, margin, hits);
    this.#best = region.f32(best, LANES * MOST_BEST);
    this.#limits = region.f32(limits, LANES);
    this.#panel = region.f32(panel, LANES * Z.features);
    this.#hits = region.u32(hits, 2 * LANES * CHUNK);
    this.#scores = region.f32(hits, 2 * LANES * CHUNK);
    this.#ids = ids;
    this.#starts = starts;
  }

  /** Sets how many best scores each query keeps: at most `MOST_BEST`. */
  expect(count: number): void {
    this.#count = count;
  }

  /** Puts a query whose length `isInRange` into a lane and clears the lane's best scores. */
  load(lane: number, x: Float64Array, length: number): void {
    const scale = 1 / length;
    for (let f = 0, at = lane; f < x.length; f++, at += LANES) this.#panel[at] = x[f] * scale;
    this.#best.fill(NONE, lane * this.#count, (lane + 1) * this.#count);
  }

  /** Includes a lane in the next searches, or excludes it. */
  open(lane: number, included: boolean): void {
    this.#limits[lane] = included ? this.worst(lane) - 2 * this.error : Number.POSITIVE_INFINITY;
  }

  /** Compares the members of cluster j with the queries of all included lanes. */
  search(j: number, hit: Hit): void {
    for (let from = this.#starts[j], to = this.#starts[j + 1]; from < to; from += CHUNK) {
      const hits = this.#search(from, Math.min(to, from + CHUNK));
      for (let h = 0; h < 2 * hits; h += 2) {
        hit(this.#hits[h] & 15, this.#ids[from + (this.#hits[h] >>> 4)], this.#scores[h + 1]);
      }
    }
  }

  /** The worst of the best scores of a lane; minus infinity while there are fewer than `count`. */
  worst(lane: number): number {
    const score = this.#best[(lane + 1) * this.#count - 1];
    return score === NONE ? Number.NEGATIVE_INFINITY : score;
  }
}
