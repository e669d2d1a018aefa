import { expect, it } from "vitest";
import type { Findings } from "../../src/findings.js";
import { describeShares } from "../../src/views/summary.js";

const shares = (...sizes: number[]) => {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const clusters = sizes.map((size, cluster) => ({ cluster, size, share: size / total }));
  return describeShares(clusters as unknown as Findings["clusters"], (cluster) => `cluster ${cluster}`);
};

it("says which clusters are the largest and the smallest, if there are such", () => {
  expect(shares(60, 30, 10)).toBe(
    "The largest, cluster 0, holds 60.0 % of the samples, the smallest, cluster 2, 10.0 %.",
  );
  expect(shares(5, 5, 5, 5)).toBe("Each of the 4 clusters holds 25.0 % of the samples.");
  expect(shares(7)).toBe("All samples are in one cluster.");
});
