import { describe, expect, it } from "vitest";
import { readCsv } from "../src/csv.js";
import { kindByLines } from "../src/detect-kind.js";
import { detectDialect } from "../src/dialect.js";
import { readJson } from "../src/json.js";
import { guessSize } from "../src/pictures.js";
import { findTable } from "../src/sheet.js";
import { spellColumns } from "../src/summarize.js";

// Long enough that a reader of quadratic time takes minutes, and a linear one milliseconds.
const LONG = 400_000;
const spaces = " ".repeat(LONG);
const TIME = 20_000;
const encode = (text: string) => new TextEncoder().encode(text);

describe("no input takes more than linear time", () => {
  it("a cell of many digits that is no number", { timeout: TIME }, () => {
    const { columns } = readCsv(encode(`a,b\n1,${"1".repeat(LONG)}x\n2,3\n`), "a.csv");
    expect(columns.map(({ type }) => type)).toEqual(["number", "text"]);
  });

  it("many columns that turn out to be text, one a row, are read twice", { timeout: TIME }, () => {
    const m = 300;
    const plain = `${Array(m).fill("1").join()}\n`;
    const rows = Array.from({ length: m }, (_, r) => `${Array.from({ length: m }, (_, c) => (c === r ? "x" : 1))}\n`);
    const names = Array.from({ length: m }, (_, c) => `c${c}`);
    const text = `${names}\n${plain.repeat(2100)}${rows.join("")}`;
    const table = readCsv(encode(text), "a.csv");
    expect(table.columns.every(({ type }) => type === "text")).toBe(true);
    expect(table.rows).toBe(2100 + m);
  });

  it("many columns of numbers are spelled in one reading", { timeout: TIME }, () => {
    const m = 2500;
    const names = Array.from({ length: m }, (_, c) => `p${c}`);
    const table = readCsv(encode(`${names}\n${`${Array(m).fill("1.50").join()}\n`.repeat(100)}`), "a.csv");
    const spelled = spellColumns(table.columns, table.rows);
    expect(spelled.map(({ name }) => name)).toEqual(names);
    expect(spelled.every(({ texts, codes }) => texts[codes[99]] === "1.50")).toBe(true);
  });

  it("blanks and line breaks in a cell of a sheet", { timeout: TIME }, () => {
    const table = findTable([
      ["a", "b"],
      [1, `x${spaces}y`],
      [2, `x${spaces}\r\n ${spaces}\n y`],
    ]);
    const text = new TextDecoder().decode(table?.csv);
    expect(text === `a,b\n1,x${spaces}y\n2,x y\n`).toBe(true);
  });

  it("names that end almost with a number", { timeout: TIME }, () => {
    expect(guessSize(49, Array(49).fill(`${"1".repeat(LONG)}a`))).not.toBeNull();
  });

  it("lines of which the kind is guessed", { timeout: TIME }, () => {
    for (const line of [
      `a${spaces}x:`,
      `${spaces}::`,
      `a ${"1:1 ".repeat(LONG / 4)}:`,
      `[${spaces}x`,
      '"'.repeat(LONG),
    ]) {
      expect(kindByLines(`${line}\n${line}\n`)).not.toBe("libsvm");
      expect(detectDialect(encode(`${line}\n${line}\n`)).decimal).toBe(".");
    }
    expect(() => readJson(`${spaces}\n{"a":${spaces}`, "a.json")).toThrow("a.json");
  });
});
