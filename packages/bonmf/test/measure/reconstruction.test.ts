import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { DataError } from "../../src/errors.js";
import { Dense } from "../../src/matrix/dense.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { orthogonalityDefect, relativeError } from "../../src/measure/index.js";
import { fixture } from "./fixture.js";

test.each(fixture.factors)("numpy on case %#", (data) => {
  const X = Dense.from(data.X, "f64");
  const W = Dense.from(data.W, "f64");
  const codes = Dense.from(data.codes, "f64");
  for (const samples of [X, Sparse.fromDense(X)]) {
    for (const h of [codes, Sparse.fromDense(codes)]) {
      expect(Math.abs(relativeError(samples, W, h) - data.relativeError)).toBeLessThan(1e-12);
      expect(Math.abs(orthogonalityDefect(h) - data.orthogonalityDefect)).toBeLessThan(1e-12);
    }
  }
});

describe("relativeError", () => {
  const W = Dense.from([
    [1, 0],
    [0, 2],
  ]);
  const zeros = Dense.zeros(2, 2);
  const oneHot = Dense.from([
    [1, 0],
    [0, 1],
  ]);

  it("is worked by hand", () => {
    const X = Dense.from([
      [3, 0],
      [0, 4],
    ]);
    // Residuals (2, 0) and (0, 2): √8 / 5.
    expect(relativeError(X, W, oneHot)).toBeCloseTo(Math.sqrt(8) / 5, 15);
    expect(relativeError(X, W, zeros)).toBe(1);
  });

  it("keeps small errors that the expanded formula would lose", () => {
    const X = new Dense(1, 1, Float64Array.of(1 + 2 ** -40));
    const one = new Dense(1, 1, Float64Array.of(1));
    expect(relativeError(X, one, one)).toBeCloseTo(2 ** -40, 20);
    expect(relativeError(one, one, one)).toBe(0);
  });

  it("settles an all-zero X", () => {
    expect(relativeError(zeros, W, zeros)).toBe(0);
    expect(relativeError(zeros, W, oneHot)).toBe(Number.POSITIVE_INFINITY);
  });

  it("names shapes that do not fit", () => {
    expect(() => relativeError(zeros, W, Dense.zeros(3, 2))).toThrow(DataError);
    expect(() => relativeError(zeros, W, Dense.zeros(2, 1))).toThrow(/X is 2 × 2, W 2 × 2 and the codes 2 × 1/);
    expect(() => relativeError(Dense.zeros(2, 3), W, oneHot)).toThrow(/X is 2 × 3/);
  });
});

describe("orthogonalityDefect", () => {
  it("is 0 for one-hot codes of any size and scale", () => {
    const labels = fc.array(fc.tuple(fc.nat(5), fc.double({ min: 0.1, max: 9, noNaN: true })), { minLength: 1 });
    fc.assert(
      fc.property(labels, (pairs) => {
        expect(
          orthogonalityDefect(
            Sparse.from(
              pairs.map((pair) => [pair]),
              6,
            ),
          ),
        ).toBe(0);
      }),
    );
  });

  it("is 1 for parallel rows, whatever their lengths", () => {
    const codes = Dense.from([
      [1, 2, 4],
      [3, 6, 12],
    ]);
    expect(orthogonalityDefect(codes)).toBe(1);
  });

  it("is the root mean square cosine between rows, zero rows left out", () => {
    // Rows of H: (1, 1, 0), (1, 0, 0), (0, 0, 0), (0, 0, 5): cosines √½, 0, 0.
    const codes = Dense.from([
      [1, 1, 0, 0],
      [1, 0, 0, 0],
      [0, 0, 0, 5],
    ]);
    expect(orthogonalityDefect(codes)).toBeCloseTo(Math.sqrt(0.5 / 3), 15);
  });

  it("is 0 where there are no two rows to compare", () => {
    expect(orthogonalityDefect(Dense.from([[2], [3]]))).toBe(0);
    expect(orthogonalityDefect(Dense.zeros(4, 3))).toBe(0);
    expect(orthogonalityDefect(Dense.from([[2, 0]]))).toBe(0);
  });
});
