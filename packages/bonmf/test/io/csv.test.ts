import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type BonmfError, DataError, FormatError, OptionError } from "../../src/errors.js";
import { type CsvOptions, readCsv, writeCsv } from "../../src/io/index.js";
import { Dense } from "../../src/matrix/dense.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { dense, texts } from "./arbitrary.js";
import { expectError, thrown } from "./thrown.js";

const rows = (text: string, options?: CsvOptions) => {
  const { X } = readCsv(text, { precision: "f64", ...options });
  return Array.from({ length: X.samples }, (_, i) => [...X.row(i)]);
};

describe("readCsv", () => {
  it("reads names, labels and ids", () => {
    const table = readCsv("key,width,height,kind\nr1,1,2.5,cat\nr2,-3,4e2,dog\n", { label: "kind", id: "key" });
    expect(table).toEqual({
      X: Dense.from([
        [1, 2.5],
        [-3, 400],
      ]),
      featureNames: ["width", "height"],
      labels: ["cat", "dog"],
      ids: ["r1", "r2"],
    });
  });

  it("takes a first row of numbers for data, and numbers the columns", () => {
    expect(readCsv("1,2\n3,4")).toEqual({
      X: Dense.from([
        [1, 2],
        [3, 4],
      ]),
    });
    expect(readCsv("1,2,a\n3,4,b", { header: false, label: "3" })).toEqual({
      X: Dense.from([
        [1, 2],
        [3, 4],
      ]),
      labels: ["a", "b"],
    });
    expect(readCsv("1,2\n3,4", { header: true })).toEqual({ X: Dense.from([[3, 4]]), featureNames: ["1", "2"] });
  });

  it("reads every line end, a byte-order mark, blank lines and blanks around cells", () => {
    const plain = [
      [1, 2],
      [3, 4],
    ];
    expect(rows("a,b\n1,2\n3,4\n")).toEqual(plain);
    expect(rows("a,b\r\n1,2\r\n3,4")).toEqual(plain);
    expect(rows("\ufeff1,2\n3,4")).toEqual(plain);
    expect(rows("\n\r\n1,2\n\n3,4\n\n\r\n")).toEqual(plain);
    expect(readCsv("a , b,c\n 1 ,2 , x ", { label: "c" })).toEqual({
      X: Dense.from([[1, 2]]),
      featureNames: ["a", "b"],
      labels: ["x"],
    });
  });

  it("finds the delimiter of the first line, outside quotes", () => {
    expect(rows("a\tb\n1\t2")).toEqual([[1, 2]]);
    expect(rows('"a,b,c";d\n1;2')).toEqual([[1, 2]]);
    expect(rows("a\n1")).toEqual([[1]]);
    expect(rows("1;2\n3;4", { delimiter: ";" })).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it("refuses another delimiter", () => {
    const delimiter = "|" as ",";
    expect(() => readCsv("1|2", { delimiter })).toThrow('delimiter must be ",", "\\t" or ";", not "|"');
    expect(() => writeCsv({ X: Dense.from([[1]]) }, { delimiter })).toThrow(OptionError);
  });

  it("reads quoted cells: delimiters, quotes and line ends inside", () => {
    const { X, labels, featureNames } = readCsv('"a,""1""",class\r\n"1.5","x\ny"\r\n2 , "say ""hi"""\r\n3,""', {
      label: "class",
    });
    expect(X).toEqual(Dense.from([[1.5], [2], [3]]));
    expect(labels).toEqual(["x\ny", 'say "hi"', ""]);
    expect(featureNames).toEqual(['a,"1"']);
  });

  it("leaves columns out", () => {
    expect(readCsv("a,b,c\n1,x,2", { skip: ["b"] })).toEqual({ X: Dense.from([[1, 2]]), featureNames: ["a", "c"] });
  });

  it("lets one column be label and id", () => {
    expect(readCsv("a,b\n1,x", { label: "b", id: "b" })).toMatchObject({ labels: ["x"], ids: ["x"] });
  });

  describe("explains", () => {
    const cases: [string, string, CsvOptions, BonmfError][] = [
      [
        "a short row",
        "a,b,c\n1,2,3\n4,5\n",
        {},
        new DataError(
          "ragged",
          "t.csv, line 3: the row has 2 cells but the first row has 3: " +
            'add or remove cells, and quote a cell that itself holds ","',
        ),
      ],
      [
        "a long row",
        "1;2\n3;4;5",
        {},
        new DataError(
          "ragged",
          "t.csv, line 2: the row has 3 cells but the first row has 2: " +
            'add or remove cells, and quote a cell that itself holds ";"',
        ),
      ],
      [
        "text",
        "a,width\n1,2\n\n3,wide\n",
        {},
        new DataError(
          "type",
          't.csv, line 4, column "width": "wide" is not a number: ' +
            "correct it, turn the column into numbers (one-hot), or name it as label, id or in skip",
        ),
      ],
      [
        "text in a column without a name",
        "1,2\n3,?",
        {},
        new DataError(
          "type",
          't.csv, line 2, column "2": "?" is not a number: ' +
            "correct it, turn the column into numbers (one-hot), or name it as label, id or in skip",
        ),
      ],
      [
        "an empty cell",
        "a,width,c\n1,2,3\n4, ,6\n",
        {},
        new DataError("missing", 't.csv, line 3, column "width": the cell is empty: fill it in or remove the row'),
      ],
      [
        "an empty cell of the first row, which is no header for that",
        "1,,3\n4,5,6\n",
        {},
        new DataError("missing", 't.csv, line 1, column "2": the cell is empty: fill it in or remove the row'),
      ],
      [
        "an empty label",
        "a,class\n1,x\n2,\n",
        { label: "class" },
        new DataError("missing", 't.csv, line 3, column "class": the cell is empty: fill it in or remove the row'),
      ],
      [
        "a misspelt label",
        "sepal,petal,glass,Class\n1,2,3,4\n",
        { label: "clas" },
        new DataError(
          "column",
          't.csv: there is no column "clas" to use as label. The most similar of its 4 columns: "Class", "glass", "sepal"',
        ),
      ],
      [
        "a misspelt column to skip",
        "a,b\n1,2\n",
        { skip: ["c"] },
        new DataError(
          "column",
          't.csv: there is no column "c" to use as skip. The most similar of its 2 columns: "a", "b"',
        ),
      ],
      [
        "two columns of one name",
        "a,b,a\n1,2,3\n",
        {},
        new FormatError(
          't.csv, line 1: columns 1 and 3 are both called "a": rename one, or pass header: false if this line is data',
        ),
      ],
      [
        "a header alone",
        "a,b\n",
        {},
        new DataError(
          "empty",
          "t.csv: there is a header but no row of data below it: add rows, or pass header: false if line 1 is data",
        ),
      ],
      [
        "an empty file",
        "\ufeff\n\n",
        {},
        new DataError("empty", "t.csv: the file is empty: a table needs at least one row of numbers"),
      ],
      ["no features", "a\n1", { label: "a" }, new DataError("empty", "t.csv: no column is left to be a feature")],
      [
        "an open quote",
        'a,b\n1,"2\n3,4\n',
        {},
        new FormatError(
          "t.csv, line 2: a quoted cell is never closed: add the missing quote, or double one that is text",
        ),
      ],
      [
        "text after a quote",
        'a,b\n1,"2"x\n',
        {},
        new FormatError('t.csv, line 2: text follows the closing quote of "2": double a quote that is text'),
      ],
    ];
    it.each(cases)("%s", (_, text, options, error) => {
      expectError(() => readCsv(text, { name: "t.csv", ...options }), error);
    });

    it("a row of the wrong length before the text in it", () => {
      expect(() => readCsv("a,b,c\n1,x,2,3")).toThrow("input, line 2: the row has 4 cells but the first row has 3");
    });

    it("the place in numbers too, counting lines inside quotes", () => {
      const caught = thrown(() => readCsv('k,a,b\n"x\ny",1,2\nz,3,no\n', { id: "k" }));
      expect(caught).toBeInstanceOf(DataError);
      expect(caught).toMatchObject({
        message: expect.stringContaining('input, line 4, column "b": "no"'),
        place: { sample: 1, feature: 1, featureName: "b", value: "no" },
      });
    });
  });
});

describe("writeCsv", () => {
  it("puts ids first and labels last, and names what has no name", () => {
    const X = Dense.from([[0.1, 2]]);
    expect(writeCsv({ X, ids: ["k"], labels: ["a,b"] })).toBe('id,f1,f2,class\nk,0.1,2,"a,b"\n');
    expect(writeCsv({ X, featureNames: ["u", "v"] }, { delimiter: ";" })).toBe("u;v\n0.1;2\n");
    expect(
      writeCsv({ X: Sparse.fromDense(Dense.from([[0, 2]])), labels: ["a,b"] }, { label: "y", delimiter: "\t" }),
    ).toBe("f1\tf2\ty\n0\t2\ta,b\n");
  });

  it("refuses two columns of one name", () => {
    const table = { X: Dense.from([[1]]), featureNames: ["class"], labels: ["a"] };
    expect(() => writeCsv(table)).toThrow(OptionError);
    expect(() => writeCsv(table)).toThrow('two columns would be called "class": rename a feature, label or id');
    expect(() => writeCsv({ X: Dense.from([[1]]), featureNames: [] })).toThrow(
      "featureNames has 0 entries but X has 1 features: give one for each",
    );
  });

  it("round-trips whatever the texts hold", () => {
    const text = fc.oneof(fc.string({ unit: "grapheme", maxLength: 6 }), fc.stringMatching(/^[ ",;\t\r\na]{0,5}$/));
    const table = dense.chain((X) =>
      fc.record({
        X: fc.constant(X),
        labels: texts(X.samples, text),
        ids: texts(X.samples, text),
        featureNames: fc.uniqueArray(text, { minLength: X.features, maxLength: X.features }),
      }),
    );
    fc.assert(
      fc.property(table, fc.constantFrom(",", "\t", ";"), (written, delimiter) => {
        const names = { label: "the label", id: "the id", delimiter } as const;
        const text = writeCsv(written, names);
        expect(readCsv(text, { ...names, header: true, precision: written.X.precision })).toEqual(written);
      }),
      { numRuns: 500 },
    );
  });
});
