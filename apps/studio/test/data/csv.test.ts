import { expect, it } from "vitest";
import { textAt } from "../../src/data/column.js";
import { readCsv } from "../../src/data/csv.js";

const read = (text: string) => readCsv(new TextEncoder().encode(text), "data.csv");

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
  const wide = read(`${Array.from({ length: 11 }, (_, i) => i).join("\t")}\n`);
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
  expect(() => read("a,b\n1,2\n3\n")).toThrow("row 2: it has 1 cells, but the first row has 2");
  expect(() => read("a,b\n")).toThrow("a header but no rows");
  expect(() => read('a\n"open\n')).toThrow("never closed");
});

it("rounds as Number does", () => {
  const numbers = ["0.1", "123456789012345", "1234567890123456789", "1e-7", "+3", "-0.000001234567"];
  const [column] = read(`v\n${numbers.join("\n")}\n`);
  expect(column).toMatchObject({ numbers: Float32Array.from(numbers, Number) });
});
