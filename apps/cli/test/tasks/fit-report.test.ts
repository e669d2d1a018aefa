import { expect, it } from "vitest";
import { scoreClusters } from "../../src/tasks/fit-report.js";

const classes = ["a", "a", "a", "b", "b", "c"];
const clusters = Uint8Array.of(0, 0, 1, 1, 1, 1);

it("scores clusters against classes", async () => {
  const scores = await scoreClusters(classes, clusters);
  expect(scores.labelAccuracy).toBeCloseTo(4 / 6, 12);
  expect(scores.clusteringAccuracy).toBeCloseTo(4 / 6, 12);
  expect(await scoreClusters(classes, [0, 0, 0, 1, 1, 2])).toEqual({
    labelAccuracy: 1,
    clusteringAccuracy: 1,
    nmi: 1,
    ari: 1,
  });
});

it("has nothing to say without classes", async () => {
  expect(await scoreClusters(null, clusters)).toEqual({
    labelAccuracy: null,
    clusteringAccuracy: null,
    nmi: null,
    ari: null,
  });
});
