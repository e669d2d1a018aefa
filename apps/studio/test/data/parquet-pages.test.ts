import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type FileMetaData, parquetMetadata } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { expect, it } from "vitest";
import { readParquet } from "../../src/data/parquet.js";
import { checkPages } from "../../src/data/parquet-pages.js";
import { followDeltas, followRuns } from "../../src/data/parquet-runs.js";

const fixtures = fileURLToPath(new URL("../../../cli/test/read/fixtures/parquet.json", import.meta.url));
const files: Record<string, string> = JSON.parse(readFileSync(fixtures, "utf8")).files;
const ALLOWED = 2 ** 29;
const load = (name: string) => Uint8Array.from(Buffer.from(files[name], "base64")).buffer;

it.each(Object.keys(files))("%s: the pages of a whole file are fine", (name) => {
  const buffer = load(name);
  expect(() => checkPages(buffer, parquetMetadata(buffer), compressors, ALLOWED)).not.toThrow();
});

it("pages that lead nowhere, end too late or lack values are refused", () => {
  const buffer = load("bare");
  const metadata = parquetMetadata(buffer);
  const [{ meta_data: column }] = metadata.row_groups[0].columns;
  const check = (changes: object) => () =>
    checkPages(
      buffer,
      {
        ...metadata,
        row_groups: [{ num_rows: 300n, columns: [{ meta_data: { ...column, ...changes } }] }],
      } as FileMetaData,
      compressors,
      ALLOWED,
    );
  expect(check({})).not.toThrow();
  expect(check({ num_values: 301n })).toThrow("a column claims 301 values for 300 rows");
  expect(check({ total_compressed_size: 10n ** 12n })).toThrow("a column ends after the file");
  expect(() => checkPages(new ArrayBuffer(5000), metadata, compressors, ALLOWED)).toThrow("a page has no size");
});

/** A cursor over bytes. */
const over = (...bytes: number[]) => ({ view: new DataView(Uint8Array.from(bytes).buffer), offset: 0 });

it("runs are followed to their end, and values counted", () => {
  // Three times 1, then eight packed bits, of which five count.
  const cursor = over(6, 1, 3, 0b10110, 99);
  expect(followRuns(cursor, 1, 8, 1)).toBe(3 + 3);
  expect(cursor.offset).toBe(4);
  expect(followRuns(over(3, 0xe4, 0xe4), 2, 8, 2)).toBe(2);
  expect(followRuns(over(16, 7, 1), 9, 8, 263)).toBe(8);
  expect(followRuns(over(16), 0, 8, 0)).toBe(8);
});

it.each([
  ["a run longer than what is left", [18, 1], 1, "a run of 9 values where 8 are left"],
  ["a run of more than 32 bits", [255, 255, 255, 255, 127, 1], 1, "more than 32 bits"],
  ["a run without an end", [128, 128, 128, 128, 128, 128], 1, "more than 32 bits"],
  ["groups of nothing", [255, 255, 3], 0, "groups for 8 values"],
  ["values that are too wide", [16, 1], 33, "a value of 33 bits"],
  ["empty runs to the end", [0, 1, 1, 1, 0, 1], 1, "outside the bounds"],
])("%s is refused", (_, bytes, width, message) => {
  expect(() => followRuns(over(...bytes), width, 8)).toThrow(message);
});

it("differences are followed block by block", () => {
  // Blocks of 128 in 4 parts; 40 values, the first 7; widths 2 and 1: 8 and 4 bytes.
  const head = [128, 1, 4, 40, 14];
  const cursor = over(...head, 2, 2, 1, 0, 0, ...new Array(12).fill(0), 77);
  followDeltas(cursor, 40);
  expect(cursor.view.getUint8(cursor.offset)).toBe(77);
  expect(() => followDeltas(over(128, 1, 0, 40, 14), 40)).toThrow("blocks of 128 values in 0 parts");
  expect(() => followDeltas(over(128, 1, 3, 40, 14), 40)).toThrow("blocks of 128 values in 3 parts");
  expect(() => followDeltas(over(0, 4, 40, 14), 40)).toThrow("blocks of 0 values in 4 parts");
  expect(() => followDeltas(over(128, 128, 128, 8, 128, 128, 4, 40, 14, 2), 40)).toThrow("a block ends after its page");
  expect(() => followDeltas(over(...head, ...new Array(11).fill(128)), 40)).toThrow("more than 64 bits");
});

it("every shape of a whole file is read, and none with a changed byte takes long", async () => {
  const shapes: Record<string, string> = JSON.parse(
    readFileSync(new URL("fixtures/parquet.json", import.meta.url), "utf8"),
  );
  for (const [name, packed] of Object.entries(shapes)) {
    const table = await readParquet(Uint8Array.from(Buffer.from(packed, "base64")).buffer, name);
    expect(table.rows).toBe(40);
  }
  // One change in 200, in a process that can be ended.
  const script = fileURLToPath(new URL("parquet-flips.js", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, "7", "200"], { timeout: 10 * 60_000 });
  const { read, refused, slow, faults, megabytes } = JSON.parse(stdout);
  expect({ slow, faults }).toEqual({ slow: [], faults: [] });
  expect(Math.min(read, refused)).toBeGreaterThan(50);
  expect(megabytes).toBeLessThan(1024);
});
