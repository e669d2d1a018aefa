import { expect, it } from "vitest";
import { Dense } from "../../src/matrix/dense.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { fitScaler } from "../../src/scale/scaler.js";

const X = Dense.from(
  [
    [-3, 2],
    [1, 5],
  ],
  "f64",
);

it("moves signed features to 0 and leaves the others", () => {
  expect(fitScaler("shift", X).transform(X)).toEqual(
    Dense.from(
      [
        [0, 2],
        [4, 5],
      ],
      "f64",
    ),
  );
});

it("clips new values below the training minimum", () => {
  expect([
    ...fitScaler("shift", X)
      .transform(Dense.from([[-5, -1]]))
      .toDense().data,
  ]).toEqual([0, 0]);
});

it("ignores samples of weight 0", () => {
  expect(fitScaler("shift", X, Float64Array.of(0, 1)).state()).toEqual({ low: Float64Array.of(0, 0) });
});

it("keeps non-negative sparse samples sparse", () => {
  const counts = Sparse.from([[[1, 5]], []], 2);
  expect(fitScaler("shift", counts).transform(counts)).toEqual(counts);
  const signed = Sparse.from([[[1, -5]], []], 2);
  expect(fitScaler("shift", signed).transform(signed)).toEqual(
    Dense.from([
      [0, 0],
      [0, 5],
    ]),
  );
});
