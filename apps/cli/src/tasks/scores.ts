import { ari, clusteringAccuracy, DataError, type Label, nmi, purity } from "bonmf";

/** How clusters agree with classes; null where there are no classes. */
export interface Scores {
  /** The share of samples in the majority class of their cluster. */
  readonly labelAccuracy: number | null;
  /** The same under the best one-to-one matching. */
  readonly clusteringAccuracy: number | null;
  readonly nmi: number | null;
  readonly ari: number | null;
}

export function scoreClusters(classes: readonly Label[] | null, clusters: ArrayLike<number>): Scores {
  if (classes === null) return { labelAccuracy: null, clusteringAccuracy: null, nmi: null, ari: null };
  return {
    labelAccuracy: purity(classes, clusters),
    clusteringAccuracy: matchOrNull(classes, clusters),
    nmi: nmi(classes, clusters),
    ari: ari(classes, clusters),
  };
}

/** There can be too many classes to match; the other scores still stand. */
function matchOrNull(classes: readonly Label[], clusters: ArrayLike<number>): number | null {
  try {
    return clusteringAccuracy(classes, clusters);
  } catch (error) {
    if (error instanceof DataError && error.code === "size") return null;
    throw error;
  }
}

/** The majority class of each cluster and its share there; undefined for a cluster without members. */
export function findMajorities(
  classes: readonly Label[],
  clusters: ArrayLike<number>,
  k: number,
): ({ name: Label; share: number } | undefined)[] {
  const tallies = Array.from({ length: k }, () => new Map<Label, number>());
  classes.forEach((name, i) => {
    const tally = tallies[clusters[i]];
    tally.set(name, (tally.get(name) ?? 0) + 1);
  });
  return tallies.map((tally) => {
    let total = 0;
    let most: [Label, number] | undefined;
    for (const entry of tally) {
      total += entry[1];
      if (most === undefined || entry[1] > most[1]) most = entry;
    }
    return most && { name: most[0], share: most[1] / total };
  });
}
