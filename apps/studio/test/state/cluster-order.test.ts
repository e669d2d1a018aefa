import type { Cluster } from "bonmf-report";
import { expect, it } from "vitest";
import { type ClusterSort, listClusters } from "../../src/state/cluster-order.js";

function cluster(number: number, size: number, cosine: number | null, name: string | null, words: string[]): Cluster {
  const distinctive = words.map((word) => ({ name: word, direction: "high", value: 1, mean: 0, effect: null }));
  const majority = { label: size > 5 ? "big" : "small", share: 1 };
  return { number, size, cosine, name, majority, distinctive } as unknown as Cluster;
}

const CLUSTERS = [
  cluster(0, 4, 0.5, null, ["soup"]),
  cluster(2, 9, 0.9, "B 10", ["tax"]),
  cluster(5, 9, null, "b 9", ["Soup", "bread"]),
];
const order = (sort: ClusterSort, typed = "") => listClusters(CLUSTERS, sort, typed).map(({ number }) => number);

it("sorts by number, size, closeness and name; ties by number, what has none last", () => {
  expect(order("number")).toEqual([0, 2, 5]);
  expect(order("size")).toEqual([2, 5, 0]);
  expect(order("closeness")).toEqual([2, 0, 5]);
  expect(order("name")).toEqual([5, 2, 0]);
});

it("finds by name, by number where there is none, by class and by word, in any case", () => {
  expect(order("number", " b 1")).toEqual([2]);
  expect(order("number", "cluster 0")).toEqual([0]);
  expect(order("number", "cluster 2")).toEqual([]);
  expect(order("number", "BIG")).toEqual([2, 5]);
  expect(order("size", "soup")).toEqual([5, 0]);
});
