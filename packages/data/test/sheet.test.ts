import { describe, expect, it } from "vitest";
import { findTable, openWorkbook, type SheetCell } from "../src/index.js";

const find = (rows: SheetCell[][]) => {
  const table = findTable(rows);
  return table && { ...table, csv: new TextDecoder().decode(table.csv).trimEnd().split("\n") };
};

describe("the table on a sheet", () => {
  it("is its cells as CSV, with dates, times, quotes and line breaks", () => {
    const rows = [
      ["name", "n", "on", "at", "ok"],
      ['a "b", c', 1.5, new Date("2024-03-01T00:00:00Z"), new Date("1899-12-30T12:30:00Z"), true],
      ["two\nlines", 0.1, new Date("2024-03-01T08:05:00Z"), null, false],
      ["# no comment", -2, null, null, null],
    ];
    expect(find(rows)?.csv).toEqual([
      "name,n,on,at,ok",
      '"a ""b"", c",1.5,2024-03-01,12:30:00,true',
      "two lines,0.1,2024-03-01 08:05:00,,false",
      '"# no comment",-2,,,',
    ]);
  });

  it("begins below titles; empty rows and columns are omitted, and rows keep their numbers", () => {
    const table = find([
      ["Report", null, null, null],
      [null, null, null, null],
      [null, "a", null, "b"],
      [null, 1, null, 2],
      [null, null, null, null],
      [null, 3, null, 4],
    ]);
    expect(table?.csv).toEqual(["a,b", "1,2", "3,4"]);
    expect(table?.notes).toEqual(["skipped 1 row above the table"]);
    expect([...(table?.rows ?? [])]).toEqual([3, 4, 6]);
  });

  it("has names of several rows joined: groups where names repeat, and units", () => {
    const grouped = [
      [null, "bill", null, "wing", null],
      ["id", "min", "max", "min", "max"],
      [null, "mm", "mm", "cm", "cm"],
      ["x", 1, 2, 3, 4],
      ["y", 5, 6, 7, 8],
    ];
    const table = find(grouped);
    expect(table?.csv[0]).toBe("id,bill min mm,bill max mm,wing min cm,wing max cm");
    expect(table?.csv).toHaveLength(3);
    expect(table?.notes).toEqual(["joined 3 rows of column names"]);
    // A first row of texts is no unit where its number is missing.
    const gap = [["who", "n"], ["Ann", null], ["Bob", 2], ["Cid", 3]]; // biome-ignore format: a table
    expect(find(gap)?.csv).toEqual(["who,n", "Ann,", "Bob,2", "Cid,3"]);
  });

  it("may have no names, or no cells", () => {
    expect(find([[1, 2], [3, 4]])?.csv).toEqual(["1,2", "3,4"]); // biome-ignore format: a table
    expect(find([[null], []])).toBeNull();
  });
});

describe("a workbook", () => {
  const sheets = async () => [
    { name: "Cover", rows: [[null]] },
    { name: "Data", rows: [["a"], [1]] },
    { name: "More", rows: [["b"], [2]] },
  ];
  const text = ({ csv }: { csv: Uint8Array }) => new TextDecoder().decode(csv);

  it("gives the first sheet with cells, or the one that is named", async () => {
    const first = await openWorkbook(sheets, "w.xlsx");
    expect(text(first)).toBe("a\n1\n");
    expect(first.notes).toEqual(['w.xlsx: read the sheet "Data", not "Cover", "More" (--sheet chooses)']);
    const more = await openWorkbook(sheets, "w.xlsx", "More");
    expect([text(more), more.notes]).toEqual(["b\n2\n", []]);
  });

  it("says what is wrong", async () => {
    await expect(openWorkbook(sheets, "w.xlsx", "Dato")).rejects.toMatchObject({
      message: 'w.xlsx has no sheet "Dato"',
      hint: "did you mean Data?",
    });
    await expect(openWorkbook(sheets, "w.xlsx", "Cover")).rejects.toThrow('w.xlsx: the sheet "Cover" is empty');
    const broken = () => Promise.reject(new Error("invalid zip"));
    await expect(openWorkbook(broken, "w.xlsx")).rejects.toThrow("w.xlsx cannot be read as an Excel file");
  });
});
