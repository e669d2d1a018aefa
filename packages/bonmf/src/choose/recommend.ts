/** What is known of k clusters from samples that took no part in forming them. */
export interface PathStep {
  readonly k: number;
  /** Of a gap between the two clusters that k − 1 merges, as the logarithm of a likelihood ratio. */
  readonly evidence: number;
  /** Of gaps around all k clusters. */
  readonly total: number;
}

export interface Recommendation {
  /** 1: no clusters. */
  readonly k: number;
  readonly runnerUp: number | null;
}

/** One split counts no more than this, in nats: a poor partition on the way must not hide what follows. */
const MOST = 3;
/** What a further cluster has to bring. */
const COST = 0.5;
/** Evidence of gaps around all clusters: below this they are taken for chance (odds of 400 to 1). */
const LEAST_TOTAL = 6;

/**
 * The number of clusters up to which every further one is set off by a gap: the end of the run of splits with the largest
 * sum of evidence, among the partitions whose clusters are set off on the whole.
 *
 * @param path k = 2, 3 …, without holes
 */
export function recommend(path: readonly PathStep[]): Recommendation {
  let run = 0;
  const candidates: { k: number; score: number }[] = [];
  for (const { k, evidence, total } of path) {
    const gain = Math.max(-MOST, Math.min(MOST, evidence - COST));
    run = Math.max(run, 0) + gain;
    if (total > LEAST_TOTAL && gain > 0) candidates.push({ k, score: run });
  }
  const ranked = candidates.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || b.k - a.k);
  if (ranked.length > 0) return { k: ranked[0].k, runnerUp: ranked[1]?.k ?? null };
  const least = path.reduce<PathStep | null>((best, step) => (best && best.total >= step.total ? best : step), null);
  return { k: 1, runnerUp: least?.k ?? null };
}
