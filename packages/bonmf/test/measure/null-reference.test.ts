import { describe, expect, it } from "vitest";
import { DataError, OptionError } from "../../src/errors.js";
import { Dense } from "../../src/matrix/dense.js";
import type { Matrix } from "../../src/matrix/matrix.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { resampleCounts, shuffleFeatures } from "../../src/measure/index.js";
import { Random } from "../../src/random.js";

/** Two features that are equal, one of zeros mostly, one constant. */
function makeX(): Dense {
  const random = new Random(3);
  return Dense.from(
    Array.from({ length: 200 }, (_, i) => {
      const count = random.below(9);
      return [count, count, i % 10 === 0 ? 1 + i : 0, 5];
    }),
  );
}

function columnOf(X: Matrix, feature: number): number[] {
  return Array.from({ length: X.samples }, (_, i) => X.at(i, feature));
}

const sorted = (values: number[]) => [...values].sort((a, b) => a - b);

describe.each([
  ["dense", makeX()],
  ["sparse", Sparse.fromDense(makeX())],
])("shuffled features, %s", (kind, X) => {
  const R = shuffleFeatures(X, 5);

  it("keep their values", () => {
    expect(R.kind).toBe(kind);
    for (let f = 0; f < X.features; f++) expect(sorted(columnOf(R, f))).toEqual(sorted(columnOf(X, f)));
  });

  it("have nothing in common", () => {
    const equal = columnOf(R, 0).filter((value, i) => value === R.at(i, 1)).length;
    expect(equal).toBeLessThan(60);
  });

  it("depend on the seed alone", () => {
    expect(shuffleFeatures(X, 5)).toEqual(R);
    expect(shuffleFeatures(X, 6)).not.toEqual(R);
  });
});

describe("resampled counts", () => {
  const X = makeX();
  const R = resampleCounts(X, 5);
  const sum = (values: ArrayLike<number>) => Array.from(values).reduce((total, value) => total + value, 0);

  it("keep the total of every sample", () => {
    for (let i = 0; i < X.samples; i++) expect(sum(R.row(i))).toBe(sum(X.row(i)));
  });

  it("use features by their totals", () => {
    const all = sum(X.data);
    for (let f = 0; f < X.features; f++) {
      const share = sum(columnOf(X, f)) / all;
      const error = Math.sqrt((share * (1 - share)) / all);
      expect(Math.abs(sum(columnOf(R, f)) / all - share)).toBeLessThan(5 * error);
    }
  });

  it("depend on the seed alone, not on the storage", () => {
    expect(resampleCounts(Sparse.fromDense(X), 5)).toEqual(R);
    expect(resampleCounts(X, 6)).not.toEqual(R);
  });

  it("need counts", () => {
    expect(() => resampleCounts(Dense.from([[1, 0.5]]), 0)).toThrow(DataError);
    expect(() => resampleCounts(Dense.from([[1, -1]]), 0)).toThrow("sample 0, feature 1 is -1: counts are whole");
  });

  it("may be empty", () => expect(resampleCounts(Dense.from([[0, 0]]), 0).values.length).toBe(0));
});

it("refuses seeds that are none", () => {
  expect(() => shuffleFeatures(makeX(), -1)).toThrow(OptionError);
  expect(() => resampleCounts(makeX(), 0.5)).toThrow(OptionError);
});
