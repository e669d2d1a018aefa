import { expect, it } from "vitest";
import { Dense } from "../../src/matrix/dense.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { fitScaler } from "../../src/scale/scaler.js";

const X = Dense.from(
  [
    [3, 4, 0],
    [0, 0, 0],
    [0, 0, 7],
    [1, 2, -2],
  ],
  "f64",
);
const Z = Dense.from(
  [
    [3 / 5, 4 / 5, 0],
    [0, 0, 0],
    [0, 0, 1],
    [1 / 3, 2 / 3, -2 / 3],
  ],
  "f64",
);

it("brings every sample to length 1 and leaves zero samples", () => {
  expect(fitScaler("l2", X).transform(X)).toEqual(Z);
});

it("keeps sparse samples sparse and shares their indices", () => {
  const sparse = Sparse.fromDense(X);
  const out = fitScaler("l2", sparse).transform(sparse) as Sparse;
  expect(out.indices).toBe(sparse.indices);
  expect(out.toDense()).toEqual(Z);
});

it("reaches length 1 where squares overflow or vanish", () => {
  const extreme = Dense.from(
    [
      [3e200, 4e200],
      [3e-200, 4e-200],
      [1.7e308, 0],
    ],
    "f64",
  );
  const out = fitScaler("l2", extreme).transform(extreme).toDense();
  const expected = [0.6, 0.8, 0.6, 0.8, 1, 0];
  out.data.forEach((z, p) => {
    expect(z).toBeCloseTo(expected[p], 14);
  });
});

it("has no state and an inverse that changes nothing", () => {
  const scaler = fitScaler("l2", X);
  expect(scaler.inverse(Z)).toBe(Z);
  expect(scaler.state()).toEqual({});
});
