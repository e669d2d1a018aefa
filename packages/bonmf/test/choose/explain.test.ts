import { expect, it } from "vitest";
import { explainChoice } from "../../src/choose/explain.js";

it.each([
  [0.0321, "contrast to one group 0.03 at most, for k = 3; from 0.10 on it counts"],
  [0.0984, "contrast to one group 0.098 at most"],
  [0.09996, "contrast to one group 0.09996 at most"],
  [-0.2, "contrast to one group −0.20 at most"],
])("a contrast of %f does not read as one that counts", (evenContrast, words) => {
  const step = { k: 3, evenContrast };
  const choice = { k: 1, runnerUp: 3, heldOut: [], ks: [3], path: [step], sampled: 100 };
  expect(explainChoice(choice as unknown as Parameters<typeof explainChoice>[0])).toContain(words);
});
