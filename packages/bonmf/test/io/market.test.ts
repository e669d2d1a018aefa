import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DataError, FormatError } from "../../src/errors.js";
import { readMatrixMarket, writeMatrixMarket } from "../../src/io/index.js";
import { Dense } from "../../src/matrix/dense.js";
import { dense, sparse } from "./arbitrary.js";

const banner = (kind: string) => `%%MatrixMarket matrix ${kind}\n`;

describe("readMatrixMarket", () => {
  it("reads coordinates in any order and sums what is given twice", () => {
    const { X } = readMatrixMarket(
      `${banner("coordinate real general")}% a comment\n\n3 4 6\n` +
        `3 4 1.5\n1 2 1\n1 1 -2\n% inside\n1 2 2\n3 1 5\n3 1 -5\n`,
    );
    expect(X.kind).toBe("sparse");
    expect(X).toMatchObject({ values: Float32Array.of(-2, 3, 1.5) });
    expect(X.toDense()).toEqual(
      Dense.from([
        [-2, 3, 0, 0],
        [0, 0, 0, 0],
        [0, 0, 0, 1.5],
      ]),
    );
  });

  it("sums in 64 bits, in the order of the file", () => {
    const text = `${banner("coordinate real general")}1 1 3\n1 1 1e17\n1 1 1\n1 1 -1e17\n`;
    expect(readMatrixMarket(text).X.toDense().data[0]).toBe(1e17 + 1 - 1e17);
  });

  it("reads pattern and symmetric, whatever the case", () => {
    const { X } = readMatrixMarket("%%matrixmarket MATRIX Coordinate Pattern Symmetric\n3 3 2\n2 1\n3 3\n");
    expect(X.toDense()).toEqual(
      Dense.from([
        [0, 1, 0],
        [1, 0, 0],
        [0, 0, 1],
      ]),
    );
  });

  it("reads arrays column by column", () => {
    const { X } = readMatrixMarket(`${banner("array integer general")}2 3\n1\n2\n3\n4\n5\n6\n`, { precision: "f64" });
    expect(X).toEqual(
      Dense.from(
        [
          [1, 3, 5],
          [2, 4, 6],
        ],
        "f64",
      ),
    );
    const symmetric = readMatrixMarket(`${banner("array real symmetric")}2 2\n1\n2\n3\n`);
    expect(symmetric.X).toEqual(
      Dense.from([
        [1, 2],
        [2, 3],
      ]),
    );
  });

  const real = banner("coordinate real general");
  const size = "at most 4294967294 rows and 4294967295 columns";
  const cases: [string, string, string][] = [
    [
      "another format",
      "1 1 1\n",
      'line 1: the file must begin with "%%MatrixMarket matrix", then coordinate or array, real, integer or pattern, ' +
        "general or symmetric",
    ],
    [
      "complex numbers",
      banner("coordinate complex general"),
      'line 1: the file must begin with "%%MatrixMarket matrix", then coordinate or array, real, integer or pattern, ' +
        "general or symmetric",
    ],
    [
      "nothing",
      "",
      'line 1: the file must begin with "%%MatrixMarket matrix", then coordinate or array, real, integer or pattern, ' +
        "general or symmetric",
    ],
    [
      "an array of pattern",
      banner("array pattern general"),
      "line 1: an array of pattern has no values: use coordinate pattern",
    ],
    [
      "a size line of two",
      `${real}2 2\n1 1 1\n`,
      `line 2: the size line must hold rows, columns and entries: whole numbers, ${size}, not "2 2"`,
    ],
    [
      "a negative size",
      `${real}-2 2 1\n1 1 1\n`,
      `line 2: the size line must hold rows, columns and entries: whole numbers, ${size}, not "-2 2 1"`,
    ],
    [
      "a vast size",
      `${real}9999999999 2 1\n1 1 1\n`,
      `line 2: the size line must hold rows, columns and entries: whole numbers, ${size}, not "9999999999 2 1"`,
    ],
    [
      "an array's size line of three",
      `${banner("array real general")}1 1 1\n1\n`,
      `line 2: the size line must hold rows and columns: whole numbers, ${size}, not "1 1 1"`,
    ],
    [
      "a symmetric oblong",
      `${banner("coordinate real symmetric")}2 3 0\n`,
      "line 2: a symmetric matrix is square, not 2 × 3",
    ],
    [
      "an entry outside",
      `${real}2 2 1\n\n2 3 1\n`,
      "line 4: entry (2, 3) is outside the 2 × 2 matrix: indices count from 1",
    ],
    [
      "an entry at 0",
      `${real}2 2 1\n0 1 1\n`,
      "line 3: entry (0, 1) is outside the 2 × 2 matrix: indices count from 1",
    ],
    [
      "an entry above the diagonal",
      `${banner("coordinate real symmetric")}2 2 1\n1 2 1\n`,
      "line 3: entry (1, 2) of a symmetric matrix is above the diagonal: give only (2, 1)",
    ],
    ["text", `${real}2 2 1\n1 1 one\n`, 'line 3: "1 1 one" is not row column value'],
    ["a missing value", `${real}2 2 1\n1 1\n`, 'line 3: "1 1" is not row column value'],
    [
      "a value of a pattern",
      `${banner("coordinate pattern general")}2 2 1\n1 1 5\n`,
      'line 3: "1 1 5" is not row column',
    ],
    [
      "too few entries",
      `${real}2 2 3\n1 1 1\n%\n`,
      "line 4: the file ends before the 3 entries of the size line: it is cut short",
    ],
    [
      "far too few entries",
      `${real}2 2 4000000000\n1 1 1\n`,
      "line 2: the file ends before the 4000000000 entries of the size line: it is cut short",
    ],
    ["too many entries", `${real}2 2 1\n1 1 1\n2 2 2\n`, "line 4: there are more entries than the 1 of the size line"],
    ["two values a line", `${banner("array real general")}1 2\n1 2\n3\n`, 'line 3: "1 2" is not one number'],
    [
      "too few values",
      `${banner("array real general")}2 2\n1\n2\n3\n`,
      "line 5: the file ends before the 4 entries of the size line: it is cut short",
    ],
    [
      "far too few values",
      `${banner("array real general")}200000 200000\n1\n`,
      "line 2: the file ends before the 40000000000 entries of the size line: it is cut short",
    ],
    [
      "too many values",
      `${banner("array real general")}1 1\n1\n2\n`,
      "line 4: there are more values than the 1 of the size line",
    ],
  ];
  it.each(cases)("refuses %s", (_, text, message) => {
    expect(() => readMatrixMarket(text, { name: "a.mtx" })).toThrow(new FormatError(`a.mtx, ${message}`));
  });

  it("refuses a matrix without rows", () => {
    expect(() => readMatrixMarket(`${real}0 3 0\n`, { name: "a.mtx" })).toThrow(
      new DataError("empty", "a.mtx: the file has no samples: at least one is needed"),
    );
  });
});

describe("writeMatrixMarket", () => {
  it("writes dense as an array", () => {
    expect(writeMatrixMarket(Dense.from([[1, 0.1]]))).toBe("%%MatrixMarket matrix array real general\n1 2\n1\n0.1\n");
  });

  it("round-trips dense and sparse", () => {
    fc.assert(
      fc.property(fc.oneof(dense, sparse), (X) => {
        expect(readMatrixMarket(writeMatrixMarket(X), { precision: X.precision }).X).toEqual(X);
      }),
    );
  });
});
