import type { Cluster } from "bonmf-report";

export const CLUSTER_SORTS = ["number", "size", "closeness", "name"] as const;
export type ClusterSort = (typeof CLUSTER_SORTS)[number];

/** The clusters of a list: those that match what was typed, in the order that was chosen. */
export function listClusters(clusters: readonly Cluster[], sort: ClusterSort, typed: string): readonly Cluster[] {
  const needle = typed.trim().toLowerCase();
  const found = needle === "" ? clusters : clusters.filter((one) => mentions(one, needle));
  return [...found].sort((a, b) => compare(a, b, sort) || a.number - b.number);
}

/** The name shown, the class that most members have, or a word that sets it apart. */
function mentions({ name, number, majority, distinctive }: Cluster, needle: string): boolean {
  const words = [name ?? `cluster ${number}`, majority?.label ?? "", ...distinctive.map((one) => one.name)];
  return words.some((word) => word.toLowerCase().includes(needle));
}

function compare(a: Cluster, b: Cluster, sort: ClusterSort): number {
  if (sort === "size") return b.size - a.size;
  if (sort === "closeness") return (b.cosine ?? -1) - (a.cosine ?? -1);
  if (sort === "name") return compareNames(a.name, b.name);
  return 0;
}

/** Those without a name come last. */
function compareNames(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a.localeCompare(b, undefined, { numeric: true });
}
