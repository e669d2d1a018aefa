/** What is known of k clusters from samples that took no part in forming them. */
export interface PathStep {
  readonly k: number;
  /**
   * Evidence of gaps around the k clusters: logarithms of likelihood ratios, a gap against none, each limited to ±20, summed
   * over clusters and over the parts of the samples.
   */
  readonly evidence: number;
  /** The same limited to ±4: about how many clusters are set off, less those that are not, whatever their size. */
  readonly balance: number;
}

export interface Recommendation {
  /** 1: no clusters. */
  readonly k: number;
  readonly runnerUp: number | null;
}

/** Below this clusters are taken for chance (odds of 400 to 1). */
const LEAST_EVIDENCE = 6;

/**
 * Among the k whose clusters are set off on the whole, the one with the most that are, less those that are not; ties go to
 * fewer clusters.
 */
export function recommend(path: readonly PathStep[]): Recommendation {
  const likely = path.filter(({ evidence }) => evidence > LEAST_EVIDENCE);
  const [best, next] = likely.sort((a, b) => b.balance - a.balance || a.k - b.k);
  if (best !== undefined) return { k: best.k, runnerUp: next?.k ?? null };
  const [least] = [...path].sort((a, b) => b.evidence - a.evidence || a.k - b.k);
  return { k: 1, runnerUp: least?.k ?? null };
}
