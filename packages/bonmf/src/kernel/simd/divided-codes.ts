import { massesOf, SETTLED_MASS } from "../plain/divide.js";
import { CHUNK } from "../plain/products.js";
import { kernelsFor, type Placed } from "../region.js";
import type { Step } from "../step.js";
import type { Sums } from "../sums.js";
import { structBytes, writeStruct } from "./structs.js";

/** Addresses, for up to k prototypes. */
interface Buffers {
  readonly k: number;
  readonly state: number;
  readonly W: number;
  /** The sums of a block so far; 0 where none were needed yet. */
  S: number;
  /** Of samples with gaps, Σ ω h at listed features; else 0. */
  listed: number;
  readonly masses: number;
  readonly H: number;
  readonly weights: number;
  readonly totals: number;
}

const even = (k: number) => 2 * Math.ceil(k / 2);

/** The rule `divide` in WebAssembly, where the samples are: the part of `SimdProducts` for such steps. */
export class DividedCodes {
  readonly #placed: Placed;
  #reserved: Buffers | null = null;
  #k = 0;
  /** Whether S has sums of this block. */
  #summing = false;

  constructor(placed: Placed) {
    this.#placed = placed;
  }

  begin(step: Step): void {
    const { region, features: m, sparse, gaps } = this.#placed;
    const { k, W, l1 = 0, l2 = 0, sweeps = 1, codesOnly = false } = step;
    if (this.#reserved === null || this.#reserved.k < k) this.#reserved = reserveBuffers(this.#placed, k);
    const buffers = this.#reserved;
    const wide = even(k);
    if (!codesOnly && buffers.S === 0) {
      buffers.S = region.reserve(8 * even(buffers.k) * m);
      if (gaps) buffers.listed = region.reserve(8 * even(buffers.k) * m);
    }
    this.#k = k;
    this.#summing = false;
    const rows = region.f64(buffers.W, wide * m);
    if (wide > k) rows.fill(0);
    eachTile(m, (from, to) => {
      for (let r = 0; r < k; r++) for (let f = from; f < to; f++) rows[f * wide + r] = W[r * m + f];
    });
    region.f64(buffers.masses, k).set(massesOf(W, k));
    const { state, W: at, S, listed, masses, H, totals } = buffers;
    const numbers = { l1, l2, settled: SETTLED_MASS, m, k, sparse: sparse ? 1 : 0, sweeps, summing: codesOnly ? 0 : 1 };
    writeStruct(region, "DivideState", state, { ...numbers, W: at, S, listed, masses, H, totals });
  }

  /** @param X IN the address of the first sample @param first IN its place; the others are those of `Products.divide` */
  divide(
    X: number,
    first: number,
    count: number,
    before: Float64Array | null,
    given: Float64Array,
    weights: Float64Array | null,
    sums: Sums,
  ): void {
    // Samples that are read from storage may lie elsewhere every time.
    const { region, features: m, indices, values, gaps } = this.#placed;
    const buffers = this.#reserved!;
    const H = region.f64(buffers.H, given.length);
    if (before === null) H.fill(1);
    else H.set(before);
    if (weights !== null) region.f64(buffers.weights, count).set(weights);
    const own = { indices, values, weights: weights === null ? 0 : buffers.weights, ...gapsFrom(gaps, first) };
    writeStruct(region, "DivideState", buffers.state, own);
    if (!this.#summing) {
      for (const at of [buffers.S, buffers.listed]) if (at !== 0) region.f64(at, even(this.#k) * m).fill(0);
    }
    this.#summing = true;
    const totals = region.f64(buffers.totals, 3);
    totals.set([sums.loss, sums.cross, sums.listedSquare]);
    kernelsFor(this.#placed).divideCodes(buffers.state, X, count);
    [sums.loss, sums.cross, sums.listedSquare] = totals;
    given.set(H);
  }

  finish({ XHt, listedCodes }: Sums): void {
    if (!this.#summing || XHt.length === 0) return;
    this.#take(this.#reserved!.S, XHt);
    if (listedCodes.length > 0) this.#take(this.#reserved!.listed, listedCodes);
    this.#summing = false;
  }

  /** @param at IN a row a feature @param to OUT k × m */
  #take(at: number, to: Float64Array): void {
    const { region, features: m } = this.#placed;
    const wide = even(this.#k);
    const rows = region.f64(at, wide * m);
    eachTile(m, (from, end) => {
      for (let r = 0; r < this.#k; r++) for (let f = from; f < end; f++) to[r * m + f] = rows[f * wide + r];
    });
  }
}

/** So many features at a time lie in the cache together. */
const TILE = 32;

function eachTile(m: number, visit: (from: number, to: number) => void): void {
  for (let from = 0; from < m; from += TILE) visit(from, Math.min(from + TILE, m));
}

/** What the samples from the first on list. */
function gapsFrom(gaps: Placed["gaps"], first: number) {
  if (!gaps) return { gapOffsets: 0 };
  const { list, offsets, features } = gaps;
  return { gapOffsets: offsets + 4 * first, gapFeatures: features, gapsKnown: +(list.listed === "known") };
}

function reserveBuffers({ region, features: m, samples }: Placed, k: number): Buffers {
  const of = (bytes: number) => region.reserve(bytes);
  const chunk = Math.min(CHUNK, samples);
  const wide = 8 * even(k);
  const state = of(structBytes("DivideState"));
  const own = {
    h: of(wide),
    above: of(wide),
    known: of(wide),
    start: of(wide),
    first: of(wide),
    second: of(wide),
    products: of(8 * m + 16),
    quotients: of(8 * m + 16),
  };
  // One more than the features: a value is written before it is known not to be 0.
  writeStruct(region, "DivideState", state, { ...own, places: of(4 * m + 4), entries: of(8 * m + 8) });
  return {
    k,
    state,
    W: of(wide * m),
    S: 0,
    listed: 0,
    masses: of(wide),
    H: of(8 * chunk * k),
    weights: of(8 * chunk),
    totals: of(24),
  };
}
