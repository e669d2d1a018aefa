import { describe, expect, it } from "vitest";
import { DataError } from "../../src/errors.js";
import { Dense } from "../../src/matrix/dense.js";
import { checkValues, toMatrix } from "../../src/matrix/matrix.js";
import { Sparse } from "../../src/matrix/sparse.js";

describe("toMatrix", () => {
  it("passes matrices through and copies nested arrays", () => {
    const D = Dense.zeros(1, 1);
    const S = Sparse.fromDense(D);
    expect(toMatrix(D)).toBe(D);
    expect(toMatrix(S, "f64")).toBe(S);
    const rows = [[1, 2]];
    const X = toMatrix(rows) as Dense;
    rows[0][0] = 9;
    expect([...X.data]).toEqual([1, 2]);
    expect([X.precision, toMatrix(rows, "f64").precision]).toEqual(["f32", "f64"]);
    expect([...(toMatrix([Uint8Array.of(3, 4)]) as Dense).data]).toEqual([3, 4]);
  });

  it.each([
    [null, /not null/],
    [undefined, /not undefined/],
    ["text", /not "text"/],
    [7, /not 7/],
    [{}, /not Object/],
    [[1, 2], /entry 0 is 1; wrap a flat typed array/],
    [Float64Array.of(1), /entry 0 is 1/],
    [["ab"], /entry 0 is "ab"/],
    [[null], /entry 0 is null/],
  ])("refuses %s", (X, message) => {
    expect(() => toMatrix(X as unknown as number[][])).toThrow(message);
  });
});

describe("checkValues", () => {
  it("accepts 0, −0 and the largest number", () => {
    const X = new Dense(1, 3, Float64Array.of(0, -0, Number.MAX_VALUE));
    expect(() => checkValues(X, { signed: false })).not.toThrow();
  });

  it("names the first offending place of dense and sparse data", () => {
    const D = Dense.from([
      [0, 1],
      [0, 0],
      [0, -2],
      [-3, 0],
    ]);
    for (const X of [D, Sparse.fromDense(D)]) {
      const place = { sample: 2, feature: 1, value: -2, featureName: undefined };
      try {
        checkValues(X, { signed: false });
        expect.unreachable();
      } catch (error) {
        expect(error).toBeInstanceOf(DataError);
        expect((error as DataError).place).toEqual(place);
      }
      expect(() => checkValues(X, { signed: true })).not.toThrow();
    }
  });
});
