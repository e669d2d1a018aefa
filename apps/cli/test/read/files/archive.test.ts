import { describe, expect, it } from "vitest";
import { makeWorkbook } from "../../../../../packages/data/test/fixtures/workbook.js";
import { zip } from "../../../../../packages/data/test/fixtures/zip.js";
import { readData } from "../../../src/read/read.js";
import { failure, makeFolder, rowsOf } from "../fixture.js";

const folder = makeFolder();
const put = (name: string, files: Record<string, string | Uint8Array>) =>
  folder.put(
    name,
    zip(
      Object.entries(files).map(([inside, content]) => ({
        name: inside,
        content: Buffer.from(content),
        deflate: true,
      })),
    ),
  );
const TABLE = "a,b\n1,2\n3,4\n";
const PICTURE = "P2\n1 1\n255\n";

describe("a zip archive", () => {
  it("of one table is that table", async () => {
    const path = put("one.zip", { "in/t.csv": TABLE, "readme.md": "about" });
    const { X, features, kind, notes } = await readData([path], {});
    expect({ rows: rowsOf(X), features, kind }).toEqual({ rows: [[1, 2], [3, 4]], features: ["a", "b"], kind: "csv" }); // biome-ignore format: a matrix
    expect(notes).toEqual([`${path}: did not read "readme.md" (--member chooses)`]);
    const { message } = await failure(readData([put("bad.zip", { "t.csv": `${TABLE}5,inf\n6,\n` })], {}));
    expect(message).toContain("bad.zip/t.csv, line ");
  });

  it("of several tables joins them, or reads one of them", async () => {
    const path = put("more.zip", { "a.csv": TABLE, "b.csv": "a,b\n5,6\n" });
    expect(rowsOf((await readData([path], {})).X)).toEqual([[1, 2], [3, 4], [5, 6]]); // biome-ignore format: a matrix
    expect(rowsOf((await readData([path], { member: "b.csv" })).X)).toEqual([[5, 6]]);
    const differ = put("differ.zip", { "a.csv": TABLE, "b.csv": "x\n1\n" });
    expect(await failure(readData([differ], {}))).toMatchObject({
      message: `${differ}/b.csv has no column "a", but ${differ}/a.csv has`,
      hint: "files read together must have the same columns; or read one of them with --member",
    });
  });

  it("of pictures has their folders as classes", async () => {
    const path = put("pictures.zip", { "p/dark/1.pgm": `${PICTURE}7\n`, "p/light/2.pgm": `${PICTURE}200\n` });
    const { X, labels, ids } = await readData([path], { label: "folder" });
    expect({ rows: rowsOf(X), labels, ids }).toEqual({
      rows: [[7], [200]],
      labels: ["dark", "light"],
      ids: ["p/dark/1.pgm", "p/light/2.pgm"],
    });
  });

  it("of a text, of arrays, of an Excel file", async () => {
    expect((await readData([put("prose.zip", { "p.txt": "red apples\nred plums\n" })], {})).X.samples).toBe(2);
    const book = makeWorkbook(new Map([["S", [["a"], [1], [2]]]]));
    expect(rowsOf((await readData([put("book.zip", { "b.xlsx": book })], {})).X)).toEqual([[1], [2]]);
  });

  it("that cannot be read says why", async () => {
    const inner = zip([{ name: "t.csv", content: Buffer.from(TABLE) }]);
    expect((await failure(readData([put("nested.zip", { "in.zip": inner })], {}))).message).toMatch(
      /nested.zip\/in.zip is a zip archive/,
    );
    const cut = folder.put("cut.zip", inner.subarray(0, 40));
    expect((await failure(readData([cut], {}))).message).toMatch(/cut.zip: the archive has no directory at its end/);
    expect((await failure(readData([folder.put("t.csv", TABLE)], { member: "x" }))).message).toMatch(
      /--member is for zip archives, but .*t.csv is none/,
    );
  });
});
