import { expect } from "vitest";
import type { ReadOptions } from "../../../src/read/data.js";
import type { Harvest } from "../../../src/read/duckdb/side-columns.js";
import { readTable } from "../tables.js";

/** The same bits as by way of DuckDB, which reads files as small as these. */
export async function expectTable(
  harvest: Harvest | null,
  files: readonly string[],
  options: ReadOptions,
): Promise<Harvest> {
  const data = await readTable(files, options);
  if (harvest === null || data.X.kind !== "dense") return expect.fail("not read directly");
  const bits = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
    Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
  expect(harvest.X.samples).toBe(data.X.samples);
  expect(bits(harvest.X.data).equals(bits(data.X.data))).toBe(true);
  const { labels, ids, weights } = harvest.margin;
  expect(labels).toEqual(data.labels);
  expect(ids).toEqual(data.ids);
  expect(weights && Float64Array.from(weights)).toEqual(data.weights);
  return harvest;
}
