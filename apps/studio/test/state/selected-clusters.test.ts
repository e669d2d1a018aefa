import { beforeEach, expect, it } from "vitest";
import { clusterSizes, isWhole, selectCluster, selectedCounts } from "../../src/state/selected-clusters.js";
import { clearSelection, selectSamples } from "../../src/state/selection.js";
import { type Run, store } from "../../src/state/store.js";

beforeEach(() => {
  const labels = Uint32Array.of(0, 1, 2, 0, 1, 2, 2);
  // Cluster 2 is merged into 0.
  const run = { info: { id: 7, labels, counts: [2, 2, 3] }, groups: [0, 1, 0], names: ["", "ones", ""] };
  store.runs.value = [run as unknown as Run];
  store.current.value = 7;
  clearSelection();
});

const selected = () => Array.from(store.selection.value?.samples ?? []);

it("counts clusters as they are shown", () => {
  expect([...clusterSizes.value]).toEqual([
    [0, 5],
    [1, 2],
  ]);
  expect(selectedCounts.value).toBeNull();
  selectSamples([1, 2, 6], "the lasso");
  expect(selectedCounts.value).toEqual(
    new Map([
      [1, 1],
      [0, 2],
    ]),
  );
  expect(isWhole(1)).toBe(false);
});

it("selects a cluster, adds another, and takes each out again", () => {
  selectCluster(1, false);
  expect(selected()).toEqual([1, 4]);
  expect(store.selection.value?.from).toBe("ones");
  selectCluster(0, true);
  expect(selected()).toHaveLength(7);
  expect(store.selection.value?.from).toBe("ones, Cluster 0");
  selectCluster(1, true);
  expect(selected()).toEqual([0, 2, 3, 5, 6]);
  selectCluster(0, false);
  expect(selected()).toEqual([]);
});

it("takes the place of a selection that holds more", () => {
  selectSamples([0, 1, 2, 3, 4], "the lasso");
  selectCluster(1, false);
  expect(selected()).toEqual([1, 4]);
});
