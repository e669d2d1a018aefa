import { expect, it } from "vitest";
import { Dense } from "../../src/matrix/dense.js";
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

it("gives standard scores, 0 for a constant", () => {
  const scaler = fitScaler("standard", X);
  expect(scaler.state()).toEqual({ mean: Float64Array.of(2, 0, 7), sd: Float64Array.of(2, 1, 0) });
  expect([...scaler.transform(Dense.from([[-4, 3, 9]])).toDense().data]).toEqual([-3, 3, 0]);
  expect([...scaler.inverse(Dense.from([[-3, 3, 0]])).data]).toEqual([-4, 3, 7]);
  expect(scaler.featureNames(["a", "b", "c"])).toEqual(["a", "b", "c"]);
});

it("weighs the mean and the standard deviation", () => {
  const { mean, sd } = fitScaler("standard", Dense.from([[0], [4], [9]], "f64"), Float64Array.of(3, 1, 0)).state();
  expect(mean[0]).toBe(1);
  expect(sd[0]).toBe(Math.sqrt(3));
});

it("puts two values of a category one standard deviation apart, common or rare", () => {
  const rows = Array.from({ length: 50 }, (_, i) => (i === 0 ? [1, 0, 0] : i < 20 ? [0, 1, 0] : [0, 0, 1]));
  const Z = fitScaler("standard", Dense.from(rows, "f64"), undefined, [5, 5, 5]).transform(Dense.from(rows, "f64"));
  const apart = (i: number, j: number) => Math.hypot(...[0, 1, 2].map((f) => Z.row(i)[f] - Z.row(j)[f]));
  expect(apart(0, 1)).toBeCloseTo(1, 12);
  expect(apart(1, 30)).toBeCloseTo(1, 12);
  expect(apart(1, 2)).toBe(0);
});

it("takes a group of one as a number", () => {
  const groups = [0, 1, 2];
  expect(fitScaler("standard", X, undefined, groups).state()).toEqual(fitScaler("standard", X).state());
});

it.each([
  [[0, 1], /3 features but 2 feature groups/],
  [[0, 1.5, 2], /the group of feature 1 \(counting from 0\) is 1.5: groups are whole numbers/],
])("refuses the groups %j", (groups, message) => {
  expect(() => fitScaler("standard", X, undefined, groups)).toThrow(message);
});
