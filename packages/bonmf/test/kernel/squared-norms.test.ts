import { expect, it } from "vitest";
import { rowsOf } from "../../src/kernel/plain/rows.js";
import { squaredNorms } from "../../src/kernel/squared-norms.js";
import { Dense } from "../../src/matrix/dense.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { randomRows } from "../synthetic.js";

it.each([1, 2, 3, 4, 5, 7, 8, 30])("sums squares to the bits of a sweep: %i features", (m) => {
  for (const precision of ["f32", "f64"] as const) {
    const X = Dense.from(randomRows(m, 40, m, 0.3), precision);
    for (const Z of [X, Sparse.fromDense(X)]) {
      const rows = rowsOf(Z);
      expect(Array.from(squaredNorms(Z))).toEqual(Array.from({ length: 40 }, (_, i) => rows.normSq(i)));
    }
  }
});
