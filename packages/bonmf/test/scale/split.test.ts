import { expect, it } from "vitest";
import { Dense } from "../../src/matrix/dense.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { fitScaler } from "../../src/scale/scaler.js";

// By hand: 0, 0, 4, 4 has mean 2 and sd 2; −1, 1, −1, 1 has mean 0 and sd 1; 7 is constant.
const X = Dense.from(
  [
    [0, -1, 7],
    [0, 1, 7],
    [4, -1, 7],
    [4, 1, 7],
  ],
  "f64",
);

it("gives the positive parts, then the negative parts, of standard scores", () => {
  const scaler = fitScaler("split", X);
  expect(scaler.state()).toEqual({ mean: Float64Array.of(2, 0, 7), sd: Float64Array.of(2, 1, 0) });
  expect(scaler.transform(X)).toEqual(
    Dense.from(
      [
        [0, 0, 0, 1, 1, 0],
        [0, 1, 0, 1, 0, 0],
        [1, 0, 0, 0, 1, 0],
        [1, 1, 0, 0, 0, 0],
      ],
      "f64",
    ),
  );
  expect([...scaler.transform(Dense.from([[-4, 3, 9]])).toDense().data]).toEqual([0, 3, 0, 3, 0, 0]);
});

it("has the inverse (pos − neg) · sd + mean", () => {
  expect([...fitScaler("split", X).inverse(Dense.from([[2, 0, 5, 0.5, 1, 1]])).data]).toEqual([5, -1, 7]);
});

it("names both parts", () => {
  expect(fitScaler("split", X).featureNames(["a", "b", "c"])).toEqual(["a +", "b +", "c +", "a −", "b −", "c −"]);
});

it("sees a constant whose mean does not come out exactly", () => {
  const constant = Dense.from(
    Array.from({ length: 10 }, () => [0.1]),
    "f64",
  );
  expect([...constant.data].reduce((sum, x) => sum + x) / 10).not.toBe(0.1);
  expect(fitScaler("split", constant).state()).toEqual({ mean: Float64Array.of(0.1), sd: Float64Array.of(0) });
});

it("counts the zeros that sparse samples leave out", () => {
  const sparse = Sparse.from([[], [[0, 4]], [[0, 4]], []], 1, "f64");
  const scaler = fitScaler("split", sparse);
  expect(scaler.state()).toEqual({ mean: Float64Array.of(2), sd: Float64Array.of(2) });
  expect(scaler.transform(sparse)).toEqual(
    Dense.from(
      [
        [0, 1],
        [1, 0],
        [1, 0],
        [0, 1],
      ],
      "f64",
    ),
  );
});

it("weighs the mean and the standard deviation", () => {
  const { mean, sd } = fitScaler("split", Dense.from([[0], [4], [9]], "f64"), Float64Array.of(3, 1, 0)).state();
  expect(mean[0]).toBe(1);
  expect(sd[0]).toBe(Math.sqrt(3));
});
