import { fit } from "bonmf";
import { expect, it } from "vitest";
import { nameObjective } from "../src/objective.js";

const X = [
  [5, 0, 1],
  [4, 1, 0],
  [0, 3, 3],
  [1, 4, 5],
];

it.each([
  [{}, null],
  [{ loss: "kullback-leibler" }, "Kullback–Leibler divergence"],
  [{ loss: "kullback-leibler", l1W: 0.01 }, "Kullback–Leibler divergence with penalties"],
  [{ l2W: 0.01 }, "squared error with penalties"],
  [{ l1H: 0.01 }, "squared error with penalties"],
  [{ l2H: 0.01 }, "squared error with penalties"],
] as const)("of %j is %j", async (options, name) => {
  expect(nameObjective(await fit(X, { k: 2, method: "nmf", ...options }))).toBe(name);
});
