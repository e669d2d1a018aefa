import { encodeSamples } from "../kernel/encode.js";
import type { Labels } from "../kernel/step.js";
import type { Matrix } from "../matrix/matrix.js";
import { type Bearing, type Fit, homeRule, measureFit } from "../model/bearing.js";
import type { Model } from "../model/model.js";
import type { Bearings } from "./bearings.js";
import type { Neighbor } from "./neighbor-index.js";

/** Labelled samples as the schemes use them. */
export interface Training {
  readonly model: Model;
  /** n × m, in the model's units. */
  readonly Z: Matrix;
  /** n class numbers. */
  readonly y: Uint32Array;
  readonly classes: number;
  /** n clusters, by the method's own measure. */
  readonly homes: Labels;
}

export function train(model: Model, Z: Matrix, y: Uint32Array, classes: number): Training {
  const { labels } = encodeSamples(Z, homeRule(model), model.W.data as Float64Array, model.k);
  return { model, Z, y, classes, homes: labels! };
}

/** What a scheme says of one sample. */
export interface Decision extends Fit {
  readonly cluster: number;
  /** Weight of each class, adding up to 1. */
  readonly shares: Float64Array;
  readonly winner: number;
  /** The closest training sample that decided, if one did. */
  readonly neighbor: Neighbor | null;
}

/** One way to decide, made from training samples. */
export interface Scheme {
  /** Decides for every row of prepared samples. */
  decide(Q: Matrix): Decision[];
  /** The winners alone; null where they are found no sooner than all of it. */
  classify?(Q: Matrix): Uint32Array | null;
  /** What it would take to make the scheme again. */
  state(): SchemeState;
}

/** What a scheme keeps of its training: as much as it needs. */
export interface SchemeState {
  /** k × classes: the training samples of each class in each cluster. */
  readonly counts?: Float64Array;
  /** n × m, in the model's units. */
  readonly Z?: Matrix;
  /** n class numbers. */
  readonly y?: Uint32Array;
}

/** How the classes share the votes, and which one wins. */
export interface Poll {
  readonly shares: Float64Array;
  readonly winner: number;
}

export function decide(
  { home, cosines }: Omit<Bearing, "x">,
  { shares, winner }: Poll,
  neighbor: Neighbor | null,
): Decision {
  const { cosine, margin } = measureFit(cosines, home);
  return { cluster: home, cosine, margin, shares, winner, neighbor };
}

/** Adds a decision for each of some samples, by what `answer` says of it. */
export function decideAll(
  { homes, cosines }: Bearings,
  answer: (i: number) => { readonly poll: Poll; readonly neighbor: Neighbor | null },
  decisions: Decision[],
): void {
  const k = cosines.length / homes.length;
  const row = new Float64Array(k);
  for (let i = 0; i < homes.length; i++) {
    for (let j = 0; j < k; j++) row[j] = cosines[i * k + j];
    const { poll, neighbor } = answer(i);
    decisions.push(decide({ home: homes[i], cosines: row }, poll, neighbor));
  }
}
