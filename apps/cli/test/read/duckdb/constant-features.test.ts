import { expect, it } from "vitest";
import { ConstantFeatures } from "../../../src/read/duckdb/constant-features.js";

it("finds the features that have one value in all rows", () => {
  const constant = new ConstantFeatures(3);
  constant.update(Float32Array.of(1, 2, 3, 1, 5, 3));
  constant.update(new Float32Array());
  expect(constant.list()).toEqual([0, 2]);
  constant.update(Float32Array.of(1, 2, 4));
  expect(constant.list()).toEqual([0]);
  expect(Array.from(constant.toValues())).toEqual([1, Number.NaN, Number.NaN]);
});

it("looks at candidates only", () => {
  const constant = new ConstantFeatures(3, [1, 2]);
  constant.update(Float32Array.of(7, 7, 7, 7, 7, 8));
  expect(constant.list()).toEqual([1]);
});

it("merges what others found out about some of the features", () => {
  const constant = new ConstantFeatures(4);
  constant.merge(Float32Array.of(1, Number.NaN), 0);
  constant.merge(Float32Array.of(3, 4), 2);
  expect(constant.list()).toEqual([0, 2, 3]);
  constant.merge(Float32Array.of(1, 2), 0);
  constant.merge(Float32Array.of(3, 5), 2);
  expect(constant.list()).toEqual([0, 2]);
});
