import { expect, it } from "vitest";
import type { Chunk } from "../../../src/read/direct/order.js";
import { cutTasks } from "../../../src/read/direct/tasks.js";

const chunk: Chunk = {
  file: 0,
  format: "parquet",
  values: 0,
  start: 0,
  end: 0,
  codec: "SNAPPY",
  kind: "f32",
  levels: true,
};

it.each([
  { name: "many groups", heights: [100, 7, 93], m: 5, bytes: 1e5, threads: 2, bands: 1 },
  { name: "one large group", heights: [1003], m: 3, bytes: 1e5, threads: 8, bands: 1 },
  { name: "columns that take too much memory", heights: [50, 61], m: 100, bytes: 2e9, threads: 2, bands: 7 },
  { name: "fewer rows than threads", heights: [3], m: 2, bytes: 10, threads: 16, bands: 1 },
])("every value is in one task: $name", ({ heights, m, bytes, threads, bands }) => {
  const groups = heights.map((rows) => ({ rows, size: bytes, chunks: Array<Chunk>(m).fill(chunk) }));
  const tasks = cutTasks(groups, m, threads);
  const n = heights.reduce((sum, rows) => sum + rows, 0);
  const seen = new Uint8Array(n * m);
  for (const { sample, feature, rows, chunks, skip } of tasks) {
    for (let i = sample; i < sample + rows; i++) for (const [c] of chunks.entries()) seen[i * m + feature + c]++;
    const start = heights.map((_, g) => heights.slice(0, g).reduce((sum, rows) => sum + rows, 0));
    expect(start).toContain(sample - skip);
  }
  expect(seen.every((count) => count === 1)).toBe(true);
  expect(new Set(tasks.map(({ feature }) => feature)).size).toBe(bands);
});
