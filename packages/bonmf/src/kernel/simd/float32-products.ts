import { gramInUnits, weightsInUnits } from "../plain/cycle.js";
import { CHUNK, RUN } from "../plain/products.js";
import { type Float32Scales, fillPanels, type PreparedPrototypes, TINY } from "../prepared-prototypes.js";
import type { Placed } from "../region.js";
import type { Step } from "../step.js";

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
  /** The gram matrix packed into panels, and its products with the codes of a chunk. */
  readonly gram: number;
  readonly below: number;
  /** Of `multiply`: α and l1. */
  readonly alphas: number;
  readonly l1s: number;
  /** Codes of a chunk as rows, sample after sample. */
  readonly rows: number;
  /** Shares of a run: as rows where samples are sparse, else two by two. */
  readonly shares: number;
  /** Shares of a chunk two by two, run after run. */
  readonly couples: number;
  /** HHᵀ of a block so far. */
  readonly HHt: number;
  /** Dense: samples on their way. Sparse: m × k, the sums of a run. */
  readonly T: number;
  /** Sparse: which features a run has. */
  readonly slots: number;
  /** One number for each feature. */
  readonly grid: number;
}

const even = (k: number) => 2 * Math.ceil(k / 2);
const fourfold = (k: number) => 4 * Math.ceil(k / 4);

/** How many numbers the sums of a block take. */
export function countSums(k: number, m: number, sparse: boolean): number {
  return sparse ? m * fourfold(k) : even(k) * fourfold(m);
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
  /** The address of the codes that `rows` has, and of the shares that `couples` has; 0: none. */
  #inRows = 0;
  #inCouples = 0;
  /** Whether HHt has sums of this block. */
  #summing = false;

  constructor(placed: Placed) {
    this.#placed = placed;
  }

  begin({ rows, float32 }: PreparedPrototypes): void {
    const { region, features: m, sparse } = this.#placed;
    const { scores, codes, grid } = float32!;
    const k = scores.length;
    this.#inRows = this.#inCouples = 0;
    this.#summing = false;
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
    // What another k left there would be summed too.
    if (sparse) region.f32(buffers.shares, fourfold(k) * RUN).fill(0);
    region.f32(buffers.rows, fourfold(k) * CHUNK).fill(0);
  }

  /** Makes `multiply` ready. */
  beginMultiply({ gram, k, alpha = 0, l1 = 0 }: Step): void {
    const { region } = this.#placed;
    const { gram: panels, alphas, l1s } = this.#reserved!;
    const wide = fourfold(k);
    const G = gramInUnits(gram!, this.#scales!);
    const rows = new Float32Array(k * wide);
    for (let r = 0; r < k; r++) rows.set(G.subarray(r * k, (r + 1) * k), r * wide);
    fillPanels(rows, k, WIDTH, region.f32(panels, WIDTH * this.#panels * wide));
    weightsInUnits(this.#scales!, alpha, l1).forEach((weights, w) => {
      region.f32([alphas, l1s][w], wide).fill(0).set(weights);
    });
  }

  /** Renews codes by `multiply`, after `dots`. @param H IN/OUT the address of count × k in 64 bits */
  multiply(count: number, H: number): void {
    const { region } = this.#placed;
    const { kernel } = region;
    const { rows, out, gram, below, alphas, l1s, codes, inverse } = this.#reserved!;
    const { scores, products } = this.#scales!;
    const k = this.#k;
    const wide = 4 * fourfold(k);
    const apart = 4 * WIDTH * this.#panels;
    kernel.demote(H, k, count, codes, 0, rows, wide, 8);
    kernel.dotPanelsDense32(rows, wide / 4, count, gram, this.#panels, below);
    kernel.multiplyCodes32(rows, wide, out, below, apart, count, scores[0] * products[0], alphas, l1s, TINY);
    kernel.promote(rows, wide, count, inverse, k, H);
    this.#inRows = H;
  }

  /** Adds to HHᵀ. @param H IN the address of count × k in 64 bits @param given IN that of as many shares */
  addCodes(H: number, given: number, count: number): void {
    const { region } = this.#placed;
    const { kernel } = region;
    const { rows, codes, couples, HHt } = this.#reserved!;
    const k = this.#k;
    const wide = fourfold(k);
    if (!this.#summing) region.f64(HHt, even(k) * wide).fill(0);
    this.#summing = true;
    if (this.#inRows !== H) kernel.demote(H, k, count, codes, TINY, rows, 4 * wide, 8);
    this.#inRows = H;
    this.#inCouples = given;
    for (let at = 0; at < count; at += RUN) {
      const run = Math.min(RUN, count - at);
      const own = couples + 4 * even(k) * at;
      kernel.demote(given + 8 * k * at, k, run, codes, TINY, own, 8, 8 * run);
      kernel.addGram32(rows + 4 * wide * at, 4 * wide, run, own, k, HHt);
    }
  }

  /** @param to OUT count × k in 64 bits */
  dots(X: number, count: number, to: number): void {
    const { region, features: m, sparse, indices, values } = this.#placed;
    const { W, out, scores } = this.#reserved!;
    const { kernel } = region;
    const panels = this.#panels;
    this.#inRows = this.#inCouples = 0;
    if (sparse) kernel.dotPanelsSparse32(X, indices, values, count, W, panels, 4 * WIDTH * m, out);
    else kernel.dotPanelsDense32(X, m, count, W, panels, out);
    kernel.promote(out, 4 * WIDTH * panels, count, scores, this.#k, to);
  }

  /** @param given IN count × k in 64 bits @param S IN/OUT `countSums` numbers */
  add(X: number, count: number, given: number, S: number): void {
    const { region, features: m, sparse, indices, values } = this.#placed;
    const { codes, rows, shares, couples, T, slots } = this.#reserved!;
    const { kernel } = region;
    const k = this.#k;
    const wide = fourfold(k);
    const ready = sparse ? this.#inRows === given : this.#inCouples === given;
    for (let at = 0; at < count; at += RUN) {
      const run = Math.min(RUN, count - at);
      const [each, apart] = sparse ? [4 * wide, 8] : [8, 8 * run];
      const own = ready ? (sparse ? rows + 4 * wide * at : couples + 4 * even(k) * at) : shares;
      if (!ready) kernel.demote(given + 8 * k * at, k, run, codes, TINY, own, each, apart);
      const first = X + at * (sparse ? 4 : 4 * m);
      if (sparse) kernel.addSharesSparse32(first, indices, values, m, run, own, wide / 4, T, slots, S, this.#grid);
      else kernel.addSharesDense32(first, m, run, own, k, S, 8 * fourfold(m), T, this.#grid);
    }
    // The next chunk's are in the same place.
    this.#inRows = this.#inCouples = 0;
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

  /** Ends HHᵀ of a block. @param to OUT k × k */
  finishCodes(to: Float64Array): void {
    if (!this.#summing) return;
    const k = this.#k;
    const { codes } = this.#scales!;
    const wide = fourfold(k);
    const sums = this.#placed.region.f64(this.#reserved!.HHt, even(k) * wide);
    for (let r = 0; r < k; r++) {
      for (let s = r; s < k; s++) to[s * k + r] = to[r * k + s] = sums[r * wide + s] / (codes[r] * codes[s]);
    }
    this.#summing = false;
  }

  /** @param to OUT k × m */
  finish(S: number, to: Float64Array): void {
    const { region, features: m, sparse } = this.#placed;
    const k = this.#k;
    const sums = region.f64(S, countSums(k, m, sparse));
    const scales = this.#scales!.codes.map((scale) => 1 / scale);
    const wide = fourfold(sparse ? k : m);
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
    gram: of(4 * WIDTH * panels * fourfold(k)),
    below: of(4 * WIDTH * panels * chunk),
    alphas: of(4 * fourfold(k)),
    l1s: of(4 * fourfold(k)),
    rows: of(4 * fourfold(k) * CHUNK),
    shares: of(4 * fourfold(k) * RUN),
    couples: of(4 * even(k) * chunk),
    HHt: of(8 * even(k) * fourfold(k)),
    T: of(sparse ? 4 * fourfold(k) * m : 192 * RUN),
    slots: of(sparse ? 12 * m : 0),
    grid: of(8 * fourfold(m)),
  };
}
