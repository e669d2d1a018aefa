import { describe, expect, it } from "vitest";
import { factorize, multiplyUpper, solveLower, solveUpper } from "../../src/matrix/cholesky.js";

// L = [2 0; 1 3], L·Lᵀ = [4 2; 2 10].
const A = Float64Array.of(4, 2, 2, 10);

describe("Cholesky factors", () => {
  const L = factorize(A, 2);

  it("multiply to the matrix", () => expect([...L]).toEqual([2, 0, 1, 3]));

  it("solve for several rows at a time", () => {
    const B = Float64Array.of(2, 7, 4, 2);
    solveLower(L, 2, B);
    expect([...B]).toEqual([1, 2, 2, 0]);
    solveUpper(L, 2, B);
    [1 / 6, 2 / 3, 1, 0].forEach((x, p) => {
      expect(B[p]).toBeCloseTo(x, 14);
    });
    multiplyUpper(L, 2, B);
    [1, 2, 2, 0].forEach((x, p) => {
      expect(B[p]).toBeCloseTo(x, 14);
    });
  });

  it("need a positive definite matrix", () => {
    expect(() => factorize(Float64Array.of(1, 2, 2, 1), 2)).toThrow("pivot 1 is -3");
  });
});
