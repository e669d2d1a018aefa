import { expect, it } from "vitest";
import { askNearest, findNearest } from "../src/nearest.js";

const names = ["fit", "predict", "classify", "inspect", "compare", "convert", "completion", "datasets"];

it.each([
  ["ift", ["fit"]],
  ["predcit", ["predict"]],
  ["inspct", ["inspect"]],
  ["Datasets", ["datasets"]],
  ["dataset", ["datasets"]],
  ["class", ["classify"]],
  ["conv", ["convert"]],
  ["com", ["compare", "completion"]],
  ["frobnicate", []],
  ["", []],
])("%j is near %j", (typed, near) => expect(findNearest(typed, names)).toEqual(near));

it("names at most three, nearest first", () => {
  expect(findNearest("pixel1", ["pixel", "pixel2", "pixel3", "pixel1x", "pixel11"])).toHaveLength(3);
  expect(findNearest("labels", ["table", "label"])[0]).toBe("label");
});

it("takes no letter for another", () => expect(findNearest("z", ["a", "b", "Z"])).toEqual(["Z"]));

it("asks", () => {
  expect(askNearest("com", names)).toBe("did you mean compare or completion?");
  expect(askNearest("zzz", names)).toBeUndefined();
});
