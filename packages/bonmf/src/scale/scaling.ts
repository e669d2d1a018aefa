import type { Dense } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";
import type { Steps } from "../steps.js";

/**
 * A scaler, which makes features comparable.
 * - `none`: the values as they are
 * - `minmax`: each feature to 0 … 1
 * - `shift`: each feature minus its least value, where that is negative
 * - `l2`: each sample to length 1
 * - `tfidf`: counts × idf, then each sample to length 1
 * - `sqrt-tfidf`: square roots of counts × idf, then each sample to length 1
 * - `split`: standardised features, split into positive and negative parts: 2m features
 * - `standard`: each feature to mean 0 and standard deviation 1; the values have signs
 * - `lift`: standardised features and a constant one, so that angles measure distances: m + 1 features
 * - `exponent`: all values times one power of two, so that the largest is in 1 … 4
 */
export type ScaleName =
  | "none"
  | "minmax"
  | "shift"
  | "l2"
  | "tfidf"
  | "sqrt-tfidf"
  | "split"
  | "standard"
  | "lift"
  | "exponent";

/** The learned state of a scaler: named arrays with one number per feature. */
export type State = Record<string, Float64Array>;

/** A fitted scaler, from m features to `outputs` features. */
export interface Scaler {
  /** Which scaler it is. */
  readonly name: ScaleName;
  /** m, the number of its input features. */
  readonly features: number;
  /** The number of its output features: 2m for `split`, m + 1 for `lift`, else m. */
  readonly outputs: number;
  /**
   * Scales samples: n × m → n × outputs, in the precision of X. X must be finite; it is not changed. `none` returns X
   * itself. A value extremely far from the fitted ones may overflow to Infinity, never to NaN.
   */
  transform(X: Matrix): Matrix;
  /** Turns scaled values, such as prototypes, back into the units of the samples: n × outputs → n × m. */
  inverse(Z: Dense): Dense;
  /** The names of the output features, from the names of the m features. */
  featureNames(names: readonly string[]): string[];
  /** The learned state, which a model file stores; {} for `none` and `l2`. */
  state(): State;
}

/** Samples that can be visited in order, in memory or not. */
export type Visited = Pick<Matrix, "samples" | "features" | "each">;

/** The formulas of a scaler: pure functions of checked values. */
export interface Scaling {
  /** The arrays of its state, and the least value that each may have. */
  readonly least: Readonly<Record<string, number>>;
  /** The names of the output features, from those of the input; default: the same. */
  names?(names: readonly string[]): string[];
  /** How many output features m features become; default: m. */
  outputs?(features: number): number;
  /**
   * Where it learns anything.
   *
   * @param weights n numbers: weight N counts as N copies, weight 0 as absence
   * @param groups m numbers: features with the same one are the values of one category
   */
  fit?(X: Visited, weights: Float64Array | undefined, groups: ArrayLike<number> | undefined): Steps<State>;
  transform(X: Matrix, state: State): Matrix;
  inverse(Z: Dense, state: State): Dense;
}
