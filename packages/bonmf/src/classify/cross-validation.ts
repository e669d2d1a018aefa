import { yieldIfDue } from "../engine/yield.js";
import type { Matrix } from "../matrix/matrix.js";
import { fit } from "../model/fit.js";
import type { Model } from "../model/model.js";
import { fitScaler, type ScaleName } from "../scale/scaler.js";
import { type Ballot, countVotes, type Metric, type VoteRule } from "./ballot.js";
import { fitWithinClasses } from "./class-prototypes.js";
import { balanceClasses, sizeClasses } from "./class-weights.js";
import { train, type Votes } from "./decision.js";
import { DistanceSearch } from "./distance-vote.js";
import type { Split } from "./folds.js";
import { trainPath, voteLinearly } from "./linear.js";
import type { Neighbor } from "./query.js";
import { byMajority, NeighborSearch } from "./vote.js";

/** A way to classify. */
export interface Configuration {
  /** The scaler. */
  readonly scale: ScaleName;
  /** `vote` is exact here; `nearest` would be an inexact vote of one neighbour. */
  readonly scheme: "majority" | "prototypes" | "vote" | "linear" | "linear+codes";
  /** For `majority` and `prototypes`; else 0. */
  readonly clustersPerClass: number;
  /** How many neighbours vote; 0 for other schemes. */
  readonly neighbors: number;
  /** For `vote`: what makes samples near; else null. */
  readonly metric: Metric | null;
  /** For `vote`: how much each vote counts; else null. */
  readonly votes: VoteRule | null;
  /** For the linear schemes: λ; else 0. */
  readonly penalty: number;
  /** For `linear+codes`: how narrow the codes are; else 0. */
  readonly sharpness: number;
}

/** Configurations that share their work: one scaler, one scheme, one metric, one sharpness; penalties fall. At least one. */
export type Family = readonly Configuration[];

/** What candidates are compared by: the share of right answers, or the mean of that over the classes. */
export type Measure = "accuracy" | "balanced";

/** Labelled samples and how they are split. */
export interface Experiment {
  readonly X: Matrix;
  /** n class numbers. */
  readonly y: Uint32Array;
  readonly classes: number;
  /** Of a sample of each class, where all classes count alike. */
  readonly worth: Float64Array;
  /** What configurations are compared by; by balanced accuracy they also learn as if all classes were equally common. */
  readonly measure: Measure;
  readonly parts: readonly Split[];
  /** How many of them are one split of all samples; there may be several. */
  readonly folds: number;
  readonly seed: number;
  readonly threads?: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/** The prototypes of a fold for `linear+codes`, by scaler: every sharpness uses the same. */
export type FoldFits = Map<ScaleName, Model>;

/** Trains a family on the training part of a fold. @returns the votes of each configuration on the test part */
export async function tryFamily(
  experiment: Omit<Experiment, "parts" | "folds">,
  part: Split,
  family: Family,
  fits: FoldFits,
): Promise<Votes[][]> {
  const X = experiment.X.take(part.train);
  const scaler = fitScaler(family[0].scale, X);
  const Z = scaler.transform(X);
  const Q = scaler.transform(experiment.X.take(part.test));
  const y = part.train.map((i) => experiment.y[i]);
  const worth = experiment.measure === "balanced" ? balanceClasses(sizeClasses(y, experiment.classes, null)) : null;
  const fold = { ...experiment, Z, Q, y, worth, fits };
  return TRIALS[family[0].scheme](fold, family);
}

interface Fold extends Omit<Experiment, "X" | "worth" | "parts" | "folds"> {
  readonly Z: Matrix;
  readonly Q: Matrix;
  /** Of a sample of each class in the training; null: 1 each. */
  readonly worth: Float64Array | null;
  readonly fits: FoldFits;
}

type Trial = (fold: Fold, family: Family) => Promise<Votes[][]>;

/** After ten sweeps nearly all labels are final. */
export const SETTINGS = { init: "plusplus", maxIterations: 10 } as const;
const settings = ({ seed, signal, threads }: Fold) => ({ seed, signal, threads, ...SETTINGS });

const TRIALS: Record<Configuration["scheme"], Trial> = {
  async majority(fold, family) {
    const { Z, Q, y, classes, worth } = fold;
    const all: Votes[][] = [];
    for (const { clustersPerClass: perClass } of family) {
      const model = await fit(Z, { k: classes * perClass, ...settings(fold) });
      all.push(byMajority(train(model, Z, y, classes), worth).decide(Q));
    }
    return all;
  },
  async prototypes(fold, family) {
    const { Z, Q, y, classes, worth, threads, signal } = fold;
    const model = await fit(Z, { k: 1, ...settings(fold) });
    const all: Votes[][] = [];
    for (const { clustersPerClass: perClass } of family) {
      const run = { threads, signal, maxIterations: SETTINGS.maxIterations };
      const own = await fitWithinClasses(model, classes * perClass, Z, y, classes, run);
      all.push(byMajority(train(own, Z, y, classes), worth).decide(Q));
    }
    return all;
  },
  async vote(fold, family) {
    const { Z, Q, y, classes, worth, signal } = fold;
    // A shorter list of neighbours is a prefix of a longer one: one search serves all.
    const most = Math.max(...family.map(({ neighbors }) => neighbors));
    const metric = family[0].metric!;
    const find = async (): Promise<Iterable<Neighbor[][]>> => {
      if (metric !== "angle") return new DistanceSearch({ Z, y, classes }, metric).blocks(Q, most);
      const k = Math.ceil(Math.sqrt(Z.samples) / 2);
      const training = train(await fit(Z, { k, ...settings(fold) }), Z, y, classes);
      const search = await NeighborSearch.open(training, most, "exact");
      return search.lists(Q);
    };
    const lists: Neighbor[][] = [];
    for (const block of await find()) {
      lists.push(...block);
      await yieldIfDue();
      signal?.throwIfAborted();
    }
    return family.map(({ neighbors, votes }) => {
      const ballot: Ballot = { y, classes, metric, votes: votes!, worth };
      return lists.map((found) => countVotes(found.slice(0, neighbors), ballot));
    });
  },
  async linear(fold, family) {
    const { Z, Q, y, classes, threads, signal } = fold;
    const model = NO_MODEL;
    const path = await trainPath({ model, Z, y, classes }, penaltiesOf(family), {
      sharpness: null,
      weights: weigh(fold),
      limit: LIMIT,
      threads,
      signal,
    });
    return path.map((linear) => voteLinearly(model, linear, classes, Q));
  },
  async "linear+codes"(fold, family) {
    const [{ scale, sharpness }] = family;
    const { Z, Q, y, classes, fits } = fold;
    let model = fits.get(scale);
    if (model === undefined) {
      model = await fit(Z, { k: codeCount(Z.samples), method: "kmeans", ...settings(fold) });
      fits.set(scale, model);
    }
    const path = await trainPath({ model, Z, y, classes }, penaltiesOf(family), { sharpness, weights: weigh(fold) });
    return path.map((linear) => voteLinearly(model, linear, classes, Q));
  },
};

/** The weights of the samples of a training; null: 1 each. */
function weigh({ y, worth }: Fold): Float64Array | null {
  return worth && Float64Array.from(y, (c) => worth[c]);
}

function penaltiesOf(family: Family): number[] {
  return family.map(({ penalty }) => penalty);
}

/** Sweeps for each penalty: after them hardly an answer changes. */
const LIMIT = 80;

/** Logistic regression on the samples alone looks at no prototypes. */
const NO_MODEL = null as unknown as Model;

/** How many prototypes `linear+codes` has in a search. */
export function codeCount(samples: number): number {
  return Math.max(1, Math.min(300, Math.floor(samples / 3)));
}
