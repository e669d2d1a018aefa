import { fit } from "bonmf";
import { expect, it } from "vitest";
import { findDistinctive, findMajorities } from "../src/clusters.js";

// Two kinds of fruit by hand: "round" is shared, the rest is not.
const X = [
  [9, 1, 0, 5],
  [8, 2, 0, 5],
  [1, 9, 3, 5],
  [2, 8, 3, 5],
];
const featureNames = ["apple", "pear", "stalk", "round"];
const names = async (options: object, top = 8) => {
  const model = await fit(X, { k: 2, featureNames, seed: 1, ...options });
  const order = model.labels[0] === 0 ? [0, 1] : [1, 0];
  const distinctive = findDistinctive(model, top);
  return order.map((j) => distinctive[j].map(({ name }) => name));
};

it("names what exceeds the mean, most first, and nothing else", async () => {
  expect(await names({})).toEqual([["apple"], ["pear", "stalk"]]);
  expect(await names({}, 1)).toEqual([["apple"], ["pear"]]);
  expect(await names({}, 0)).toEqual([[], []]);
});

it("gives the prototype's value and the overall mean", async () => {
  const model = await fit(X, { k: 2, featureNames, seed: 1 });
  expect(findDistinctive(model, 1)[model.labels[0]]).toMatchObject([
    { name: "apple", value: 8.5, mean: 5, feature: 0 },
  ]);
});

it("does not mistake the length of a real-valued method's prototype for meaning", async () => {
  const [apples, pears] = await names({ method: "nmf" });
  expect(apples[0]).toBe("apple");
  expect(pears[0]).toBe("pear");
});

it("counts features without names from 1, and names the halves of a split one", async () => {
  const plain = await fit(X, { k: 2, seed: 1 });
  expect(findDistinctive(plain, 1)[plain.labels[0]][0].name).toBe("#1");
  const split = await fit(X, { k: 2, seed: 1, scale: "split" });
  expect(findDistinctive(split, 1)[split.labels[0]][0].name).toMatch(/^#\d.+/);
});

it("finds the majority of each cluster", () => {
  const classes = ["a", "a", "a", "b", "b", "c"];
  const clusters = Uint8Array.of(0, 0, 1, 1, 1, 1);
  expect(findMajorities(classes, clusters, 3)).toEqual([{ label: "a", share: 1 }, { label: "b", share: 0.5 }, null]);
});

it("tells both directions in the samples' own units, and no constant of a scaler", async () => {
  for (const scale of ["standard", "lift", "minmax", "none"] as const) {
    const model = await fit(X, {
      k: 2,
      featureNames,
      seed: 1,
      scale,
      init: [X[0], X[2]],
    });
    const found = findDistinctive(model, 8, featureNames, "both")[model.labels[0]];
    const apple = found.find(({ name }) => name === "apple")!;
    expect(apple.direction).toBe("high");
    expect(apple.value).toBeCloseTo(8.5, 5);
    expect(apple.mean).toBeCloseTo(5, 5);
    expect(found.map(({ name, direction }) => `${name} ${direction}`).sort()).toEqual([
      "apple high",
      "pear low",
      "stalk low",
    ]);
  }
});
