import { expect, it } from "vitest";
import type { ColumnChunk } from "../../../../src/read/direct/parquet/job.js";
import { cutTasks } from "../../../../src/read/direct/parquet/tasks.js";

const chunk: ColumnChunk = { file: 0, values: 0, start: 0, end: 0, type: "f32", snappy: true, optional: true };

it.each([
  { name: "many groups", heights: [100, 7, 93], m: 5, bytes: 1e5, threads: 2, bands: 1 },
  { name: "one large group", heights: [1003], m: 70, bytes: 1e5, threads: 2, bands: 4 },
  { name: "columns that take too much memory", heights: [50, 61], m: 100, bytes: 2e8, threads: 2, bands: 6 },
  { name: "fewer rows than threads", heights: [3], m: 2, bytes: 10, threads: 16, bands: 1 },
])("every value is in one task: $name", ({ heights, m, bytes, threads, bands }) => {
  const groups = heights.map((rows) => ({ rows, bytes, chunks: Array<ColumnChunk>(m).fill(chunk) }));
  const tasks = cutTasks(groups, m, threads);
  const n = heights.reduce((sum, rows) => sum + rows, 0);
  const seen = new Uint8Array(n * m);
  for (const { sample, feature, rows, chunks } of tasks) {
    for (let i = sample; i < sample + rows; i++) for (const [c] of chunks.entries()) seen[i * m + feature + c]++;
    const start = heights.map((_, g) => heights.slice(0, g).reduce((sum, rows) => sum + rows, 0));
    expect(start).toContain(sample);
  }
  expect(seen.every((count) => count === 1)).toBe(true);
  expect(new Set(tasks.map(({ feature }) => feature)).size).toBe(bands);
});
