import type { Dense, Floats } from "../../matrix/dense.js";
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
    for (let p = i * features, end = p + features; p < end; p++) if (data[p] !== 0) filled++;
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

/** Addresses of CSR arrays. */
export interface CsrAddresses {
  readonly offsets: number;
  readonly indices: number;
  readonly values: number;
  readonly filled: number;
}

/** For each set of four lanes, as bits, the bytes of those in it, four a word; no lane gets the last words. */
const ORDERS = Uint32Array.from({ length: 64 }, (_, word) => {
  const lane = [0, 1, 2, 3].filter((lane) => (word >> 2) & (1 << lane))[word & 3];
  return lane === undefined ? 0xffffffff : 0x03020100 + 0x04040404 * lane;
});

/** Writes dense samples into a region as CSR; null if they have more than `capacity` values. */
export function toCsr(region: Region, { samples, features, data }: Dense, capacity: number): CsrAddresses | null {
  const rows = rowsOfChunk(samples, features);
  const chunk = region.reserve(4 * features * rows, true);
  const offsets = region.reserve(4 * (samples + 1));
  const indices = region.reserve(4 * capacity, true);
  const values = region.reserve(4 * capacity, true);
  const orders = region.reserve(ORDERS.byteLength);
  region.u32(orders, ORDERS.length).set(ORDERS);
  let filled = 0;
  for (let from = 0; from < samples; from += rows) {
    const count = Math.min(rows, samples - from);
    if (filled + count * features > capacity) return null;
    region.f32(chunk, count * features).set(data.subarray(from * features, (from + count) * features));
    const ends = offsets + 4 * (from + 1);
    filled = region.kernel.denseToCsr32(chunk, features, count, ends, indices, values, filled, orders);
  }
  return { offsets, indices, values, filled };
}
