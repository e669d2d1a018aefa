import type { Label, Model } from "bonmf";
import { decimal } from "../show/text.js";
import { type Scores, scoreClusters } from "./fit-report.js";

/** The result of one number of clusters. */
export interface Trial extends Scores {
  readonly k: number;
  readonly objective: number;
  readonly relativeError: number;
  /** Null where it was not measured, or all samples are in one cluster. */
  readonly silhouette: number | null;
  readonly iterations: number;
  readonly converged: boolean;
  readonly seconds: number;
}

export interface Choice {
  /** The smallest k first. */
  readonly trials: readonly Trial[];
  readonly suggested: number;
  /** Why, in one sentence. */
  readonly reason: string;
  /** That of the suggested k. */
  readonly model: Model;
}

/**
 * Fits every k and suggests one: that with the largest mean silhouette; where samples cannot be measured, that where the
 * relative error bends most. Ties go to fewer clusters.
 *
 * @param measureOne the mean silhouette of a fit; null where the samples are out of reach
 * @param ks at least two, the smallest first
 * @param classes those of the samples, to compare with
 */
export async function chooseK(
  fitOne: (k: number) => Promise<Model>,
  measureOne: ((model: Model) => Promise<number | null>) | null,
  ks: readonly number[],
  classes: readonly Label[] | null = null,
): Promise<Choice> {
  // An elbow is measured from the ends; with these known, one model at a time needs to be kept.
  const order = measureOne ? ks : [ks[0], ks[ks.length - 1], ...ks.slice(1, -1)];
  const trials: Trial[] = [];
  let best: { trial: Trial; score: number; model: Model } | null = null;
  for (const k of order) {
    const start = performance.now();
    const model = await fitOne(k);
    const trial: Trial = {
      k,
      objective: model.potential,
      relativeError: model.relativeError,
      silhouette: null,
      iterations: model.iterations,
      converged: model.converged,
      seconds: (performance.now() - start) / 1000,
      ...scoreClusters(classes, model.labels),
      ...(measureOne ? { silhouette: await measureOne(model) } : {}),
    };
    trials.push(trial);
    const score = measureOne ? (trial.silhouette ?? Number.NEGATIVE_INFINITY) : bendAt(trial, trials[0], trials[1]);
    if (best === null || score > best.score) best = { trial, score, model };
  }
  const { trial, score, model } = best!;
  const reason = measureOne ? explainSilhouette(trial) : explainBend(trial, score);
  return { trials: trials.sort((a, b) => a.k - b.k), suggested: trial.k, reason, model };
}

/** How far the error lies below the line between its ends; the largest is the elbow, however the axes are scaled. */
function bendAt(trial: Trial, first: Trial, last: Trial | undefined): number {
  if (last === undefined || trial === last) return 0;
  const share = (trial.k - first.k) / (last.k - first.k);
  return first.relativeError + share * (last.relativeError - first.relativeError) - trial.relativeError;
}

function explainSilhouette({ k, silhouette }: Trial): string {
  return silhouette === null
    ? `no k separates the samples; k = ${k} is the simplest`
    : `k = ${k} has the largest mean silhouette, ${decimal(silhouette)}`;
}

function explainBend({ k }: Trial, bend: number): string {
  return bend > 0
    ? `the relative error bends most at k = ${k}: more clusters lower it less`
    : `the relative error has no bend; k = ${k} is the simplest`;
}
