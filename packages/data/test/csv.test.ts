import { expect, it } from "vitest";
import { textAt } from "../src/column.js";
import { readCsv } from "../src/csv.js";
import { spellingOf } from "../src/spelling.js";
import { spellColumn } from "../src/summarize.js";

const read = (text: string) => readCsv(new TextEncoder().encode(text), "data.csv").columns;

it("tells numbers from texts, and what is missing", () => {
  const columns = read('width,kind,note\n5,flat,"a, b"\n,tall,"say ""hi"""\n-2.5e1,NA,\n');
  expect(columns.map(({ name, type }) => [name, type])).toEqual([
    ["width", "number"],
    ["kind", "text"],
    ["note", "text"],
  ]);
  expect(columns[0]).toMatchObject({ numbers: Float32Array.of(5, Number.NaN, -25) });
  expect([0, 1, 2].map((row) => textAt(columns[1], row))).toEqual(["flat", "tall", ""]);
  expect(textAt(columns[2], 0)).toBe("a, b");
  expect(textAt(columns[2], 1)).toBe('say "hi"');
});

it("counts columns without names as the command does", () => {
  expect(read("1;2\n3;4\n").map(({ name }) => name)).toEqual(["column0", "column1"]);
  const wide = read(`${Array.from({ length: 11 }, (_, i) => 2 * i).join("\t")}\n`);
  expect(wide[3].name).toBe("column03");
  expect(wide).toHaveLength(11);
});

it("reads a column again that turns out to be text late", () => {
  const rows = Array.from({ length: 3000 }, (_, i) => `${i},${i === 2999 ? "late" : i}`);
  const [, column] = read(`a,b\n${rows.join("\n")}\n`);
  expect(column.type).toBe("text");
  expect(textAt(column, 7)).toBe("7");
  expect(textAt(column, 2999)).toBe("late");
});

it("names twins, and says which row is broken", () => {
  expect(read("x,x\n1,2\n").map(({ name }) => name)).toEqual(["x", "x_1"]);
  expect(() => read("a,b\n1,2\n3\n")).toThrow("data.csv, line 3: 1 value where the table has 2 columns");
  expect(() => read("a,b\n")).toThrow("has columns but no rows");
  expect(() => read('a\n"open\n')).toThrow("never closed");
});

it("knows lines above the table, comments, quotes and decimal commas", () => {
  const names = (text: string) => read(text).map(({ name }) => name);
  expect(names("A title\n\na,b\n1,2\n3,4\n")).toEqual(["a", "b"]);
  expect(names("# one\na|b\n# two\n1|2\n3|4\n")).toEqual(["a", "b"]);
  expect(textAt(read("a,b\n'x,y',1\n'z',2\n")[0], 0)).toBe("x,y");
  expect(read("a;b\n1,5;x\n2,25;y\n")[0]).toMatchObject({ numbers: Float32Array.of(1.5, 2.25), mean: 1.875 });
});

it("keeps how numbers were written, for names and categories", () => {
  const [ids, codes, flags] = read("i,c,f\n1.50,007,yes\n2,1,no\n");
  expect([ids, codes, flags].map((column) => column.type === "number" && column.written)).toEqual([
    "number",
    "code",
    "boolean",
  ]);
  expect(ids.type === "number" && ids.spell().texts).toEqual(["1.50", "2"]);
  expect(flags).toMatchObject({ numbers: Float32Array.of(1, 0) });
});

it("says that hexadecimal and infinite numbers are texts", () => {
  expect(read("v,w\n0x10,1\n0b1,2\n").map(({ type }) => type)).toEqual(["text", "number"]);
  expect(read("v,w\nInfinity,1\n3,2\n")[0].type).toBe("text");
});

it("guesses from whole rows, however long they are", () => {
  // 1,500 rows of 4 kB: the sample of 4 MiB ends inside a number with an exponent, or inside quotes.
  const row = Array.from({ length: 600 }, (_, c) => `${c}.5e-3`).join(",");
  const wide = read(`${"x,".repeat(599)}x\n${`${row}\n`.repeat(1500)}`);
  expect(wide).toHaveLength(600);
  expect(wide.every(({ type }) => type === "number")).toBe(true);
  const [number, text] = read(`a,t\n${`1,"${"long, text\n".repeat(400)}"\n`.repeat(1200)}`);
  expect([number.type, text.type]).toEqual(["number", "text"]);
  expect(text.type === "text" && text.texts).toHaveLength(1);
});

it("names the line of a quote that is not closed", () => {
  expect(() => read('"a\n1\n')).toThrow("data.csv, line 1: a quoted cell is never closed");
  expect(() => read('a,b\n1,2\n3,"4\n5,6\n')).toThrow("data.csv, line 3: a quoted cell is never closed");
});

it("spells the codes and blanks of a line of many columns in time that grows with its length", () => {
  const count = 100_000;
  const header = Array.from({ length: count }, (_, c) => `c${c}`).join(",");
  for (const cell of ["", "01"]) {
    const columns = read(`${header}\n${`,${cell}`.repeat(count).slice(1)}\n`);
    const spelled = columns.map(spellColumn);
    expect([spelled.length, textAt(spelled[count - 1], 0)]).toEqual([count, cell]);
  }
});

it("spells a number of many digits in time that grows with its length", () => {
  expect(spellingOf(`${"2".repeat(300_000)}x`)).toMatchObject({ plain: false, point: false, comma: false });
});
