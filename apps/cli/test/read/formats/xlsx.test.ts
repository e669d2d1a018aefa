import { describe, expect, it } from "vitest";
import { makeWorkbook } from "../../../../../packages/data/test/fixtures/workbook.js";
import { readData, readParts } from "../../../src/read/read.js";
import { failure, makeFolder, rowsOf } from "../fixture.js";

const folder = makeFolder();
const day = (text: string) => new Date(`${text}T00:00:00Z`);
const path = folder.put(
  "trees.xlsx",
  makeWorkbook(
    new Map([
      [
        "Trees",
        [
          ["Trees of the park", null, null, null],
          [],
          ["kind", "height", "twice", "planted"],
          ["oak", 10.25, { formula: "B4*2", value: 20.5 }, day("2001-02-03")],
          ["elm", 3, { formula: "B5*2", value: 6 }, day("2010-11-12")],
          ["oak", 8, { error: "#N/A" }, day("2005-06-07")],
        ],
      ],
      ["Other", [["x"], [1], [2]]],
    ]),
  ),
);

describe("Excel files", () => {
  it("are read like CSV: the first sheet, formulas by their values", async () => {
    const data = await readData([path], { label: "kind", exclude: ["planted"], missing: "mean" });
    expect(data).toMatchObject({ kind: "xlsx", features: ["height", "twice"], labels: ["oak", "elm", "oak"] });
    expect(rowsOf(data.X)).toEqual([[10.25, 20.5], [3, 6], [8, 13.25]]); // biome-ignore format: a matrix
    expect(data.recipe.kind).toBe("xlsx");
    expect(data.notes).toContain(`${path}: skipped 1 row above the table`);
    expect(data.notes.some((note) => note.includes('read the sheet "Trees", not "Other"'))).toBe(true);
  });

  it("may be read in parts, another sheet, or asked by SQL", async () => {
    const parts = [];
    for await (const { X } of readParts([path], { sheet: "Other" }, 1)) parts.push(...rowsOf(X));
    expect(parts).toEqual([[1], [2]]);
    const { X } = await readData([path], { sql: "select height from data where kind = 'oak'" });
    expect(rowsOf(X)).toEqual([[10.25], [8]]);
  });

  it("name the row of the sheet where a value cannot be used", async () => {
    const { message } = await failure(readData([path], { features: ["height"], weight: "twice" }));
    expect(message).toContain(`${path}, row 6, column "twice"`);
    expect((await failure(readData([folder.put("a.csv", "x\n1\n")], { sheet: "S" }))).message).toMatch(
      /--sheet is for Excel files, but .*a.csv is csv/,
    );
  });
});
