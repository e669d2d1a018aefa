import { expect, it } from "vitest";
import { describeClusters, readNumber, readRow } from "../../src/views/format.js";

it("reads numbers, and says what is wrong with others", () => {
  expect(readNumber(" 3.5 ")).toBe(3.5);
  expect(readNumber("-2e3")).toBe(-2000);
  expect(readNumber("")).toBe("A number is missing.");
  expect(readNumber("abc")).toBe('"abc" is no number: write it like 3.5.');
  expect(readNumber("1,5")).toBe('"1,5" is no number: write it like 3.5.');
  expect(readNumber("1e39")).toBe("1e39 is too large.");
  expect(readNumber("Infinity")).toBe("Infinity is too large.");
});

it("tells how many clusters there are, and were", () => {
  expect(describeClusters([0, 1, 2])).toBe("3 clusters");
  expect(describeClusters([0, 1, 1])).toBe("3 clusters, merged into 2");
});

it("reads a pasted row, or says what is wrong with it", () => {
  const names = ["tea", "milk", "ice"];
  for (const text of ["1, 2.5,-3", "1;2.5;-3", "1\t2.5\t-3", " 1 2.5  -3 "]) {
    expect(readRow(text, 3, names)).toEqual([1, 2.5, -3]);
  }
  expect(readRow("", 3, names)).toBe("Nothing is there yet: write or paste a row.");
  expect(readRow("1,2", 3, names)).toBe("It has 2 values, and 3 are needed: tea, milk, ice.");
  expect(readRow("1,x,3", 3, names)).toBe('milk: "x" is no number: write it like 3.5.');
  expect(readRow("1,,3", 3, null)).toBe("#2: A number is missing.");
});
