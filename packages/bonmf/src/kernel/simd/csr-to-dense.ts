import type { Sparse } from "../../matrix/sparse.js";
import { chooseStorage } from "../choose.js";
import type { Region } from "../region.js";

/** Bytes of samples that pass through the cache at a time. */
const CHUNK_BYTES = 128 * 1024;

/** Whether sparse samples are better stored dense. */
export function isFull({ samples, features, precision, values }: Sparse): boolean {
  return chooseStorage("CSR", precision, features, values.length / (samples * features)).value === "dense";
}

/** Writes 32-bit CSR samples into a region as dense ones; returns their address. */
export function toDense(region: Region, { samples, features, offsets, indices, values }: Sparse): number {
  const to = region.reserve(4 * features * samples, true);
  const rows = Math.max(1, Math.min(samples, Math.floor(CHUNK_BYTES / (4 * features))));
  const ends = region.reserve(4 * (rows + 1), true);
  const columns = region.reserve(4 * features * rows, true);
  const stored = region.reserve(4 * features * rows, true);
  for (let from = 0; from < samples; from += rows) {
    const count = Math.min(rows, samples - from);
    const [first, last] = [offsets[from], offsets[from + count]];
    region.u32(ends, count + 1).set(offsets.subarray(from, from + count + 1));
    region.u32(columns, last - first).set(indices.subarray(first, last));
    region.f32(stored, last - first).set(values.subarray(first, last));
    region.kernel.csrToDense32(ends, columns, stored, count, features, to + 4 * features * from);
  }
  return to;
}
