import { CHUNK } from "../plain/products.js";
import { type Float32Scales, fillPanels, type PreparedPrototypes } from "../prepared-prototypes.js";
import type { Placed } from "../region.js";
import type { Float32Codes } from "./float32-codes.js";
import { rowOf } from "./stored-codes.js";

/** Columns of a panel: three vectors of four. */
const WIDTH = 12;

/** Addresses, for up to k prototypes. */
interface Buffers {
  readonly k: number;
  /** Powers of two for scores and codes. */
  readonly scores: number;
  readonly codes: number;
  /** What codes are multiplied by on their way back. */
  readonly inverse: number;
  /** W packed into panels. */
  readonly W: number;
  readonly out: number;
  /** Dense: samples on their way. Sparse: m × k, the sums of a run. */
  readonly T: number;
  /** Sparse: which features a run has. */
  readonly slots: number;
  /** One number for each feature. */
  readonly grid: number;
}

const even = (k: number) => 2 * Math.ceil(k / 2);

/** How many numbers the sums of a block take. */
export function countSums(k: number, m: number, sparse: boolean): number {
  return sparse ? m * rowOf(k) : even(k) * rowOf(m);
}

/** Products in 32 bits, in WebAssembly, where the samples are: the part of `SimdProducts` for such steps. */
export class Float32Products {
  readonly #placed: Placed;
  #reserved: Buffers | null = null;
  #scales: Float32Scales | null = null;
  #k = 0;
  #panels = 0;
  /** The address of the grid; 0: none. */
  #grid = 0;

  constructor(placed: Placed) {
    this.#placed = placed;
  }

  /** The address of WᵀX of the last samples: ⌈k / 12⌉ · 12 numbers each. */
  get products(): number {
    return this.#reserved!.out;
  }

  begin({ rows, float32 }: PreparedPrototypes): void {
    const { region, features: m } = this.#placed;
    const { scores, codes, grid } = float32!;
    const k = scores.length;
    this.#scales = float32!;
    this.#k = k;
    this.#panels = Math.ceil(k / WIDTH);
    if (this.#reserved === null || this.#reserved.k < k) this.#reserved = reserveBuffers(this.#placed, k);
    const buffers = this.#reserved;
    region.f64(buffers.scores, k).set(scores);
    region.f64(buffers.codes, even(k)).fill(0).set(codes);
    region.f64(buffers.inverse, k).set(codes.map((scale) => 1 / scale));
    fillPanels(rows, k, WIDTH, region.f32(buffers.W, WIDTH * this.#panels * m));
    this.#grid = grid ? buffers.grid : 0;
    if (grid) region.f64(buffers.grid, m).set(grid);
  }

  /** WᵀX as rows, and in 64 bits. @param to OUT the address of count × k; 0: nowhere */
  dots(X: number, count: number, to: number): void {
    const { region, features: m, sparse, indices, values } = this.#placed;
    const { W, out, scores } = this.#reserved!;
    const { kernel } = region;
    const panels = this.#panels;
    if (sparse) kernel.dotPanelsSparse32(X, indices, values, count, W, panels, 4 * WIDTH * m, out);
    else kernel.dotPanelsDense32(X, m, count, W, panels, out);
    if (to !== 0) kernel.promote(out, 4 * WIDTH * panels, count, scores, this.#k, to);
  }

  /** Codes of a chunk as rows of 32 bits. @param from IN the address of count × k in 64 bits @param tiny what is less is 0 @param to OUT */
  narrow(from: number, count: number, tiny: number, to: number): void {
    const { codes } = this.#reserved!;
    this.#placed.region.kernel.demote(from, this.#k, count, codes, tiny, to, 4 * rowOf(this.#k), 8);
  }

  /** And back. */
  widen(from: number, count: number, to: number): void {
    const { inverse } = this.#reserved!;
    this.#placed.region.kernel.promote(from, 4 * rowOf(this.#k), count, inverse, this.#k, to);
  }

  /** @param shares IN the address of rows of 32 bits @param codes two by two @param S IN/OUT `countSums` numbers */
  add(X: number, count: number, shares: number, codes: Float32Codes, S: number): void {
    const { region, features: m, sparse, indices, values } = this.#placed;
    const { T, slots } = this.#reserved!;
    const { kernel } = region;
    const k = this.#k;
    const wide = rowOf(k);
    const most = this.#scales!.run;
    for (let at = 0; at < count; at += most) {
      const run = Math.min(most, count - at);
      const first = X + at * (sparse ? 4 : 4 * m);
      const rows = shares + 4 * wide * at;
      if (sparse) kernel.addSharesSparse32(first, indices, values, m, run, rows, wide / 4, T, slots, S, this.#grid);
      else kernel.addSharesDense32(first, m, run, codes.couple(shares, at, run), k, S, 8 * rowOf(m), T, this.#grid);
    }
    codes.endChunk();
  }

  /**
   * The same, each term rounded to the grid by itself.
   *
   * @param S IN/OUT m × k
   */
  addTerms(X: number, count: number, given: number, S: number): void {
    const { region, features: m, sparse, indices, values } = this.#placed;
    const k = this.#k;
    if (sparse) {
      region.kernel.addTermsSparse32(X, indices, values, count, given, k, S, this.#grid);
      return;
    }
    // Sparse samples whose part here is not: rare enough to take its time.
    const [rows, shares, sums] = [region.f32(X, count * m), region.f64(given, count * k), region.f64(S, m * k)];
    const grid = region.f64(this.#grid, m);
    for (let i = 0; i < count; i++) {
      for (let f = 0; f < m; f++) {
        const x = rows[i * m + f];
        if (x === 0) continue;
        for (let j = 0; j < k; j++) sums[f * k + j] += shares[i * k + j] * x + grid[f] - grid[f];
      }
    }
  }

  /** @param to OUT k × m */
  finish(S: number, to: Float64Array): void {
    const { region, features: m, sparse } = this.#placed;
    const k = this.#k;
    const sums = region.f64(S, countSums(k, m, sparse));
    const scales = this.#scales!.codes.map((scale) => 1 / scale);
    const wide = rowOf(sparse ? k : m);
    if (sparse) {
      for (let f = 0, row = 0; f < m; f++, row += wide) {
        for (let j = 0; j < k; j++) to[j * m + f] = sums[row + j] * scales[j];
      }
      return;
    }
    for (let j = 0; j < k; j++) {
      const scale = scales[j];
      for (let q = j * m, end = q + m, p = j * wide; q < end; q++, p++) to[q] = sums[p] * scale;
    }
  }
}

function reserveBuffers({ region, features: m, samples, sparse }: Placed, k: number): Buffers {
  const of = (bytes: number) => region.reserve(bytes);
  const panels = Math.ceil(k / WIDTH);
  const chunk = Math.min(CHUNK, samples);
  return {
    k,
    scores: of(8 * even(k)),
    codes: of(8 * even(k)),
    inverse: of(8 * even(k)),
    W: of(4 * WIDTH * panels * m),
    out: of(4 * WIDTH * panels * chunk),
    T: of(sparse ? 4 * rowOf(k) * m : 192 * CHUNK),
    slots: of(sparse ? 12 * m : 0),
    grid: of(8 * rowOf(m)),
  };
}
