import { encodeSamples } from "../kernel/encode.js";
import type { Labels } from "../kernel/step.js";
import type { Matrix } from "../matrix/matrix.js";
import type { Model } from "../model/model.js";
import { type Bearing, homeRule } from "./bearing.js";
import type { Neighbor } from "./neighbors.js";

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
export interface Decision {
  readonly cluster: number;
  /** Cosine of the angle to the cluster's prototype. */
  readonly cosine: number;
  /** How much larger that is than the largest other cosine; where there is no other, the cosine. */
  readonly margin: number;
  /** Weight of each class, adding up to 1. */
  readonly shares: Float64Array;
  readonly winner: number;
  /** The closest training sample that decided, if one did. */
  readonly neighbor: Neighbor | null;
}

/** Decides for every row of prepared samples. */
export type Decide = (Q: Matrix) => Decision[];

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
  const cosine = cosines[home];
  const runnerUp = cosines.reduce((most, c, j) => (j === home ? most : Math.max(most, c)), Number.NEGATIVE_INFINITY);
  const margin = cosines.length > 1 ? cosine - runnerUp : cosine;
  return { cluster: home, cosine, margin, shares, winner, neighbor };
}
