import { encodeSamples } from "../kernel/encode.js";
import type { Labels } from "../kernel/step.js";
import type { Matrix } from "../matrix/matrix.js";
import type { Model } from "../model/model.js";
import { type CosineBlock, type Fit, homeRule, measureFit } from "../model/prototype-index.js";
import type { LinearState } from "./logistic.js";
import type { Neighbor } from "./query.js";

/** Labelled samples, ready for a scheme. */
export interface Training {
  readonly model: Model;
  /** n × m, in the model's units. */
  readonly Z: Matrix;
  /** n class numbers. */
  readonly y: Uint32Array;
  readonly classes: number;
  /** n cluster numbers, by the method's own measure. */
  readonly homes: Labels;
}

export function train(model: Model, Z: Matrix, y: Uint32Array, classes: number): Training {
  let homes: Labels | null = null;
  return {
    model,
    Z,
    y,
    classes,
    // Some schemes never ask.
    get homes() {
      homes ??= encodeSamples(Z, homeRule(model), model.W.data as Float64Array, model.k).labels!;
      return homes;
    },
  };
}

/** The result of a scheme for one sample. */
export interface Decision extends Fit, Votes {
  readonly cluster: number;
  /** The closest training sample that decided, if one did. */
  readonly neighbor: Neighbor | null;
}

/** A way to classify samples, built from training samples. */
export interface Scheme {
  /** Decides for every row of prepared samples. */
  decide(Q: Matrix): Decision[];
  /** The winners alone, where they are found faster than whole decisions; null where they are not. */
  classify?(Q: Matrix): Uint32Array | null;
  /** What spoke for each decision and against it, where features did. */
  weigh?(Q: Matrix, decisions: readonly Decision[]): Evidence[][];
  /** What a file must store to build the scheme again. */
  state(): SchemeState;
}

/** What a scheme keeps of its training samples. */
export interface SchemeState {
  /** k × classes: the training samples of each class in each cluster. */
  readonly counts?: Float64Array;
  /** n × m, in the model's units. */
  readonly Z?: Matrix;
  /** n class numbers. */
  readonly y?: Uint32Array;
  readonly linear?: LinearState;
}

/** How much a feature or a prototype spoke for the class of a sample. */
export interface Evidence {
  /** The number of the feature, after the scaler; null for a prototype. */
  readonly feature: number | null;
  /** The number of the prototype that the sample is close to; null for a feature. */
  readonly prototype: number | null;
  /** The name of the feature, or "prototype 3" with the features in which it differs most from the mean. */
  readonly name: string;
  /** What it adds to the log odds of the class against the second most likely one; negative: it spoke against. */
  readonly amount: number;
}

/** The result of a vote among classes. */
export interface Votes {
  /** Each class's share of the votes; they add up to 1. */
  readonly shares: Float64Array;
  /** The class with the most. */
  readonly winner: number;
}

/**
 * Appends one decision for each sample of a block.
 *
 * @param homes IN n cluster numbers
 * @param vote is asked for the votes on each sample, by its number in the block
 */
export function decideBlock(
  { cosines }: CosineBlock,
  homes: ArrayLike<number>,
  vote: (i: number) => { readonly votes: Votes; readonly neighbor: Neighbor | null },
  decisions: Decision[],
): void {
  const k = cosines.length / homes.length;
  for (let i = 0; i < homes.length; i++) {
    const cluster = homes[i];
    const { votes, neighbor } = vote(i);
    const { cosine, margin } = measureFit(cosines, k, i, cluster);
    decisions.push({ cluster, cosine, margin, shares: votes.shares, winner: votes.winner, neighbor });
  }
}
