import type { Sparse } from "../matrix/sparse.js";
import type { Region } from "./region.js";
import { errorOf, type Hit, inverse, MOST_BEST, NONE, type Sieve } from "./sieve.js";

const LANES = 12;
/** Members one call may take. */
const CHUNK = 512;

/** Sparse members one after another, compared with up to 12 queries at a time. */
export class Panel implements Sieve {
  readonly lanes = LANES;
  readonly error: number;
  /** Members of cluster j are `ids[starts[j]] … ids[starts[j+1] − 1]`. */
  readonly #ids: Uint32Array;
  readonly #starts: Uint32Array;
  readonly #limits: Float32Array;
  /** m × 12. */
  readonly #panel: Float32Array;
  /** Pairs of words: place · 16 + lane, and the score. */
  readonly #hits: Uint32Array;
  readonly #scores: Float32Array;
  /** 12 × count. */
  readonly #best: Float32Array;
  readonly #sift: (from: number, to: number) => number;
  #count = 1;

  static bytesOf({ samples, features, values }: Sparse): number {
    return 8 * values.length + 4 * samples + 4 * LANES * features + 8 * LANES * CHUNK + 4 * LANES * MOST_BEST + 1024;
  }

  /**
   * @param Z IN n × m, values of 0 or more
   * @param lengths IN n
   * @param longest the most values of a member
   * @param ids IN n, members cluster by cluster
   * @param starts IN k + 1, where they begin
   */
  constructor(
    region: Region,
    Z: Sparse,
    lengths: Float64Array,
    longest: number,
    ids: Uint32Array,
    starts: Uint32Array,
  ) {
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
    const { nearSparse } = region.kernel;
    const best = region.reserve(4 * LANES * MOST_BEST);
    this.error = errorOf(longest);
    const margin = 2 * this.error;
    this.#sift = (from, to) =>
      nearSparse(offsets, indices, values, from, to, panel, limits, best, this.#count, margin, hits);
    this.#best = region.f32(best, LANES * MOST_BEST);
    this.#limits = region.f32(limits, LANES);
    this.#panel = region.f32(panel, LANES * Z.features);
    this.#hits = region.u32(hits, 2 * LANES * CHUNK);
    this.#scores = region.f32(hits, 2 * LANES * CHUNK);
    this.#ids = ids;
    this.#starts = starts;
  }

  expect(count: number): void {
    this.#count = count;
  }

  load(lane: number, x: Float64Array, length: number): void {
    const scale = 1 / length;
    for (let f = 0, at = lane; f < x.length; f++, at += LANES) this.#panel[at] = x[f] * scale;
    this.#best.fill(NONE, lane * this.#count, (lane + 1) * this.#count);
  }

  open(lane: number, part: boolean): void {
    this.#limits[lane] = part ? this.worst(lane) - 2 * this.error : Number.POSITIVE_INFINITY;
  }

  sift(j: number, hit: Hit): void {
    for (let from = this.#starts[j], to = this.#starts[j + 1]; from < to; from += CHUNK) {
      const hits = this.#sift(from, Math.min(to, from + CHUNK));
      for (let h = 0; h < 2 * hits; h += 2) {
        hit(this.#hits[h] & 15, this.#ids[from + (this.#hits[h] >>> 4)], this.#scores[h + 1]);
      }
    }
  }

  worst(lane: number): number {
    const score = this.#best[(lane + 1) * this.#count - 1];
    return score === NONE ? Number.NEGATIVE_INFINITY : score;
  }
}
