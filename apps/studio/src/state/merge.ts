import type { Findings } from "bonmf-report";

/** For each cluster of a run the lowest of those it is merged with: itself where there are none. */
export type Groups = readonly number[];

export function separate(k: number): Groups {
  return Array.from({ length: k }, (_, j) => j);
}

/** The numbers of the clusters shown. */
export function listShown(groups: Groups): number[] {
  return groups.filter((group, cluster) => group === cluster);
}

/** Takes two clusters together, under the lower number and the name of the first that has one. All others stay as they are. */
export function join(
  groups: Groups,
  names: readonly string[],
  a: number,
  b: number,
): { groups: Groups; names: readonly string[] } {
  const [low, high] = a < b ? [a, b] : [b, a];
  const named = names.map((name, number) => (number === low ? names[a] || names[b] : number === high ? "" : name));
  return { groups: groups.map((group) => (group === high ? low : group)), names: named };
}

/** Findings with the names of clusters; "" for one that goes by its number. */
export function nameFindings(findings: Findings, names: readonly string[]): Findings {
  return { ...findings, clusters: findings.clusters.map((one) => ({ ...one, name: names[one.number] || null })) };
}
