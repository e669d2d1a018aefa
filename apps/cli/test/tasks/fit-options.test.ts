import { fit } from "bonmf";
import { expect, it } from "vitest";
import { LIMITS, METHODS } from "../../src/tasks/fit-options.js";

const X = [
  [5, 0, 1],
  [4, 1, 0],
  [0, 3, 3],
  [1, 4, 5],
];

it.each(METHODS)("knows %s and its limit of iterations", async (method) => {
  const { settings } = await fit(X, { k: 2, method });
  expect(settings.maxIterations).toBe(LIMITS[method]);
});
