import type { Matrix } from "../matrix/matrix.js";
import { BITS, CODES, FIRST, Frame } from "./frame.js";
import type { Region } from "./region.js";
import { readRow, rowsOf } from "./rows.js";
import { errorOf, type Hit, inverse, MOST_BEST, NONE, type Sieve } from "./sieve.js";

/** Members of a block. */
const WIDTH = 24;
/** Queries of a call. */
const LANES = 32;
/** Hits of a call, where clusters are smaller. */
const HITS = 2 ** 14;
/** In the place of a member where there is none. */
const NOBODY = 0xffffffff;
/** Members that are encoded or laid out in one call: whole blocks. */
const CHUNK = 16 * WIDTH;

/** Dense members in blocks, those together that lie together, compared with one query after another. */
export class Blocks implements Sieve {
  readonly lanes = LANES;
  readonly error: number;
  readonly #frame: Frame;
  /** For each lane of each block the number of its member. */
  readonly #ids: Uint32Array;
  /** The blocks of cluster j are `starts[j]` … `starts[j+1] − 1`. */
  readonly #starts: Uint32Array;
  /** The code of each block's first member. */
  readonly #codes: Uint16Array;
  readonly #queries: readonly Float32Array[];
  /** For each lane the block to begin with, or `NOBODY`. */
  readonly #middles: Uint32Array;
  readonly #hits: Uint32Array;
  readonly #scores: Float32Array;
  readonly #best: Float32Array;
  /** For each lane: whether it takes part, its query's code, what its scores lack. */
  readonly #open = new Uint8Array(LANES);
  readonly #sides = new Uint16Array(LANES);
  readonly #offsets = new Float64Array(LANES);
  /** Calls the kernel. */
  readonly #call: (from: number, to: number) => number;
  #count = 1;

  static bytesOf({ samples, features, precision }: Matrix, k: number): number {
    const places = samples + WIDTH * k;
    const stage = CHUNK * features * (precision === "f64" ? 8 : 4);
    const queries = LANES * (4 * (features + 32) + 4 * MOST_BEST);
    return stage + 12 * samples + 4 * places * (features + 35) + 20 * features + queries + 8 * HITS + 2048;
  }

  /**
   * @param Z IN n × m, values of 0 or more
   * @param lengths IN n
   * @param clusters IN n
   * @param starts IN k + 1, where the members of each cluster begin
   */
  constructor(region: Region, Z: Matrix, lengths: Float64Array, clusters: Uint32Array, starts: Uint32Array) {
    const { samples, features } = Z;
    const wide = Z.precision === "f64";
    const { encode32, encode64, frame32, frame64, nearDense } = region.kernel;
    const [encode, layOut] = wide ? [encode64, frame64] : [encode32, frame32];
    const X = region.reserve((wide ? 8 : 4) * CHUNK * features);
    const stage = wide ? region.f64(X, CHUNK * features) : region.f32(X, CHUNK * features);
    const scalesAt = region.reserve(8 * samples, true);
    const scales = region.f64(scalesAt, samples);
    for (let i = 0; i < samples; i++) scales[i] = inverse(lengths[i]);
    const frame = new Frame(rowsOf(Z), features, scales);
    const order = region.reserve(4 * features, true);
    region.u32(order, features).set(frame.order);
    const centre = region.reserve(8 * features, true);
    region.f64(centre, features).set(frame.centre);
    const codesAt = region.reserve(4 * samples, true);
    const codes = region.u32(codesAt, samples);
    for (let from = 0; from < samples; from += CHUNK) {
      const count = Math.min(CHUNK, samples - from);
      if (Z.kind === "dense") stage.set(Z.data.subarray(from * features, (from + count) * features));
      else for (let s = 0; s < count; s++) readRow(Z, from + s, stage, s * features);
      const bits = Math.min(BITS, features);
      encode(X, features, bits, scalesAt + 8 * from, order, centre, 0, count, codesAt + 4 * from);
    }

    const k = starts.length - 1;
    this.#starts = new Uint32Array(k + 1);
    for (let j = 0; j < k; j++) this.#starts[j + 1] = this.#starts[j] + Math.ceil((starts[j + 1] - starts[j]) / WIDTH);
    const blocks = this.#starts[k];
    const idsAt = region.reserve(4 * WIDTH * blocks, true);
    this.#ids = region.u32(idsAt, WIDTH * blocks).fill(NOBODY);
    this.#codes = new Uint16Array(blocks);
    const next = this.#starts.map((block) => block * WIDTH);
    for (const i of sortByCode(codes)) {
      const place = next[clusters[i]]++;
      this.#ids[place] = i;
      if (place % WIDTH === 0) this.#codes[place / WIDTH] = codes[i];
    }

    const block = 4 * WIDTH * (frame.size + 1);
    const members = region.reserve(block * blocks, true);
    for (let from = 0; from < blocks; from += CHUNK / WIDTH) {
      const to = Math.min(blocks, from + CHUNK / WIDTH);
      for (let place = from * WIDTH, at = 0; place < to * WIDTH; place++, at += features) {
        if (this.#ids[place] !== NOBODY) readRow(Z, this.#ids[place], stage, at);
      }
      layOut(X, features, FIRST, idsAt, scalesAt, order, centre, from, to, members, block);
    }

    const query = 4 * frame.size;
    const queries = region.reserve(LANES * query);
    const middles = region.reserve(4 * LANES);
    const best = region.reserve(4 * LANES * MOST_BEST);
    const room = 8 * Math.max(HITS, WIDTH * blocks);
    const hits = region.reserve(room, true);
    // Unit vectors without negative values are no farther than √2 from their mean: ‖r‖‖s‖ is at most 2, |⟨s,c⟩| at most 1.
    this.error = 3 * errorOf(features);
    const margin = 2 * this.error;
    this.#call = (from, to) => {
      const places = [middles, queries, query, best] as const;
      return nearDense(members, block, features, FIRST, from, to, LANES, ...places, this.#count, margin, hits, room);
    };
    this.#queries = Array.from({ length: LANES }, (_, lane) => region.f32(queries + lane * query, frame.size));
    this.#middles = region.u32(middles, LANES);
    this.#best = region.f32(best, LANES * MOST_BEST);
    this.#hits = region.u32(hits, room / 4);
    this.#scores = region.f32(hits, room / 4);
    this.#frame = frame;
  }

  expect(count: number): void {
    this.#count = count;
  }

  load(lane: number, x: Float64Array, length: number): void {
    this.#offsets[lane] = this.#frame.write(x, 1 / length, this.#queries[lane]) + this.#frame.square;
    this.#sides[lane] = this.#frame.codeOf(x, 1 / length);
    this.#best.fill(NONE, lane * this.#count, (lane + 1) * this.#count);
  }

  open(lane: number, part: boolean): void {
    this.#open[lane] = Number(part);
  }

  sift(j: number, hit: Hit): void {
    const [from, to] = [this.#starts[j], this.#starts[j + 1]];
    for (let lane = 0; lane < LANES; lane++) {
      this.#middles[lane] = this.#open[lane] ? this.#find(this.#sides[lane], from, to) : NOBODY;
    }
    // A second call is rare: where there was no room for all hits that there might have been.
    do {
      const hits = this.#call(from, to);
      for (let h = 0; h < 2 * hits; h += 2) {
        const lane = this.#hits[h] % LANES;
        hit(lane, this.#ids[Math.floor(this.#hits[h] / LANES)], this.#scores[h + 1] + this.#offsets[lane]);
      }
    } while (this.#middles.some((middle) => middle !== NOBODY));
  }

  /** The block from … to − 1 where members of this code are. */
  #find(code: number, from: number, to: number): number {
    let [low, high] = [from, to];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.#codes[middle] <= code) low = middle;
      else high = middle;
    }
    return low;
  }

  worst(lane: number): number {
    const score = this.#best[(lane + 1) * this.#count - 1];
    return score === NONE ? Number.NEGATIVE_INFINITY : score + this.#offsets[lane];
  }
}

/** The places of codes, codes rising. */
function sortByCode(codes: Uint32Array): Uint32Array {
  const next = new Uint32Array(CODES + 1);
  for (let i = 0; i < codes.length; i++) next[codes[i] + 1]++;
  for (let c = 0; c < CODES; c++) next[c + 1] += next[c];
  const sorted = new Uint32Array(codes.length);
  for (let i = 0; i < codes.length; i++) sorted[next[codes[i]]++] = i;
  return sorted;
}
