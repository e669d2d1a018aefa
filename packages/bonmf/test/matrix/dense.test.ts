import { describe, expect, it } from "vitest";
import { DataError, OptionError } from "../../src/errors.js";
import { allocate, Dense, precisionOf } from "../../src/matrix/dense.js";

const rows = [
  [1, 2, 3],
  [4, 5, 6],
  [7, 8, 9],
  [10, 11, 12],
];

describe("Dense", () => {
  it("wraps without copying", () => {
    const data = Float64Array.from(rows.flat());
    const X = new Dense(4, 3, data);
    expect(X.data).toBe(data);
    expect([X.samples, X.features, X.kind, X.precision]).toEqual([4, 3, "dense", "f64"]);
    expect(X.at(2, 1)).toBe(8);
    X.row(2)[1] = 80;
    expect(data[7]).toBe(80);
    expect(X.toDense()).toBe(X);
  });

  it("copies nested arrays, 32 bits unless told", () => {
    const X = Dense.from(rows);
    expect(X.data).toBeInstanceOf(Float32Array);
    expect([...X.data]).toEqual(rows.flat());
    expect(Dense.from(rows, "f64").precision).toBe("f64");
    expect(Dense.from([Float32Array.of(0.5), [0.1]], "f64").at(1, 0)).toBe(0.1);
    expect(Dense.from([[0.1]]).at(0, 0)).toBe(Math.fround(0.1));
  });

  it("takes by number and slices by range", () => {
    const X = Dense.from(rows);
    expect([...X.take([3, 0, 3]).data]).toEqual([10, 11, 12, 1, 2, 3, 10, 11, 12]);
    const part = X.slice(1, 3);
    expect([...part.data]).toEqual([4, 5, 6, 7, 8, 9]);
    part.data[0] = 40;
    expect(X.at(1, 0)).toBe(40);
    expect(X.slice(2, 2).samples).toBe(0);
    X.take([0]).data[0] = -1;
    expect(X.at(0, 0)).toBe(1);
  });

  it("visits every value, features rising", () => {
    const seen: number[][] = [];
    Dense.from(rows).each(1, (feature, value) => seen.push([feature, value]));
    expect(seen).toEqual([
      [0, 4],
      [1, 5],
      [2, 6],
    ]);
  });

  it("allocates in the precision named", () => {
    expect(precisionOf(allocate("f32", 3))).toBe("f32");
    expect(precisionOf(Dense.zeros(2, 2, "f64").data)).toBe("f64");
    expect([...Dense.zeros(1, 2).data]).toEqual([0, 0]);
  });

  it("refuses what does not fit", () => {
    expect(() => new Dense(2, 3, new Float64Array(5))).toThrow(DataError);
    expect(() => new Dense(-1, 3, new Float64Array(0))).toThrow(/samples must be a whole number, 0 or more, not -1/);
    expect(() => new Dense(1, 1.5, new Float64Array(1))).toThrow(OptionError);
    expect(() => new Dense(1, 2, [1, 2] as unknown as Float64Array)).toThrow(
      /Float32Array or Float64Array, not an array of 2/,
    );
    expect(() => Dense.from([[1, 2], [1]])).toThrow(/sample 1 has 1 values but sample 0 has 2/);
    expect(() => Dense.from([[1], null as unknown as number[]])).toThrow(/sample 1 has 0 values/);
  });
});
