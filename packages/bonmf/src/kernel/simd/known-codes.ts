import { SETTLED, type Units } from "../plain/cycle.js";
import { featureRows, isByGram } from "../plain/known-codes.js";
import { CHUNK } from "../plain/products.js";
import type { Placed, PlacedGaps } from "../region.js";
import type { Step } from "../step.js";

/** Bytes that the gram matrices of a line of samples may take; beyond, codes are renewed plainly. */
const MOST_BYTES = 2 ** 24;

/** Addresses, for up to k components. */
interface Buffers {
  readonly k: number;
  /** W, m × k. */
  readonly W: number;
  /** WᵀW, and the gram matrix of one sample: k + 1 rows of a multiple of four numbers. */
  readonly gram: number;
  readonly own: number;
  /** The latter without what is beyond. */
  readonly square: number;
  /** Working memory for a line of samples, with a gram matrix each; 0 where that is too much. */
  readonly lines: number;
  /** The lower triangle of a sample's h hᵀ. */
  readonly outer: number;
  /** m triangles: the sums of a block so far. */
  readonly S: number;
}

const fourfold = (k: number) => 4 * Math.ceil(k / 4);

/** By what entry r of a feature of W is multiplied so that WᵀW is in units (`gramInUnits`): a power of two. */
function scaleOf({ codes, products }: Units, r: number): number {
  return Math.sqrt(products[r] / codes[r]);
}

/** Codes of samples with gaps, in WebAssembly: the part of `SimdProducts` for such samples (assembly/known-codes.ts). */
export class KnownCodes {
  readonly #placed: Placed;
  readonly #gaps: PlacedGaps;
  /** The most that a sample lists. */
  readonly #most: number;
  #reserved: Buffers | null = null;
  #step: Step | null = null;
  #summing = false;
  /** Addresses: the samples of a chunk by how many features they list, and scratch to sort them. */
  #ids = 0;
  #counts = 0;

  constructor(placed: Placed, gaps: PlacedGaps) {
    this.#placed = placed;
    this.#gaps = gaps;
    const { offsets } = gaps.list;
    let most = 0;
    for (let i = 0; i + 1 < offsets.length; i++) most = Math.max(most, offsets[i + 1] - offsets[i]);
    this.#most = most;
  }

  /** Whether the step's codes depend on what is missing. */
  get renews(): boolean {
    return isByGram(this.#step!);
  }

  /** Whether kernels renew them. */
  get fits(): boolean {
    const { rule } = this.#step!;
    return (rule !== "cyclic" && rule !== "binary") || this.#reserved!.lines > 0;
  }

  /** @param units in which 32 bits hold the codes of `cyclic` */
  begin(step: Step, units?: Units): void {
    const { region } = this.#placed;
    this.#step = step;
    this.#summing = false;
    if (this.#reserved === null || this.#reserved.k < step.k) this.#reserved = this.#reserve(step.k);
    if (!this.renews) return;
    const { k, gram } = step;
    const rows = region.f64(this.#reserved.W, step.W.length);
    rows.set(featureRows(step));
    const scales = Float64Array.from({ length: k }, (_, r) => (units ? scaleOf(units, r) : 1));
    if (units) for (let p = 0; p < rows.length; p++) rows[p] *= scales[p % k];
    const wide = fourfold(k);
    const G = region.f64(this.#reserved.gram, k * wide);
    for (let r = 0; r < k; r++) {
      for (let s = 0; s < k; s++) G[r * wide + s] = gram![r * k + s] * scales[r] * scales[s];
    }
  }

  /** @param below IN/OUT the addresses of count × k: gram · h */
  correct(first: number, count: number, H: number, below: number): void {
    const { region } = this.#placed;
    region.kernel.correctProducts(...this.#list(first), this.#reserved!.W, this.#step!.k, count, H, below);
  }

  /**
   * Renews codes by `cyclic` or `binary`, samples with gaps each by a gram matrix of its own.
   *
   * @param units the address of the units in which 32 bits hold them; 0: in 64 bits
   * @param cycleComplete renews those that lack nothing by `cyclic`: the address of their places in the chunk, and how many there are
   */
  cycle(
    first: number,
    count: number,
    WtX: number,
    H: number,
    units: number,
    cycleComplete: (ids: number, count: number) => void,
  ): void {
    const { kernel } = this.#placed.region;
    const { rule, k, sweeps = 1, beyond = 0 } = this.#step!;
    const { W, gram, own, lines } = this.#reserved!;
    const [offsets, features, known] = this.#list(first);
    const none = kernel.orderByListed(offsets, count, this.#most, this.#counts, this.#ids);
    const complete = rule === "cyclic" && !known ? none : 0;
    if (complete > 0) cycleComplete(this.#ids, complete);
    if (complete === count) return;
    // Bits have settled when none changes.
    const [bits, settled, share] = rule === "binary" ? [1, 0, 0] : [0, SETTLED, beyond];
    const ids = this.#ids + 4 * complete;
    const about = [offsets, features, known, ids, W, gram, k, count - complete, WtX, H] as const;
    const cycle = units > 0 ? kernel.cycleKnown32 : kernel.cycleKnown64;
    cycle(...about, bits, sweeps, settled, share, units, own, lines);
  }

  solve(first: number, count: number, WtX: number, H: number, scratch: number): void {
    const { kernel } = this.#placed.region;
    const { W, gram, own, square } = this.#reserved!;
    kernel.solveKnown(...this.#list(first), W, gram, this.#step!.k, count, WtX, H, own, square, scratch);
  }

  add(first: number, count: number, H: number, shares: number): void {
    const { region, features: m } = this.#placed;
    const { S, outer } = this.#reserved!;
    const { k } = this.#step!;
    if (!this.#summing) region.f64(S, (m * k * (k + 1)) / 2).fill(0);
    this.#summing = true;
    const [offsets, features] = this.#list(first);
    region.kernel.addListed(offsets, features, k, count, H, shares, S, outer);
  }

  finish(known: Float64Array): void {
    if (this.#summing) known.set(this.#placed.region.f64(this.#reserved!.S, known.length));
    this.#summing = false;
  }

  /** Offsets from the first sample on, features, and whether they are known. */
  #list(first: number): [number, number, number] {
    const { list, offsets, features } = this.#gaps;
    return [offsets + 4 * first, features, +(list.listed === "known")];
  }

  #reserve(k: number): Buffers {
    const { region, features: m } = this.#placed;
    const lines = 64 * (k * k + 4 * k + 3);
    this.#ids ||= region.reserve(4 * CHUNK);
    this.#counts ||= region.reserve(4 * (this.#most + 2));
    return {
      k,
      W: region.reserve(8 * (k * m + 4), true),
      gram: region.reserve(8 * (k + 1) * fourfold(k)),
      own: region.reserve(8 * (k + 1) * fourfold(k)),
      square: region.reserve(8 * (k * k + 8), true),
      lines: lines <= MOST_BYTES ? region.reserve(lines, true) : 0,
      outer: region.reserve(4 * k * (k + 1) + 8, true),
      S: region.reserve(4 * m * k * (k + 1), true),
    };
  }
}
