import { RUN } from "../choose.js";
import { gramInUnits, SETTLED, weightsInUnits } from "../plain/cycle.js";
import { CHUNK, GRAM_RUN } from "../plain/products.js";
import { type Float32Scales, fillPanels, TINY } from "../prepared-prototypes.js";
import type { Placed } from "../region.js";
import type { Step } from "../step.js";
import { rowOf, type StoredCodes } from "./stored-codes.js";

/** Columns of a panel: three vectors of four. */
const WIDTH = 12;

/** Addresses, for up to k prototypes. */
interface Buffers {
  readonly k: number;
  /** By what each column is multiplied. */
  readonly scales: number;
  readonly units: number;
  /** Of `linear`: the floor. Of `multiply`: α and l1. */
  readonly floors: number;
  readonly l1s: number;
  /** The gram matrix, packed into panels or as it is, and its products with the codes of a chunk. */
  readonly gram: number;
  readonly below: number;
  readonly solve: number;
  /** Shares of a chunk two by two, run after run. */
  readonly couples: number;
  /** HHᵀ of a block so far. */
  readonly HHt: number;
  /** Codes of a chunk before its first step. */
  readonly zeros: number;
}

const even = (k: number) => 2 * Math.ceil(k / 2);

/** Codes of 32 bits in WebAssembly, as rows: the rules that renew them, and HHᵀ. */
export class Float32Codes {
  readonly #placed: Placed;
  #reserved: Buffers | null = null;
  #step: Step | null = null;
  #scales: Float32Scales | null = null;
  /** The rows that `couples` has; 0: none. */
  #coupled = 0;
  /** Whether HHt has sums of this block. */
  #summing = false;
  /** The codes that the step writes, where they stay. */
  #stored: StoredCodes | null = null;

  constructor(placed: Placed) {
    this.#placed = placed;
  }

  begin(step: Step, scales: Float32Scales): void {
    const { region } = this.#placed;
    const { k, rule, gram, alpha = 0, l1 = 0, floor = Number.NEGATIVE_INFINITY } = step;
    const { codes, products, scores } = scales;
    this.#step = step;
    this.#scales = scales;
    this.#coupled = 0;
    this.#summing = false;
    this.#stored = null;
    if (this.#reserved === null || this.#reserved.k < k) this.#reserved = reserveBuffers(this.#placed, k);
    const to = this.#reserved;
    const wide = rowOf(k);
    const put = (at: number, numbers: Float32Array | Float64Array) => region.f32(at, wide).fill(0).set(numbers);
    if (rule === "linear") {
      put(
        to.units,
        scores.map((score, r) => score * codes[r]),
      );
      put(
        to.floors,
        codes.map((unit) => floor * unit),
      );
    } else if (rule === "multiply") {
      const G = gramInUnits(gram!, scales);
      const rows = new Float32Array(k * wide);
      for (let r = 0; r < k; r++) rows.set(G.subarray(r * k, (r + 1) * k), r * wide);
      fillPanels(rows, k, WIDTH, region.f32(to.gram, WIDTH * Math.ceil(k / WIDTH) * wide));
      const [alphas, l1s] = weightsInUnits(scales, alpha, l1);
      put(to.floors, alphas);
      put(to.l1s, l1s);
    } else if (rule === "cyclic") {
      put(
        to.units,
        scores.map((score, r) => score * products[r]),
      );
      put(to.l1s, weightsInUnits(scales, 0, l1)[1]);
      region.f32(to.gram, k * k).set(gramInUnits(gram!, scales));
    }
  }

  /** Codes will be renewed from these, or from others in the units of the step. @param next OUT those that will be written; null: others */
  use(before: StoredCodes | null, next: StoredCodes | null): void {
    if (next !== null && next === this.#stored) return;
    this.#stored = next;
    const units = before?.units ?? null;
    const { codes } = this.#scales!;
    const { k } = this.#step!;
    const ratios = codes.map((unit, r) => (units === null ? 1 : unit / units[r]));
    this.#placed.region.f32(this.#reserved!.scales, rowOf(k)).fill(0).set(ratios);
    next?.begin(codes);
  }

  /**
   * Renews rows of codes.
   *
   * @param A IN the address of those at hand; 0: zeros
   * @param products IN that of WᵀX, ⌈k / 12⌉ · 12 numbers a row
   * @param B OUT
   * @returns how many changed
   */
  renew(A: number, products: number, count: number, B: number): number {
    const { region } = this.#placed;
    const { kernel } = region;
    const { k, rule, sweeps = 1, beyond = 0 } = this.#step!;
    const { scales, units, floors, l1s, gram, below, solve, zeros } = this.#reserved!;
    const wide = 4 * rowOf(k);
    const panels = Math.ceil(k / WIDTH);
    const apart = 4 * WIDTH * panels;
    this.#coupled = 0;
    if (rule === "linear") {
      kernel.linearRows32(products, apart, count, units, floors, TINY, wide, B);
      return count;
    }
    const from = A === 0 ? zeros : A;
    if (rule === "cyclic") {
      const settings = [k, count, sweeps, SETTLED, beyond, TINY] as const;
      return kernel.cycleRowsOfCodes32(from, scales, products, apart, units, l1s, gram, ...settings, B, solve);
    }
    kernel.scaleRows32(from, wide, count, scales, B);
    kernel.dotPanelsDense32(B, wide / 4, count, gram, panels, below);
    const unit = this.#scales!.scores[0] * this.#scales!.products[0];
    return kernel.multiplyRows32(B, wide, products, below, apart, count, unit, floors, l1s, TINY);
  }

  /** Adds to HHᵀ. @param C IN the address of rows of codes @param shares IN of as many of their shares */
  add(C: number, shares: number, count: number): void {
    const { region } = this.#placed;
    const { k } = this.#step!;
    const { HHt } = this.#reserved!;
    const wide = 4 * rowOf(k);
    if (!this.#summing) region.f64(HHt, even(k) * rowOf(k)).fill(0);
    this.#summing = true;
    for (let at = 0; at < count; at += RUN) {
      const run = Math.min(RUN, count - at);
      region.kernel.addGram32(C + wide * at, wide, run, GRAM_RUN, this.#couple(shares, at, run), k, HHt);
    }
    this.#coupled = shares;
  }

  /** Shares of a run two by two. @param rows IN the address of those of a chunk */
  couple(rows: number, at: number, run: number): number {
    return this.#coupled === rows && this.#scales!.run === RUN
      ? this.#reserved!.couples + 4 * even(this.#step!.k) * at
      : this.#couple(rows, at, run);
  }

  #couple(rows: number, at: number, run: number): number {
    const { k } = this.#step!;
    const wide = 4 * rowOf(k);
    const to = this.#reserved!.couples + 4 * even(k) * at;
    this.#placed.region.kernel.coupleRows32(rows + wide * at, wide, k, run, to);
    return to;
  }

  /** The next chunk's rows may have the same address. */
  endChunk(): void {
    this.#coupled = 0;
  }

  /** Ends HHᵀ of a block. @param to OUT k × k */
  finish(to: Float64Array): void {
    if (!this.#summing) return;
    const { k } = this.#step!;
    const { codes } = this.#scales!;
    const wide = rowOf(k);
    const sums = this.#placed.region.f64(this.#reserved!.HHt, even(k) * wide);
    for (let r = 0; r < k; r++) {
      for (let s = r; s < k; s++) to[s * k + r] = to[r * k + s] = sums[r * wide + s] / (codes[r] * codes[s]);
    }
    this.#summing = false;
  }
}

function reserveBuffers({ region, samples }: Placed, k: number): Buffers {
  const of = (bytes: number) => region.reserve(bytes);
  const wide = 4 * rowOf(k);
  const panels = Math.ceil(k / WIDTH);
  const chunk = Math.min(CHUNK, samples);
  return {
    k,
    scales: of(wide),
    units: of(wide),
    floors: of(wide),
    l1s: of(wide),
    gram: of(WIDTH * panels * wide),
    below: of(4 * WIDTH * panels * chunk),
    solve: of(64 * (4 * k + 7)),
    couples: of(4 * even(k) * chunk),
    HHt: of(2 * even(k) * wide),
    zeros: of(wide * chunk),
  };
}
