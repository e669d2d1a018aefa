import { SLICE } from "./feed.js";
import type { Task } from "./order.js";
import type { Group } from "./survey.js";

/** Bytes of pages that all threads together may have before them. */
const ROOM = 128 * 2 ** 20;
/** Fewer columns than these would write less than a cache line at once. */
const NARROW = 16;

/**
 * Cuts row groups for so many threads: across the columns where their pages would take too much memory, and by rows
 * where there would be too few tasks.
 */
export function cutTasks(groups: readonly Group[], m: number, threads: number): Task[] {
  const largest = groups.reduce((most, { size }) => Math.max(most, size), 1);
  // For each column a slice, and at most two pages: of values and of codes.
  const fit = Math.max(NARROW, Math.floor(ROOM / threads / ((2 * largest) / m + SLICE)));
  const bands = Math.ceil(m / fit);
  const width = Math.ceil(m / bands);
  const pieces = Math.ceil((2 * threads) / (groups.length * bands));
  const tasks: Task[] = [];
  let sample = 0;
  for (const { rows, chunks } of groups) {
    const height = Math.ceil(rows / pieces / 8) * 8;
    for (let skip = 0; skip < rows; skip += height) {
      for (let feature = 0; feature < m; feature += width) {
        tasks.push({
          chunks: chunks.slice(feature, feature + width),
          feature,
          sample: sample + skip,
          skip,
          rows: Math.min(height, rows - skip),
        });
      }
    }
    sample += rows;
  }
  return tasks;
}
