/** Sparse samples written with their zeros, against `toDense`. */
import { expect, it } from "vitest";
import { makeRegion } from "../../../src/engine/memory/regions.js";
import { isFull, toDense } from "../../../src/kernel/simd/csr-to-dense.js";
import { Dense } from "../../../src/matrix/dense.js";
import { Sparse } from "../../../src/matrix/sparse.js";
import { dense, randomRows } from "../../synthetic.js";

it.each([
  [1, 1],
  [700, 68],
  [3, 40_000],
])("%i samples of %i features", async (n, m) => {
  const X = dense(randomRows(n, n, m, 0.4), "f32");
  const region = await makeRegion(8 * n * m);
  // What lay there before must not show.
  region!.f32(region!.reserve(0), n * m).fill(7);
  const at = toDense(region!, Sparse.fromDense(X));
  expect(region!.f32(at, n * m)).toEqual(X.data);
});

it("is for samples that are hardly smaller without their zeros", () => {
  const filled = (share: number) => Sparse.fromDense(dense(randomRows(5, 200, 50, 1 - share), "f32"));
  expect([0.1, 0.3, 0.45, 1].map((share) => isFull(filled(share)))).toEqual([false, false, true, true]);
  expect(isFull(Sparse.fromDense(Dense.zeros(0, 5)))).toBe(false);
});
