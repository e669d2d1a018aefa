import { expect, it } from "vitest";
import { Dense } from "../../src/matrix/dense.js";
import { fitScaler } from "../../src/scale/scaler.js";

// By hand: mean 2 and sd 2, mean 0 and sd 1, a constant. Two features vary, so the scores are divided by √2.
const X = Dense.from(
  [
    [0, -1, 7],
    [0, 1, 7],
    [4, -1, 7],
    [4, 1, 7],
  ],
  "f64",
);

it("gives standard scores of mean square length 1, and a constant 1", () => {
  const scaler = fitScaler("lift", X);
  expect(scaler.outputs).toBe(4);
  const Z = scaler.transform(X).toDense();
  const half = Math.SQRT1_2;
  [-half, -half, 0, 1].forEach((z, f) => {
    expect(Z.row(0)[f]).toBeCloseTo(z, 12);
  });
  const lengths = Array.from({ length: 4 }, (_, i) => Math.hypot(...Z.row(i).subarray(0, 3)) ** 2);
  expect(lengths.reduce((sum, length) => sum + length) / 4).toBeCloseTo(1, 12);
});

it("drops the constant on the way back", () => {
  const scaler = fitScaler("lift", X);
  const back = scaler.inverse(scaler.transform(X).toDense());
  expect(back.features).toBe(3);
  back.data.forEach((x, p) => {
    expect(x).toBeCloseTo(X.data[p], 12);
  });
});

it("names the constant", () => {
  expect(fitScaler("lift", X).featureNames(["a", "b", "c"])).toEqual(["a", "b", "c", "(constant)"]);
});
