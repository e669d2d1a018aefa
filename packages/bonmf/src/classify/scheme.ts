import { byCoefficients, byLargest } from "./comparators.js";
import type { Decide, Training } from "./decision.js";
import { byMajority, byVote } from "./vote.js";

/**
 * How a sample gets its class.
 * - `majority`: the commonest class of the nearest prototype's cluster (section 4.1 of the paper)
 * - `nearest`: the class of the closest training sample by angle within that cluster (section 4)
 * - `vote`: the commonest class among `neighbors` training samples, in `probes` clusters or exactly
 * - `coefficients`: the class of the training sample whose column of H has the smallest angle to the sample's
 *   projection on W (`nmf`, `semi-binary`)
 * - `onmf`: the cluster of the largest coefficient, in it the closest training sample by distance
 * - `onmf+cos`: another name for `nearest`, as the paper calls it for `onmf` models
 */
export type SchemeName = "majority" | "nearest" | "vote" | "coefficients" | "onmf" | "onmf+cos";

export const SCHEMES: readonly SchemeName[] = ["majority", "nearest", "vote", "coefficients", "onmf", "onmf+cos"];

export interface SchemeOptions {
  readonly scheme: SchemeName;
  readonly neighbors: number;
  readonly probes: number | "exact";
}

export async function buildScheme(training: Training, { scheme, neighbors, probes }: SchemeOptions): Promise<Decide> {
  switch (scheme) {
    case "majority":
      return byMajority(training);
    case "vote":
      return byVote(training, neighbors, probes);
    case "coefficients":
      return byCoefficients(training);
    case "onmf":
      return byLargest(training);
    default:
      return byVote(training, 1, 1);
  }
}
