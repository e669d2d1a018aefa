import { OptionError } from "../errors.js";
import type { Model } from "../model/model.js";
import type { Metric, VoteRule } from "./ballot.js";
import { balanceClasses, sizeClasses } from "./class-weights.js";
import { byCodes, byCoefficients, byLargest } from "./coefficients.js";
import { type Scheme, type SchemeState, type Training, train } from "./decision.js";
import { byDistance } from "./distance-vote.js";
import { byLinear, trainPath } from "./linear.js";
import { byCounts, byMajority, byVote } from "./vote.js";

/**
 * How a classifier decides.
 * - `majority`: the most common class of the nearest prototype's cluster (section 4.1 of the paper)
 * - `prototypes`: the same with prototypes that are fitted within each class, k / classes for each
 * - `nearest`: the class of the closest training sample by angle within that cluster (section 4)
 * - `vote`: the class with the most votes among the `neighbors` closest training samples, in `probes` clusters or all
 * - `coefficients`: the class of the training sample whose column of H has the smallest angle to the sample's
 *   projection on W (`nmf`, `semi-binary`)
 * - `onmf`: the class of the closest training sample by distance, in the cluster of the largest coefficient
 * - `onmf+cos`: the paper's name for `nearest` with `onmf` models
 * - `linear`: multinomial logistic regression on the samples
 * - `linear+codes`: ridge regression of the classes on the samples and their closeness to each prototype
 */
export type SchemeName =
  | "majority"
  | "prototypes"
  | "nearest"
  | "vote"
  | "coefficients"
  | "onmf"
  | "onmf+cos"
  | "linear"
  | "linear+codes";

export const SCHEMES: readonly SchemeName[] = [
  "majority",
  "prototypes",
  "nearest",
  "vote",
  "coefficients",
  "onmf",
  "onmf+cos",
  "linear",
  "linear+codes",
];

export interface SchemeOptions {
  readonly scheme: SchemeName;
  readonly neighbors: number;
  readonly probes: number | "exact";
  readonly metric: Metric;
  readonly votes: VoteRule;
  readonly penalty: number;
  readonly sharpness: number;
  readonly classWeights: "balanced" | null;
}

/** How a scheme is trained, where that takes sweeps. */
export interface TrainOptions {
  readonly weights?: Float64Array | null | undefined;
  readonly tolerance?: number | undefined;
  readonly threads?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The state that each scheme keeps in a classifier file. */
export const KEEPS: Record<SchemeName, readonly (keyof SchemeState)[]> = {
  majority: ["counts"],
  prototypes: ["counts"],
  nearest: ["Z", "y"],
  vote: ["Z", "y"],
  coefficients: ["y"],
  onmf: ["Z", "y"],
  "onmf+cos": ["Z", "y"],
  linear: ["linear"],
  "linear+codes": ["linear"],
};

export async function buildScheme(training: Training, options: SchemeOptions, how: TrainOptions = {}): Promise<Scheme> {
  const { scheme, neighbors, probes, votes, penalty, classWeights } = options;
  const { y, classes } = training;
  const worth = classWeights === null ? null : balanceClasses(sizeClasses(y, classes, null));
  switch (scheme) {
    case "linear":
    case "linear+codes": {
      const weights = weighSamples(training, options, how.weights);
      const sharpness = scheme === "linear" ? null : options.sharpness;
      const [linear] = await trainPath(training, [penalty], { ...how, weights, sharpness });
      return byLinear(training.model, linear, classes);
    }
    case "majority":
    case "prototypes":
      return byMajority(training, worth);
    case "vote":
      if (options.metric !== "angle") return byDistance(training, neighbors, options.metric, votes, worth);
      return byVote(training, neighbors, probes, votes, worth);
    case "coefficients":
      return byCoefficients(training);
    case "onmf":
      return byLargest(training);
    default:
      return byVote(training, 1, 1);
  }
}

/** The weights of samples, multiplied by those of their classes; null: 1 each. */
function weighSamples(
  { y, classes }: Training,
  { classWeights }: SchemeOptions,
  weights: Float64Array | null | undefined,
): Float64Array | null {
  if (classWeights === null) return weights ?? null;
  const worth = balanceClasses(sizeClasses(y, classes, weights ?? null));
  return Float64Array.from(y, (c, i) => (weights ? weights[i] : 1) * worth[c]);
}

/** Builds a scheme from the state of this one or another, where that is enough. */
export async function restoreScheme(
  model: Model,
  { counts, Z, y, linear }: SchemeState,
  classes: number,
  options: SchemeOptions,
): Promise<Scheme> {
  const { scheme } = options;
  if (linear && isLinear(scheme) && (linear.codes === null) === (scheme === "linear"))
    return byLinear(model, linear, classes);
  if (Z && y) return buildScheme(train(model, Z, y, classes), options);
  if (y && scheme === "coefficients") return byCodes({ model, y, classes });
  if (counts && KEEPS[scheme].includes("counts"))
    return byCounts(model, counts, classes, options.classWeights && balanceClasses(sumColumns(counts, classes)));
  const kept = counts ? "majority" : linear ? (linear.codes ? "linear+codes" : "linear") : "coefficients";
  const message = `scheme "${scheme}" needs the training samples, which a classifier saved with "${kept}" does not contain`;
  throw new OptionError("scheme", scheme, message);
}

/** The samples of each class in all clusters. */
function sumColumns(counts: Float64Array, classes: number): Float64Array {
  const sums = new Float64Array(classes);
  counts.forEach((count, p) => {
    sums[p % classes] += count;
  });
  return sums;
}

export function isLinear(scheme: SchemeName): boolean {
  return scheme === "linear" || scheme === "linear+codes";
}
