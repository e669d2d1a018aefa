import type { GapStep } from "./gap-path.js";
import type { HeldOutStep } from "./held-out.js";
import type { Rule } from "./recommend.js";

/** The results for one number of clusters. */
export interface KTrial {
  readonly k: number;
  /** The method's objective on all samples, of the best run. */
  readonly objective: number;
  /** ‖X − WH‖ / ‖X‖ in the scaler's units. */
  readonly relativeError: number;
  readonly iterations: number;
  readonly converged: boolean;
  /** The mean silhouette, by the method's own distance; null where fewer than two clusters have members. */
  readonly silhouette: number | null;
  /** Agreement of two fits of disjoint halves about all samples (adjusted Rand index): 1 the same, 0 chance. Null for k = 1. */
  readonly stability: number | null;
  /** How much sparser samples are at boundaries than inside clusters: 1 empty, 0 the same, below 0 denser. Null for k = 1. */
  readonly separation: number | null;
  /** The separation that one group with the same covariance has, or for counts the same words drawn anew. Null for k = 1. */
  readonly reference: number | null;
  /**
   * Logarithms of likelihood ratios, a gap around a cluster against none, each limited to ±20 and summed: above 6 there are
   * gaps. Null for k = 1.
   */
  readonly evidence: number | null;
  /**
   * How much nearer samples are to their own centre than to the next, beyond what one group with the same covariance has: the
   * mean of 1 − a / b, a and b being a sample's distances to the two nearest centres, less the group's. Null for k = 1.
   */
  readonly contrast: number | null;
  /**
   * −2 log-likelihood and a penalty of a mixture of k round clusters, less those of one cluster; the least is best. Null where
   * there are no clusters.
   */
  readonly criterion: number | null;
  /**
   * Evidence of gaps around that mixture's clusters, each limited to ±4: above 0 more are set off than are not. Null unless
   * its criterion is the least.
   */
  readonly balance: number | null;
  /**
   * The mean squared error of entries that were hidden from a fit, relative to that of one prototype. Null for methods other
   * than `nmf`, `hals` and `semi-binary`.
   */
  readonly heldOut: number | null;
}

/** How many clusters there are, and why. Plain data. */
export interface KChoice {
  /** The recommended number of clusters; 1 where there are no clusters; null where too little is known yet. */
  readonly k: number | null;
  /** Whether there are clusters at all; null where too little is known yet. */
  readonly structure: boolean | null;
  /** The next best number. */
  readonly runnerUp: number | null;
  /** What decided: "mixture", round clusters with gaps around them; "gaps", others with gaps; "contrast", clusters that touch; "held-out", hidden entries; null: none. */
  readonly rule: Rule | null;
  /** Why, in two sentences. */
  readonly reason: string;
  /** The smallest k first; empty with `fits: false`. */
  readonly trials: readonly KTrial[];
  /** False where the work was aborted; `from` continues it. */
  readonly complete: boolean;
  /** The numbers of clusters that were asked for. */
  readonly ks: readonly number[];
  readonly method: string;
  readonly seed: number;
  /** The scaler. */
  readonly scale: string | null;
  /** n. */
  readonly samples: number;
  /** How many of them the gaps were measured on. */
  readonly sampled: number;
  /** The gaps for every k from 2 on. */
  readonly path: readonly GapStep[];
  /** The error on hidden entries for every k from 1 on, where the method mixes prototypes; else empty. */
  readonly heldOut: readonly HeldOutStep[];
}
