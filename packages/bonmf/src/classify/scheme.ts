import { OptionError } from "../errors.js";
import type { Model } from "../model/model.js";
import { byCodes, byCoefficients, byLargest } from "./coefficients.js";
import { type Scheme, type SchemeState, type Training, train } from "./decision.js";
import { byCounts, byMajority, byVote } from "./vote.js";

/**
 * How a classifier decides.
 * - `majority`: the most common class of the nearest prototype's cluster (section 4.1 of the paper)
 * - `nearest`: the class of the closest training sample by angle within that cluster (section 4)
 * - `vote`: the most common class among the `neighbors` closest training samples, in `probes` clusters or all
 * - `coefficients`: the class of the training sample whose column of H has the smallest angle to the sample's
 *   projection on W (`nmf`, `semi-binary`)
 * - `onmf`: the class of the closest training sample by distance, in the cluster of the largest coefficient
 * - `onmf+cos`: the paper's name for `nearest` with `onmf` models
 */
export type SchemeName = "majority" | "nearest" | "vote" | "coefficients" | "onmf" | "onmf+cos";

export const SCHEMES: readonly SchemeName[] = ["majority", "nearest", "vote", "coefficients", "onmf", "onmf+cos"];

export interface SchemeOptions {
  readonly scheme: SchemeName;
  readonly neighbors: number;
  readonly probes: number | "exact";
}

/** The state that each scheme keeps in a classifier file. */
export const KEEPS: Record<SchemeName, readonly (keyof SchemeState)[]> = {
  majority: ["counts"],
  nearest: ["Z", "y"],
  vote: ["Z", "y"],
  coefficients: ["y"],
  onmf: ["Z", "y"],
  "onmf+cos": ["Z", "y"],
};

export async function buildScheme(training: Training, { scheme, neighbors, probes }: SchemeOptions): Promise<Scheme> {
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

/** Builds a scheme from the state of this one or another, where that is enough. */
export async function restoreScheme(
  model: Model,
  { counts, Z, y }: SchemeState,
  classes: number,
  options: SchemeOptions,
): Promise<Scheme> {
  const { scheme } = options;
  if (Z && y) return buildScheme(train(model, Z, y, classes), options);
  if (y && scheme === "coefficients") return byCodes({ model, y, classes });
  if (counts && scheme === "majority") return byCounts(model, counts, classes);
  const kept = counts ? "majority" : "coefficients";
  const message = `scheme "${scheme}" needs the training samples, which a classifier saved with "${kept}" does not contain`;
  throw new OptionError("scheme", scheme, message);
}
