import type { Task } from "./job.js";
import type { RowGroup } from "./metadata.js";

/** Bytes of pages that all threads together may hold. */
const PAGES = 128 * 2 ** 20;
/** Fewer features than these would write less than half a cache line at once. */
const NARROW = 8;

/** Cuts row groups across their columns where pages would take too much memory, or there would be too few tasks. */
export function cutTasks(groups: readonly RowGroup[], m: number, threads: number): Task[] {
  const largest = groups.reduce((most, { bytes }) => Math.max(most, bytes), 1);
  // At most two pages a column: compressed and decompressed.
  const forMemory = Math.ceil((2 * largest * threads) / PAGES);
  const forThreads = Math.ceil((2 * threads) / groups.length);
  const bands = Math.min(Math.max(forMemory, forThreads), Math.ceil(m / NARROW));
  const width = Math.ceil(m / bands);
  const tasks: Task[] = [];
  let sample = 0;
  for (const { rows, chunks } of groups) {
    for (let feature = 0; feature < m; feature += width) {
      tasks.push({ chunks: chunks.slice(feature, feature + width), feature, sample, rows });
    }
    sample += rows;
  }
  return tasks;
}
