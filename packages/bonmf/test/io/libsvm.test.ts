import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DataError, FormatError, OptionError } from "../../src/errors.js";
import { readLibsvm, writeLibsvm } from "../../src/io/index.js";
import { Dense } from "../../src/matrix/dense.js";
import { sparse, texts } from "./arbitrary.js";

describe("readLibsvm", () => {
  it("reads labels as text and values by rising index", () => {
    const { X, labels } = readLibsvm("+1 1:0.5 3:2\r\n-1\n\n# all comment\nA qid:7 2:-1e-3 # tail 9:9\n");
    expect(labels).toEqual(["+1", "-1", "A"]);
    expect(X.kind).toBe("sparse");
    expect(X.toDense()).toEqual(
      Dense.from([
        [0.5, 0, 2],
        [0, 0, 0],
        [0, -1e-3, 0],
      ]),
    );
  });

  it("takes the width from the largest index, even of a zero, or as told", () => {
    expect(readLibsvm("0 4:0").X).toMatchObject({ samples: 1, features: 4, values: new Float32Array() });
    expect(readLibsvm("0 1:1", { features: 9 }).X.features).toBe(9);
    expect(readLibsvm("0 0:1 2:3", { zeroBased: true }).X.toDense().data).toEqual(Float32Array.of(1, 0, 3));
  });

  it("reads bytes, and 64 bits on request", () => {
    const { X } = readLibsvm(new TextEncoder().encode("1 1:0.1"), { precision: "f64" });
    expect(X.at(0, 0)).toBe(0.1);
  });

  it.each([
    ["1 1:2\n1 x:2", '"x:2" is not index:value: a whole number, a colon and a number', 2],
    ["1 3", '"3" is not index:value: a whole number, a colon and a number', 1],
    ["1 3:", '"3:" is not index:value: a whole number, a colon and a number', 1],
    ["1 1.5:2", '"1.5:2" is not index:value: a whole number, a colon and a number', 1],
    ["1 -1:2", '"-1:2" is not index:value: a whole number, a colon and a number', 1],
    ["1 4294967296:2", '"4294967296:2" is not index:value: a whole number, a colon and a number', 1],
    ["1 2:3:4", '"2:3:4" is not index:value: a whole number, a colon and a number', 1],
    ["\n1 0:2", '"0:2" has index 0, but indices count from 1: pass zeroBased: true if they count from 0', 2],
    ["1 3:1 2:1", '"2:1" follows index 3: indices must rise within a line', 1],
    ["1 3:1 3:1", '"3:1" follows index 3: indices must rise within a line', 1],
    ["1:2 2:3", '"1:2" is in the place of the label: begin each line with one (0, if there are none)', 1],
    ["1 6:1", '"6:1" is beyond the 5 features asked for: raise features', 1],
  ])("refuses %j with place, token and remedy", (text, message, line) => {
    expect(() => readLibsvm(text, { name: "a.svm", features: 5 })).toThrow(
      new FormatError(`a.svm, line ${line}: ${message}`),
    );
  });

  it("refuses a file without samples, and a width that is none", () => {
    expect(() => readLibsvm("\n# nothing\n", { name: "a.svm" })).toThrow(
      new DataError("empty", "a.svm: the file has no samples: at least one is needed"),
    );
    expect(() => readLibsvm("1 1:1", { features: -1 })).toThrow(OptionError);
  });
});

describe("writeLibsvm", () => {
  it("writes indices from 1 and no zeros", () => {
    expect(
      writeLibsvm({
        X: Dense.from([
          [0, 0.1],
          [3, 0],
        ]),
        labels: ["a", "b"],
      }),
    ).toBe("a 2:0.1\nb 1:3\n");
    expect(writeLibsvm({ X: Dense.from([[1]]) })).toBe("0 1:1\n");
  });

  it("refuses labels that would not read back", () => {
    expect(() => writeLibsvm({ X: Dense.from([[1]]), labels: ["a b"] })).toThrow(
      'label "a b" of sample 0 cannot be written: a LIBSVM label must not be empty nor contain a space, ":" or "#"',
    );
    expect(() => writeLibsvm({ X: Dense.from([[1]]), labels: [] })).toThrow(
      "labels has 0 entries but X has 1 samples: give one for each",
    );
  });

  it("round-trips", () => {
    const label = fc.stringMatching(/^[^\s:#\p{C}]{1,5}$/u);
    const table = sparse.chain((X) => texts(X.samples, label).map((labels) => ({ X, labels })));
    fc.assert(
      fc.property(table, ({ X, labels }) => {
        const { features, precision } = X;
        expect(readLibsvm(writeLibsvm({ X, labels }), { features, precision })).toEqual({ X, labels });
      }),
    );
  });
});
