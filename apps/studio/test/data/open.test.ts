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

it("says of a damaged Parquet file what it is", async () => {
  await expect(openItems([item("a.parquet", "PAR1 and no more")])).rejects.toThrow(
    /^a\.parquet cannot be read as a Parquet file: /,
  );
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

it("opens NumPy archives as the command does", async () => {
  const array = writeNpy(Dense.from([[1, 2], [3, 4]])); // biome-ignore format: rows
  const labels = writeNpy(Dense.from([[7], [8]]));
  const pack = (...names: [string, Uint8Array][]) =>
    new Uint8Array(zip(names.map(([name, content]) => ({ name, content, deflate: true }))));
  const opened = (await openItems([item("a.npz", pack(["X.npy", array], ["y.npy", labels]))])) as MatrixSource;
  expect(opened).toMatchObject({ form: "matrix", kind: "npz", rows: 2, loaded: { labels: [7, 8] } });
  expect(opened.loaded.X.toDense().data).toEqual(Float32Array.of(1, 2, 3, 4));
  const sparse = pack(
    ["indices.npy", writeNpy(Dense.from([[2], [0]]))],
    ["indptr.npy", writeNpy(Dense.from([[0], [1], [2]]))],
    ["shape.npy", writeNpy(Dense.from([[2], [3]]))],
    ["data.npy", writeNpy(Dense.from([[5], [6]]))],
  );
  const { loaded } = (await openItems([item("s.npz", sparse)])) as MatrixSource;
  expect([loaded.X.kind, ...loaded.X.toDense().data]).toEqual(["sparse", 0, 0, 5, 6, 0, 0]);
  await expect(openItems([item("n.npz", pack(["readme.txt", array]))])).rejects.toThrow("n.npz holds no arrays (.npy)");
  const both = pack(["a.npy", array], ["b.npy", array]);
  await expect(openItems([item("b.npz", both)])).rejects.toMatchObject({ hint: expect.stringContaining('"X"') });
  const short = pack(["X.npy", array], ["y.npy", labels]).slice(0, -30);
  await expect(openItems([item("c.npz", short)])).rejects.toThrow(/^c\.npz/);
});

it("opens one of several sheets, and one of several tables of an archive", async () => {
  const book = makeWorkbook(new Map([["One", [["a"], [1]]], ["Two", [["b", "c"], [1, 2], [3, 4]]]])); // biome-ignore format: sheets
  const first = await openItems([item("a.xlsx", book)]);
  expect(first).toMatchObject({ rows: 1, parts: { what: "sheet", names: ["One", "Two"], open: "One" } });
  expect(await openItems([item("a.xlsx", book)], "Two")).toMatchObject({ rows: 2, parts: { open: "Two" }, notes: [] });
  const entry = (name: string, text: string) => ({ name, content: new TextEncoder().encode(text), deflate: true });
  const bytes = new Uint8Array(zip([entry("in/a.csv", "a\n1\n"), entry("b.csv", "b\n1\n2\n"), entry("readme.md", "")]));
  const parts = { what: "member", names: ["in/a.csv", "b.csv"] };
  expect(await openItems([item("a.zip", bytes)])).toMatchObject({
    name: "a.csv",
    parts: { ...parts, open: "in/a.csv" },
  });
  const other = await openItems([item("a.zip", bytes)], "b.csv");
  expect(other).toMatchObject({ name: "b.csv", rows: 2, parts: { ...parts, open: "b.csv" } });
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
  await expect(openItems([item("a.csv", "x\n1\n"), item("b.csv", "y\n2\n")])).rejects.toThrow(
    "b.csv and a.csv have different columns",
  );
  const npy = item("a.npy", writeNpy(Dense.from([[1], [2]])));
  await expect(openItems([npy, npy])).rejects.toThrow("one npy file at a time");
});

const folder = process.env.BONMF_DATA_DIR;
it("reads real digits", async () => {
  const bytes = new Uint8Array(readFileSync(join(folder!, "optdigits/optdigits.csv.gz")));
  const source = (await openItems([item("optdigits.csv.gz", bytes)])) as TableSource;
  expect(source.rows).toBe(5620);
  expect(source.columns).toHaveLength(65);
  expect(source.columns.every(({ type }) => type === "number")).toBe(true);
});

it("reads CSV files with the same columns as one", async () => {
  const both = (await openItems([item("a.csv", "x,y\n1,a\n2,b"), item("b.csv", "x,y\r\n3,c\r\n")])) as TableSource;
  expect(both).toMatchObject({ name: "a.csv and 1 more", rows: 3 });
  expect(both.columns.map(({ name }) => name)).toEqual(["x", "y"]);
});
