import { expect } from "vitest";
import type { ReadOptions } from "../../../src/read/data.js";
import type { TableRows } from "../../../src/read/duckdb/query.js";
import { readTable } from "../tables.js";

/** The same bits as by way of DuckDB, which reads files as small as these. */
export async function expectTable(
  found: TableRows | null,
  files: readonly string[],
  options: ReadOptions,
): Promise<TableRows> {
  const data = await readTable(files, options);
  if (found === null || data.X.kind !== "dense") return expect.fail("not read directly");
  const bits = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
    Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
  expect(found.X.samples).toBe(data.X.samples);
  expect(bits(found.X.data).equals(bits(data.X.data))).toBe(true);
  const { labels, ids, weights } = found.side;
  expect(labels).toEqual(data.labels);
  expect(ids).toEqual(data.ids);
  expect(weights && Float64Array.from(weights)).toEqual(data.weights);
  return found;
}
