import type { Votes } from "./decision.js";
import type { Neighbor } from "./query.js";

/**
 * What makes training samples near.
 * - `angle`: the angle between the samples
 * - `distance`: their Euclidean distance
 * - `within`: their distance after the scatter within the classes is made the same in every direction (Mahalanobis), so that
 *   directions in which a class varies count less than those that tell classes apart
 * - `relevant`: their distance with every feature multiplied by how much it tells the classes apart (ReliefF)
 */
export type Metric = "angle" | "distance" | "within" | "relevant";

export const METRICS: readonly Metric[] = ["angle", "distance", "within", "relevant"];

/**
 * How much each neighbour's vote counts.
 * - `equal`: all alike
 * - `closer`: by 1 / distance, so that closer ones count more; those at distance 0 decide alone
 */
export type VoteRule = "equal" | "closer";

export const VOTE_RULES: readonly VoteRule[] = ["equal", "closer"];

/** How the votes of neighbours are counted. */
export interface Ballot {
  /** The class number of each training sample. */
  readonly y: Uint32Array;
  readonly classes: number;
  /** How `closeness` was measured. */
  readonly metric: Metric;
  readonly votes: VoteRule;
  /** Of a vote for each class; null: 1. */
  readonly worth: Float64Array | null;
}

/** One vote for each neighbour. */
export function equalVotes(y: Uint32Array, classes: number): Ballot {
  return { y, classes, metric: "angle", votes: "equal", worth: null };
}

/** Counts the votes of neighbours, closest first. Ties go to the class of the closest one. */
export function countVotes(found: readonly Neighbor[], { y, classes, metric, votes, worth }: Ballot): Votes {
  const shares = new Float64Array(classes);
  const nearest = votes === "equal" ? 0 : distanceOf(found[0], metric);
  let total = 0;
  for (const neighbor of found) {
    const label = y[neighbor.index];
    const weight = votes === "equal" ? 1 : weigh(nearest, distanceOf(neighbor, metric));
    const vote = worth === null ? weight : weight * worth[label];
    shares[label] += vote;
    total += vote;
  }
  let winner = y[found[0].index];
  for (const { index } of found) if (shares[y[index]] > shares[winner]) winner = y[index];
  for (let c = 0; c < classes; c++) shares[c] /= total;
  return { shares, winner };
}

/** 1 / distance, in units of the nearest neighbour's: 1 for that one, and no overflow. */
function weigh(nearest: number, distance: number): number {
  return distance <= nearest ? 1 : nearest / distance;
}

/** Cosines that differ from 1 by less are those of one direction: they are rounded. */
const SAME = 1e-12;

/** The distance of a neighbour; by angle, that of the samples scaled to length 1, since `Math.acos` differs between engines. */
function distanceOf({ closeness }: Neighbor, metric: Metric): number {
  if (metric !== "angle") return Math.sqrt(Math.max(0, -closeness));
  return 1 - closeness < SAME ? 0 : Math.sqrt(2 - 2 * closeness);
}
