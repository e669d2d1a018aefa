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

/** Null if there are too many classes to match. */
function matchOrNull(classes: readonly Label[], clusters: ArrayLike<number>): number | null {
  try {
    return clusteringAccuracy(classes, clusters);
  } catch (error) {
    if (error instanceof DataError && error.code === "size") return null;
    throw error;
  }
}
