import { expect, it } from "vitest";
import { chooseK } from "../../src/choose/choose-k.js";
import { blurSteps } from "../../src/choose/steps.js";
import { Dense } from "../../src/matrix/dense.js";
import { Random } from "../../src/random.js";

it("moves values of features that have few by up to a step, and no others", () => {
  const random = new Random(1);
  const X = Dense.from(
    Array.from({ length: 400 }, (_, i) => [i % 3, random.next(), 5]),
    "f64",
  );
  const { data } = blurSteps(X, 7);
  const moved = (f: number) => Array.from({ length: 400 }, (_, i) => Math.abs(data[3 * i + f] - X.data[3 * i + f]));
  expect(Math.max(...moved(0))).toBeLessThanOrEqual(1);
  expect(Math.max(...moved(0))).toBeGreaterThan(0.9);
  expect(Math.max(...moved(1))).toBe(0);
  expect(Math.max(...moved(2))).toBe(0);
});

it("chooses no clusters for columns of few values that have nothing to do with each other", async () => {
  const random = new Random(3);
  const X = Array.from({ length: 300 }, () => {
    const category = random.below(3);
    const oneHot = [0, 1, 2].map((value) => (value === category ? 1 : 0));
    return [...oneHot, random.below(2), 1 + random.below(4), random.next() + random.next() + random.next()];
  });
  const { k } = await chooseK(X, { scale: "standard", method: "kmeans", ks: [2, 3, 4, 6, 8, 12, 16] });
  expect(k).toBe(1);
});
