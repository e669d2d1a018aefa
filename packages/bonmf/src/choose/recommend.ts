/** What is known of k clusters. */
export interface PathStep {
  readonly k: number;
  /**
   * Evidence of gaps around k clusters by k-means, from samples that took no part in forming them: logarithms of likelihood
   * ratios, a gap against none, each limited to ±20, summed over clusters and over the parts of the samples.
   */
  readonly evidence: number;
  /** How much nearer samples are to their own centre than to the next, beyond what one group has. */
  readonly contrast: number;
  /** The same, clusters weighing alike. */
  readonly evenContrast: number;
  /**
   * −2 log-likelihood and a penalty of a mixture of k round clusters, less those of one cluster: the least is best. Null where
   * there are no clusters.
   */
  readonly criterion: number | null;
  /**
   * Evidence of gaps around that mixture's clusters, each limited to ±4: those that are set off, less those that are not.
   * Null where it was not needed.
   */
  readonly balance: number | null;
  /** Whether samples, counts of words, differ in more directions than k clusters can: these have k − 1 at most. */
  readonly tooFew: boolean;
}

/**
 * What decided: a mixture of clusters with gaps around them, gaps between clusters that are not round, contrast where clusters
 * touch, or the error on hidden entries where samples are mixtures of prototypes.
 */
export type Rule = "mixture" | "gaps" | "contrast" | "held-out";

export interface Recommendation {
  /** 1: no clusters. */
  readonly k: number;
  readonly runnerUp: number | null;
  /** Null where there are no clusters. */
  readonly rule: Rule | null;
}

/** Below this gaps are taken for chance (odds of 400 to 1). */
const LEAST_EVIDENCE = 6;
/** Below this samples are hardly nearer to their own centres than one group's would be. */
export const LEAST_CONTRAST = 0.1;
/** This share of the largest contrast is enough where clusters touch. */
const ENOUGH = 0.8;

/**
 * There are clusters where gaps are beyond chance, or the contrast beyond that of one group. Where a mixture of round clusters
 * explains the samples (its criterion is least within the range, and its clusters are set off by gaps), its k is recommended,
 * or the best that is not too few; else that of the largest contrast if gaps set its clusters off, or the smallest that has four fifths of it; where there is hardly
 * any contrast, the k with most evidence of gaps.
 *
 * @param path every k from 2 to beyond the range
 * @param ks the range, ascending
 */
export function recommend(path: readonly PathStep[], ks: readonly number[]): Recommendation {
  const asked = path.filter(({ k }) => ks.includes(k));
  const [near, nextNear] = findNear(asked);
  if (!isStructured(asked)) return { k: 1, runnerUp: near?.k ?? null, rule: null };
  const best = findMixture(path, ks);
  if (best?.balance && best.balance > 0) {
    const { k, runnerUp } = findEnough(asked) ?? best;
    return { k, runnerUp, rule: "mixture" };
  }
  if (asked.some(({ evenContrast }) => evenContrast > LEAST_CONTRAST)) {
    return { k: near.k, runnerUp: nextNear?.k ?? null, rule: "contrast" };
  }
  const [most, next] = [...asked].sort((a, b) => b.evidence - a.evidence || a.k - b.k);
  return { k: most.k, runnerUp: next?.k ?? null, rule: "gaps" };
}

/** Whether there are clusters at all. */
export function isStructured(asked: readonly Pick<PathStep, "evidence" | "evenContrast">[]): boolean {
  return asked.some(({ evidence, evenContrast }) => evidence > LEAST_EVIDENCE || evenContrast > LEAST_CONTRAST);
}

/** The best mixture of those asked for, and the next; null where more clusters than were asked for are better still. */
export function findMixture(
  path: readonly PathStep[],
  ks: readonly number[],
): { k: number; balance: number | null; runnerUp: number | null } | null {
  const ranked = rankMixtures(path);
  const [best, next] = ranked.filter(({ k }) => ks.includes(k));
  if (best === undefined || ranked[0].k > ks[ks.length - 1]) return null;
  return { k: best.k, balance: best.balance, runnerUp: next?.k ?? null };
}

/** The best mixture of enough clusters, and the next; null where all are too few. */
function findEnough(asked: readonly PathStep[]): { k: number; runnerUp: number | null } | null {
  const [best, next] = rankMixtures(asked.filter(({ tooFew }) => !tooFew));
  return best ? { k: best.k, runnerUp: next?.k ?? null } : null;
}

function rankMixtures(path: readonly PathStep[]): PathStep[] {
  const known = path.filter(({ criterion }) => criterion !== null);
  return known.sort((a, b) => a.criterion! - b.criterion! || a.k - b.k);
}

/** By contrast: the largest where gaps set its clusters off, else the smallest k whose contrast is almost that; and the next. */
function findNear(steps: readonly PathStep[]): PathStep[] {
  const ranked = [...steps].sort((a, b) => b.contrast - a.contrast || a.k - b.k);
  if (ranked.length === 0 || ranked[0].evidence > LEAST_EVIDENCE) return ranked;
  const most = ranked[0].contrast;
  return steps.filter(({ contrast }) => contrast >= Math.min(most, ENOUGH * most)).sort((a, b) => a.k - b.k);
}
