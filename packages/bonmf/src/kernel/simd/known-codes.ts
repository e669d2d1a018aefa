import { SETTLED } from "../plain/cycle.js";
import { featureRows, isByGram } from "../plain/known-codes.js";
import type { Placed, PlacedGaps } from "../region.js";
import type { Step } from "../step.js";

/** Bytes that eight samples may take with all that they list; beyond, codes are renewed plainly. */
const MOST_BYTES = 2 ** 24;

/** Addresses, for up to k components. */
interface Buffers {
  readonly k: number;
  /** W, m × k. */
  readonly W: number;
  /** The gram matrix of one sample. */
  readonly own: number;
  /** Working memory for eight samples; 0 where they list too much. */
  readonly lines: number;
  /** The lower triangle of a sample's h hᵀ. */
  readonly outer: number;
  /** m triangles: the sums of a block so far. */
  readonly S: number;
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

  begin(step: Step): void {
    const { region } = this.#placed;
    this.#step = step;
    this.#summing = false;
    if (this.#reserved === null || this.#reserved.k < step.k) this.#reserved = this.#reserve(step.k);
    if (this.renews) region.f64(this.#reserved.W, step.W.length).set(featureRows(step));
  }

  /** @param below IN/OUT the addresses of count × k: gram · h */
  correct(first: number, count: number, H: number, below: number): void {
    const { region } = this.#placed;
    region.kernel.correctProducts(...this.#list(first), this.#reserved!.W, this.#step!.k, count, H, below);
  }

  /** Renews codes by `cyclic` or `binary`. */
  cycle(first: number, count: number, gram: number, WtX: number, H: number): void {
    const { kernel } = this.#placed.region;
    const { rule, k, sweeps = 1, beyond = 0 } = this.#step!;
    const { W, lines } = this.#reserved!;
    // Bits have settled when none changes.
    const [bits, settled, share] = rule === "binary" ? [1, 0, 0] : [0, SETTLED, beyond];
    kernel.cycleKnown(...this.#list(first), W, gram, k, count, WtX, H, bits, sweeps, settled, share, lines);
  }

  solve(first: number, count: number, gram: number, WtX: number, H: number, scratch: number): void {
    const { kernel } = this.#placed.region;
    const { W, own } = this.#reserved!;
    kernel.solveKnown(...this.#list(first), W, gram, this.#step!.k, count, WtX, H, own, scratch);
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
    const lines = 64 * (5 * k + 6 + (k + 1) * this.#most);
    return {
      k,
      W: region.reserve(8 * k * m, true),
      own: region.reserve(8 * (k * k + 8), true),
      lines: lines <= MOST_BYTES ? region.reserve(lines, true) : 0,
      outer: region.reserve(4 * k * (k + 1), true),
      S: region.reserve(4 * m * k * (k + 1), true),
    };
  }
}
