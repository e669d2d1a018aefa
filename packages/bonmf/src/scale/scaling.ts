import type { Dense } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";

/** A way to bring features to comparable values of 0 or more before the factorisation. */
export type ScaleName = "none" | "minmax" | "shift" | "l2" | "tfidf" | "split";

/** What a scaler learned: named arrays with one number a feature. */
export type State = Record<string, Float64Array>;

/** A fitted scaler; m features in, `outputs` features out. */
export interface Scaler {
  readonly name: ScaleName;
  /** m, the number of features it takes. */
  readonly features: number;
  /** The number of features it gives: 2m for `split`, else m. */
  readonly outputs: number;
  /**
   * n × m → n × outputs in the precision of X, which must be finite and is left as it is; `none` returns X itself.
   * A new value absurdly far from the fitted ones may overflow to Infinity, never to NaN.
   */
  transform(X: Matrix): Matrix;
  /** n × outputs → n × m: scaled values, such as centroids, back in the units of the data. */
  inverse(Z: Dense): Dense;
  /** The names of the outputs, from the names of the m features. */
  featureNames(names: readonly string[]): string[];
  /** What a model file stores and `restoreScaler` takes; {} for `none` and `l2`. */
  state(): State;
}

/** Samples that can be looked at one after the other, wherever they are. */
export type Visited = Pick<Matrix, "samples" | "features" | "each">;

/** A row of the table of scalers: pure functions of checked values. */
export interface Scaling {
  /** The arrays of its state, and the least value that each may hold. */
  readonly least: Readonly<Record<string, number>>;
  /** Outputs for each feature, as endings of the feature's name: all features with the first, then with the second. */
  readonly endings: readonly string[];
  /** Weights, one a sample: weight N is N repetitions, weight 0 absence. */
  fit(X: Visited, weights: Float64Array | undefined): State;
  transform(X: Matrix, state: State): Matrix;
  inverse(Z: Dense, state: State): Dense;
}
