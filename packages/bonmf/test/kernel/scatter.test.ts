import { describe, expect, it } from "vitest";
import { sumScatter, sumSquares } from "../../src/kernel/scatter.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { dense, randomRows } from "../synthetic.js";

describe("the scatter of samples", () => {
  it.each(["dense", "sparse"])("is Σ share · x xᵀ with a 1 behind each sample, %s", (kind) => {
    const rows = randomRows(5, 1300, 7, 0.5);
    const shares = Float64Array.from(rows, (_, i) => (i % 5) / 4);
    const X = dense(rows);
    const found = sumScatter(kind === "dense" ? X : Sparse.fromDense(X), shares);
    for (let f = 0; f <= 7; f++) {
      for (let g = 0; g <= f; g++) {
        const expected = rows.reduce((sum, x, i) => sum + shares[i] * (x[f] ?? 1) * (x[g] ?? 1), 0);
        expect(found[f * 8 + g]).toBeCloseTo(expected, 8);
      }
    }
  });

  it("has sums of squares, weighted or not, dense and sparse", () => {
    const X = dense([
      [1, 0],
      [2, 3],
    ]);
    for (const Z of [X, Sparse.fromDense(X)]) {
      expect([...sumSquares(Z, null)]).toEqual([5, 9]);
      expect([...sumSquares(Z, Float64Array.of(3, 0.5))]).toEqual([5, 4.5]);
    }
  });

  it("has the same bits dense and sparse", () => {
    const shares = Float64Array.from({ length: 2300 }, (_, i) => 1 / (1 + (i % 7)));
    const lower = (sums: Float64Array) => sums.filter((_, p) => p % 21 <= Math.floor(p / 21));
    // Mostly zeros, and not.
    for (const share of [0.1, 0.5]) {
      const X = dense(randomRows(6, 2300, 20, share));
      expect(lower(sumScatter(Sparse.fromDense(X), shares))).toEqual(lower(sumScatter(X, shares)));
    }
  });
});
