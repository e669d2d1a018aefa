import { yieldIfDue } from "../engine/yield.js";
import type { Matrix } from "../matrix/matrix.js";
import { fit } from "../model/fit.js";
import type { Model } from "../model/model.js";
import { fitScaler, type ScaleName } from "../scale/scaler.js";
import { type Ballot, countVotes, type Metric, type VoteRule } from "./ballot.js";
import { fitWithinClasses } from "./class-prototypes.js";
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

/** Labelled samples and how they are split. */
export interface Experiment {
  readonly X: Matrix;
  /** n class numbers. */
  readonly y: Uint32Array;
  readonly classes: number;
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
  const fold = { ...experiment, Z, Q, y, fits };
  return TRIALS[family[0].scheme](fold, family);
}

interface Fold extends Omit<Experiment, "X" | "parts" | "folds"> {
  readonly Z: Matrix;
  readonly Q: Matrix;
  readonly fits: FoldFits;
}

type Trial = (fold: Fold, family: Family) => Promise<Votes[][]>;

/** After ten sweeps nearly all labels are final. */
export const SETTINGS = { init: "plusplus", maxIterations: 10 } as const;
const settings = ({ seed, signal, threads }: Fold) => ({ seed, signal, threads, ...SETTINGS });

const TRIALS: Record<Configuration["scheme"], Trial> = {
  async majority(fold, family) {
    const { Z, Q, y, classes } = fold;
    const all: Votes[][] = [];
    for (const { clustersPerClass: perClass } of family) {
      const model = await fit(Z, { k: classes * perClass, ...settings(fold) });
      all.push(byMajority(train(model, Z, y, classes)).decide(Q));
    }
    return all;
  },
  async prototypes(fold, family) {
    const { Z, Q, y, classes, threads, signal } = fold;
    const model = await fit(Z, { k: 1, ...settings(fold) });
    const all: Votes[][] = [];
    for (const { clustersPerClass: perClass } of family) {
      const run = { threads, signal, maxIterations: SETTINGS.maxIterations };
      const own = await fitWithinClasses(model, classes * perClass, Z, y, classes, run);
      all.push(byMajority(train(own, Z, y, classes)).decide(Q));
    }
    return all;
  },
  async vote(fold, family) {
    const { Z, Q, y, classes, signal } = fold;
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
      const ballot: Ballot = { y, classes, metric, votes: votes!, worth: null };
      return lists.map((found) => countVotes(found.slice(0, neighbors), ballot));
    });
  },
  async linear(fold, family) {
    const { Z, Q, y, classes, threads, signal } = fold;
    const model = NO_MODEL;
    const path = await trainPath({ model, Z, y, classes }, penaltiesOf(family), {
      sharpness: null,
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
    const path = await trainPath({ model, Z, y, classes }, penaltiesOf(family), { sharpness });
    return path.map((linear) => voteLinearly(model, linear, classes, Q));
  },
};

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
