import type { Dense, Floats } from "../../matrix/dense.js";
import { clearRows, type Gaps } from "../../matrix/gaps.js";
import { chooseStorage } from "../choose.js";
import type { Region } from "../region.js";

/** Samples read for the estimate. */
const LOOKED_AT = 64;
/** Bytes of samples that pass through the cache at a time. */
const CHUNK_BYTES = 256 * 1024;

/** Whether dense samples are better stored as CSR; reads all of them. */
export function isMostlyZero(data: Floats, features: number): boolean {
  let filled = 0;
  for (const value of data) if (value !== 0) filled++;
  return chooseStorage("dense", "f32", features, filled / data.length).value === "CSR";
}

/** Capacity for the values of samples that are better stored as CSR, estimated from some of them; null: store them dense. */
export function estimateCsrCapacity({ samples, features, precision, data }: Dense): number | null {
  if (precision !== "f32") return null;
  const step = Math.max(1, Math.floor(samples / LOOKED_AT));
  let filled = 0;
  let seen = 0;
  for (let i = 0; i < samples; i += step) {
    // Neither 0 nor missing.
    for (let p = i * features, end = p + features; p < end; p++) if (data[p] > 0 || data[p] < 0) filled++;
    seen += features;
  }
  const { value } = chooseStorage("dense", precision, features, filled / seen);
  if (value === "dense") return null;
  // Half as much again as estimated, and a chunk without zeros, since a chunk is converted before it is counted.
  return Math.ceil((1.5 * filled * data.length) / seen) + features * rowsOfChunk(samples, features);
}

function rowsOfChunk(samples: number, features: number): number {
  return Math.max(1, Math.min(samples, Math.floor(CHUNK_BYTES / (4 * features))));
}

/** For each set of four lanes, as bits, the bytes of those in it, four a word; no lane gets the last words. */
const ORDERS = Uint32Array.from({ length: 64 }, (_, word) => {
  const lane = [0, 1, 2, 3].filter((lane) => (word >> 2) & (1 << lane))[word & 3];
  return lane === undefined ? 0xffffffff : 0x03020100 + 0x04040404 * lane;
});

/** Where a conversion lies in a memory: plain data, which can be posted to a worker. */
export interface CsrPlan {
  readonly samples: number;
  readonly features: number;
  /** Samples of a chunk, and how many chunks may wait to be converted. */
  readonly rows: number;
  readonly slots: number;
  /** How many values there is room for. */
  readonly capacity: number;
  /** Addresses: of the chunks, of the CSR arrays, of the kernel's table and of the counters. */
  readonly chunks: number;
  readonly offsets: number;
  readonly indices: number;
  readonly values: number;
  readonly orders: number;
  readonly words: number;
}

/** Counters, a cache line each: chunks put and converted, values found, whether a thread converts, whether there are too many values. */
const [PUT, CONVERTED, FILLED, BUSY, FULL] = [0, 16, 32, 48, 64];
const WORDS = 80;

/** @param slots how many chunks may wait: 1 where one thread does all of it */
export function planCsr(region: Region, { samples, features }: Dense, capacity: number, slots: number): CsrPlan {
  const rows = rowsOfChunk(samples, features);
  const orders = region.reserve(ORDERS.byteLength);
  region.u32(orders, ORDERS.length).set(ORDERS);
  return {
    ...{ samples, features, rows, slots, capacity, orders },
    chunks: region.reserve(4 * features * rows * slots, true),
    offsets: region.reserve(4 * (samples + 1)),
    indices: region.reserve(4 * capacity, true),
    values: region.reserve(4 * capacity, true),
    words: region.reserve(4 * WORDS),
  };
}

/**
 * Writes dense samples into a region as CSR, in chunks that stay in the cache. One thread, which alone can read the samples, puts the
 * chunks into the memory; they are converted in order by whoever has time, it or another thread.
 */
export class CsrConverter {
  readonly #region: Region;
  readonly #plan: CsrPlan;
  readonly #words: Int32Array;

  constructor(region: Region, plan: CsrPlan) {
    this.#region = region;
    this.#plan = plan;
    this.#words = new Int32Array(region.u32(plan.words, WORDS).buffer, plan.words, WORDS);
  }

  /** Whether the next chunk has room. */
  get hasRoom(): boolean {
    return this.put - Atomics.load(this.#words, CONVERTED) < this.#plan.slots;
  }

  /** How many chunks have been put. */
  get put(): number {
    return Atomics.load(this.#words, PUT);
  }

  /** How many chunks there are. */
  get count(): number {
    return Math.ceil(this.#plan.samples / this.#plan.rows);
  }

  /** Nothing is left to convert, or there are too many values. */
  get ended(): boolean {
    return this.isFull || Atomics.load(this.#words, CONVERTED) === this.count;
  }

  /** There are more values than capacity, or a thread gave up. */
  get isFull(): boolean {
    return Atomics.load(this.#words, FULL) !== 0;
  }

  giveUp(): void {
    Atomics.store(this.#words, FULL, 1);
  }

  /** How many values there are. */
  get filled(): number {
    return this.#words[FILLED] >>> 0;
  }

  /** Puts the next chunk, for which there is room. @param blank IN what becomes 0 */
  putNext({ data, features }: Dense, blank: Gaps | null = null): void {
    const { rows, slots, chunks, samples } = this.#plan;
    const { put } = this;
    const from = put * rows;
    const to = Math.min(from + rows, samples);
    const chunk = this.#region.f32(chunks + 4 * features * rows * (put % slots), (to - from) * features);
    chunk.set(data.subarray(from * features, to * features));
    if (blank !== null) clearRows(chunk, features, blank, from, to);
    Atomics.store(this.#words, PUT, put + 1);
    Atomics.notify(this.#words, PUT);
  }

  /** Converts the next chunk; false: another thread is at it, or none waits. */
  convertNext(): boolean {
    const words = this.#words;
    if (Atomics.compareExchange(words, BUSY, 0, 1) !== 0) return false;
    const next = words[CONVERTED];
    const waits = next < this.put && !this.isFull;
    if (waits) this.#convert(next);
    Atomics.store(words, BUSY, 0);
    return waits;
  }

  #convert(c: number): void {
    const { samples, features, rows, slots, capacity, chunks, offsets, indices, values, orders } = this.#plan;
    const from = c * rows;
    const count = Math.min(rows, samples - from);
    if (this.filled + count * features > capacity) {
      this.giveUp();
      return;
    }
    const at = chunks + 4 * features * rows * (c % slots);
    const { kernel } = this.#region;
    const ends = offsets + 4 * (from + 1);
    this.#words[FILLED] = kernel.denseToCsr32(at, features, count, ends, indices, values, this.filled, orders);
    Atomics.store(this.#words, CONVERTED, c + 1);
  }

  /** Waits for the next chunk, at most so many milliseconds. For threads that may sleep. */
  awaitPut(ms: number): void {
    const { put } = this;
    if (put === this.#words[CONVERTED] && put < this.count) Atomics.wait(this.#words, PUT, put, ms);
  }
}
