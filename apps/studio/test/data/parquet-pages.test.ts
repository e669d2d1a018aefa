import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type FileMetaData, parquetMetadata } from "hyparquet";
import { expect, it } from "vitest";
import { checkPages } from "../../src/data/parquet-pages.js";

const fixtures = fileURLToPath(new URL("../../../cli/test/read/fixtures/parquet.json", import.meta.url));
const files: Record<string, string> = JSON.parse(readFileSync(fixtures, "utf8")).files;
const load = (name: string) => Uint8Array.from(Buffer.from(files[name], "base64")).buffer;

it.each(Object.keys(files))("%s: the pages of a whole file are fine", (name) => {
  const buffer = load(name);
  expect(() => checkPages(buffer, parquetMetadata(buffer))).not.toThrow();
});

it("pages that lead nowhere, end too late or lack values are refused", () => {
  const buffer = load("bare");
  const metadata = parquetMetadata(buffer);
  const [{ meta_data: column }] = metadata.row_groups[0].columns;
  const check = (changes: object) => () =>
    checkPages(buffer, { row_groups: [{ columns: [{ meta_data: { ...column, ...changes } }] }] } as FileMetaData);
  expect(check({})).not.toThrow();
  expect(check({ num_values: 301n })).toThrow("a column claims 301 values but has 300");
  expect(check({ total_compressed_size: 10n ** 12n })).toThrow("a column ends after the file");
  expect(() => checkPages(new ArrayBuffer(5000), metadata)).toThrow("a page has no size");
});
