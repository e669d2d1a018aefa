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
    const { region, features: m, sparse } = this.#placed;
    const { k, W, l1 = 0, l2 = 0, sweeps = 1, codesOnly = false } = step;
    if (this.#reserved === null || this.#reserved.k < k) this.#reserved = reserveBuffers(this.#placed, k);
    const buffers = this.#reserved;
    const wide = even(k);
    if (!codesOnly && buffers.S === 0) buffers.S = region.reserve(8 * even(buffers.k) * m);
    this.#k = k;
    this.#summing = false;
    const rows = region.f64(buffers.W, wide * m);
    if (wide > k) rows.fill(0);
    for (let r = 0, q = 0; r < k; r++) for (let p = r; p < rows.length; p += wide) rows[p] = W[q++];
    region.f64(buffers.masses, k).set(massesOf(W, k));
    const { state, W: at, S, masses, H, totals } = buffers;
    const numbers = { l1, l2, settled: SETTLED_MASS, m, k, sparse: sparse ? 1 : 0, sweeps, summing: codesOnly ? 0 : 1 };
    writeStruct(region, "DivideState", state, { ...numbers, W: at, S, masses, H, totals });
  }

  /** @param X IN the address of the first sample; the others are those of `Products.divide` */
  divide(
    X: number,
    count: number,
    before: Float64Array | null,
    given: Float64Array,
    weights: Float64Array | null,
    sums: Sums,
  ): void {
    // Samples that are read from storage may lie elsewhere every time.
    const { region, features: m, indices, values } = this.#placed;
    const buffers = this.#reserved!;
    const H = region.f64(buffers.H, given.length);
    if (before === null) H.fill(1);
    else H.set(before);
    if (weights !== null) region.f64(buffers.weights, count).set(weights);
    const own = { indices, values, weights: weights === null ? 0 : buffers.weights };
    writeStruct(region, "DivideState", buffers.state, own);
    if (!this.#summing && buffers.S !== 0) region.f64(buffers.S, even(this.#k) * m).fill(0);
    this.#summing = true;
    const totals = region.f64(buffers.totals, 2);
    totals.set([sums.loss, sums.cross]);
    kernelsFor(this.#placed).divideCodes(buffers.state, X, count);
    [sums.loss, sums.cross] = totals;
    given.set(H);
  }

  /** @param XHt OUT k × m */
  finish(XHt: Float64Array): void {
    if (!this.#summing || XHt.length === 0) return;
    const { region, features: m } = this.#placed;
    const wide = even(this.#k);
    const S = region.f64(this.#reserved!.S, wide * m);
    for (let r = 0, q = 0; r < this.#k; r++) for (let p = r; p < S.length; p += wide) XHt[q++] = S[p];
    this.#summing = false;
  }
}

function reserveBuffers({ region, features: m, samples }: Placed, k: number): Buffers {
  const of = (bytes: number) => region.reserve(bytes);
  const chunk = Math.min(CHUNK, samples);
  const wide = 8 * even(k);
  const state = of(structBytes("DivideState"));
  const own = { h: of(wide), above: of(wide), products: of(8 * m + 16), quotients: of(8 * m + 16) };
  // One more than the features: a value is written before it is known not to be 0.
  writeStruct(region, "DivideState", state, { ...own, places: of(4 * m + 4), entries: of(8 * m + 8) });
  return {
    k,
    state,
    W: of(wide * m),
    S: 0,
    masses: of(8 * k),
    H: of(8 * chunk * k),
    weights: of(8 * chunk),
    totals: of(16),
  };
}
