import type { Gaps } from "../../matrix/gaps.js";
import type { PreparedPrototypes } from "../prepared-prototypes.js";
import type { Step } from "../step.js";
import type { Layout } from "../sums.js";
import { type FeatureShares, knownNorm } from "./gaps.js";
import type { Products } from "./products.js";
import type { Rows } from "./rows.js";

/** Samples in one place, and what is known of each. */
export interface Shard {
  readonly rows: Rows;
  readonly products: Products;
  readonly features: number;
  /** ‖x‖ of every sample. */
  readonly norms: Float64Array;
  readonly weights: Float64Array | null;
  /** What is missing of the samples; null: nothing. */
  readonly gaps: Gaps | null;
  /** The number of the first sample in the whole data. */
  readonly offset: number;
  /** For `race`: the least dissimilarity of each sample to the prototypes seen so far. */
  readonly nearest: () => Float64Array;
}

/** A step prepared once for all blocks. */
export interface PreparedStep {
  readonly step: Step;
  /** ‖w_j‖; nothing where the rule makes real codes. */
  readonly norms: Float64Array;
  /** For the one-hot rules, and for others in 32 bits. */
  readonly prepared: PreparedPrototypes | null;
  /** For samples with gaps: what each feature adds to what is known of W, where samples are ranked or drawn. */
  readonly shares: FeatureShares | null;
  /** For samples with gaps: W feature by feature, m × k, where codes need WᵀW. */
  readonly featureRows: Float64Array | null;
  readonly layout: Layout;
}

export function weightOf(shard: Shard, i: number): number {
  return shard.weights === null ? 1 : shard.weights[i];
}

/** ‖w_j‖, of the features that sample i has. */
export function normFor({ gaps }: Shard, { norms, shares }: PreparedStep, i: number, j: number): number {
  return gaps === null ? norms[j] : knownNorm(shares!, gaps, i, j);
}
