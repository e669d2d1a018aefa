import { describe, expect, it } from "vitest";
import { factorize, solveLower, solveUpper } from "../../src/matrix/cholesky.js";
import { draws } from "../synthetic.js";

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
  });

  it("four rows at a time give what one row gives", () => {
    const k = 7;
    const next = draws(3);
    const R = Float64Array.from({ length: k * k }, next);
    const own = (i: number, j: number) =>
      R.subarray(i * k, (i + 1) * k).reduce((sum, x, t) => sum + x * R[j * k + t], 0);
    const M = Float64Array.from(
      { length: k * k },
      (_, p) => own(Math.floor(p / k), p % k) + (p % (k + 1) === 0 ? 1 : 0),
    );
    const factor = factorize(M, k);
    for (let i = 0; i < k; i++) {
      for (let j = 0; j <= i; j++) {
        let sum = 0;
        for (let t = 0; t <= j; t++) sum += factor[i * k + t] * factor[j * k + t];
        expect(sum).toBeCloseTo(M[i * k + j], 12);
      }
    }
    const rows = Float64Array.from({ length: 6 * k }, next);
    const each = Array.from({ length: 6 }, (_, r) => rows.slice(r * k, (r + 1) * k));
    solveLower(factor, k, rows);
    for (const row of each) solveLower(factor, k, row);
    expect([...rows]).toEqual(each.flatMap((row) => [...row]));
  });

  it("need a positive definite matrix", () => {
    expect(() => factorize(Float64Array.of(1, 2, 2, 1), 2)).toThrow("pivot 1 is -3");
  });
});
