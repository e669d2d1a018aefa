import type { Label, Model } from "bonmf";
import { type Scores, scoreClusters } from "./fit-report.js";

/** The result of one number of clusters, where samples are out of reach. */
export interface ElbowTrial extends Scores {
  readonly k: number;
  readonly objective: number;
  readonly relativeError: number;
  readonly iterations: number;
  readonly converged: boolean;
  readonly seconds: number;
}

export interface Elbow {
  /** The smallest k first. */
  readonly trials: readonly ElbowTrial[];
  readonly suggested: number;
  /** Why, in one sentence. */
  readonly reason: string;
  /** That of the suggested k. */
  readonly model: Model;
}

/**
 * Fits every k and suggests that where the relative error bends most, for samples on a cluster, between which
 * gaps cannot be measured. Ties go to fewer clusters.
 *
 * @param ks at least three, the smallest first
 * @param classes those of the samples, to compare with
 */
export async function findElbow(
  fitOne: (k: number) => Promise<Model>,
  ks: readonly number[],
  classes: readonly Label[] | null = null,
): Promise<Elbow> {
  // An elbow is measured from the ends; with these known, one model at a time needs to be kept.
  const order = [ks[0], ks[ks.length - 1], ...ks.slice(1, -1)];
  const trials: ElbowTrial[] = [];
  let best: { trial: ElbowTrial; bend: number; model: Model } | null = null;
  for (const k of order) {
    const start = performance.now();
    const model = await fitOne(k);
    const trial: ElbowTrial = {
      k,
      objective: model.potential,
      relativeError: model.relativeError,
      iterations: model.iterations,
      converged: model.converged,
      seconds: (performance.now() - start) / 1000,
      ...(await scoreClusters(classes, model.labels)),
    };
    trials.push(trial);
    const bend = bendAt(trial, trials[0], trials[1]);
    if (best === null || bend > best.bend) best = { trial, bend, model };
  }
  const { trial, bend, model } = best!;
  return { trials: trials.sort((a, b) => a.k - b.k), suggested: trial.k, reason: explainBend(trial, bend), model };
}

/** How far the error lies below the line between its ends; the largest is the elbow, however the axes are scaled. */
function bendAt(trial: ElbowTrial, first: ElbowTrial, last: ElbowTrial | undefined): number {
  if (last === undefined || trial === last) return 0;
  const share = (trial.k - first.k) / (last.k - first.k);
  return first.relativeError + share * (last.relativeError - first.relativeError) - trial.relativeError;
}

function explainBend({ k }: ElbowTrial, bend: number): string {
  return bend > 0
    ? `the relative error bends most at k = ${k}: more clusters lower it less`
    : `the relative error has no bend; k = ${k} is the simplest`;
}
