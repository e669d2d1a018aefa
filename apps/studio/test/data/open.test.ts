import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Dense, writeNpy } from "bonmf";
import { expect, it } from "vitest";
import { makeWorkbook } from "../../../../packages/data/test/fixtures/workbook.js";
import { zip } from "../../../../packages/data/test/fixtures/zip.js";
import { openItems } from "../../src/data/open.js";
import type { MatrixSource, TableSource } from "../../src/data/source.js";

const item = (name: string, content: string | Uint8Array<ArrayBuffer>) => ({ name, blob: new Blob([content]) });

it("goes by content and name", async () => {
  const table = (await openItems([item("a.jsonl", '{"x": 1, "y": "b"}\n{"x": null, "y": "c"}\n')])) as TableSource;
  expect(table.columns.map(({ type }) => type)).toEqual(["number", "text"]);
  expect(await openItems([item("a", "1 1:2 3:4\n0 2:1\n")])).toMatchObject({
    kind: "libsvm",
    loaded: { labels: [1, 0] },
    rows: 2,
  });
  expect(await openItems([item("a", "Some words.\n\nMore words here.\n")])).toMatchObject({ kind: "text", rows: 2 });
  expect(await openItems([item("a.json", '[{"x": 1}, {"x": 2}]')])).toMatchObject({ kind: "jsonl", rows: 2 });
});

it("opens the first sheet of an Excel file", async () => {
  const bytes = makeWorkbook(new Map([["S", [["Title"], [], ["a", "b"], [1, "x"], [null, "y"]]]]));
  const table = (await openItems([item("a.xlsx", bytes)])) as TableSource;
  expect(table).toMatchObject({ kind: "xlsx", rows: 2, notes: ["a.xlsx: skipped 1 row above the table"] });
  expect(table.columns.map(({ name, type }) => [name, type])).toEqual([["a", "number"], ["b", "text"]]); // biome-ignore format: pairs
  expect(table.place(1)).toBe("row 5");
});

it("unpacks zip archives", async () => {
  const content = new TextEncoder().encode("a,b\n1,2\n");
  const archive = (names: string[]) => new Uint8Array(zip(names.map((name) => ({ name, content, deflate: true }))));
  const table = await openItems([item("a.zip", archive(["in/a.csv", "notes.md"]))]);
  expect(table).toMatchObject({ name: "a.csv", kind: "csv", rows: 1 });
  expect((table as TableSource).notes).toEqual(['a.zip: did not read "notes.md" (--member chooses)']);
  const texts = await openItems([item("a.zip", archive(["x/1.txt", "y/2.txt"]))]);
  expect(texts).toMatchObject({ kind: "text", rows: 2 });
  const damaged = archive(["a.csv"]);
  damaged[40] ^= 1;
  await expect(openItems([item("a.zip", damaged)])).rejects.toThrow(/"a.csv" is damaged/);
});

it("unpacks gzip", async () => {
  const packed = new Uint8Array(gzipSync("a,b\n1,2\n"));
  expect(await openItems([item("a.csv.gz", packed)])).toMatchObject({ kind: "csv", rows: 1 });
  await expect(openItems([item("a.csv.gz", packed.slice(0, 12))])).rejects.toThrow("damaged or cut short");
});

it("takes pictures out of arrays of three dimensions", async () => {
  const flat = writeNpy(
    new Dense(
      2,
      6,
      Float32Array.from({ length: 12 }, (_, i) => i),
    ),
  );
  const text = Buffer.from(flat).toString("latin1").replace("(2, 6), }   ", "(2, 2, 3), }");
  const deep = new Uint8Array(Buffer.from(text, "latin1"));
  expect(text).toContain("(2, 2, 3)");
  const source = (await openItems([item("a.npy", deep)])) as MatrixSource;
  expect(source.image).toEqual({ width: 3, height: 2 });
  expect(Array.from(source.loaded.X.row(1))).toEqual([6, 7, 8, 9, 10, 11]);
});

it("says what it cannot read", async () => {
  await expect(openItems([item("a.xlsx", "PK\x03\x04")])).rejects.toMatchObject({
    message: expect.stringContaining("a.xlsx cannot be read as an Excel file"),
    hint: expect.stringContaining("save the sheet as CSV"),
  });
  await expect(openItems([item("a.csv", "")])).rejects.toThrow("a.csv is empty");
  await expect(openItems([item("a.csv", "x\n1\n"), item("b.csv", "x\n2\n")])).rejects.toThrow("one csv file at a time");
});

const folder = process.env.BONMF_DATA_DIR;
it("reads real digits", async () => {
  const bytes = new Uint8Array(readFileSync(join(folder!, "optdigits/optdigits.csv.gz")));
  const source = (await openItems([item("optdigits.csv.gz", bytes)])) as TableSource;
  expect(source.rows).toBe(5620);
  expect(source.columns).toHaveLength(65);
  expect(source.columns.every(({ type }) => type === "number")).toBe(true);
});
