import { expect, it } from "vitest";
import { Dense } from "../../src/matrix/dense.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { fitScaler } from "../../src/scale/scaler.js";

it("returns the samples themselves", () => {
  const X = Dense.from([[1, -2]]);
  const sparse = Sparse.fromDense(X);
  const scaler = fitScaler("none", X);
  expect(scaler.transform(X)).toBe(X);
  expect(scaler.transform(sparse)).toBe(sparse);
  expect(scaler.inverse(X)).toBe(X);
  expect(scaler.state()).toEqual({});
  expect(scaler.featureNames(["a", "b"])).toEqual(["a", "b"]);
});
