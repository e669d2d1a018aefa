import type { Gaps } from "../matrix/gaps.js";
import type { Matrix } from "../matrix/matrix.js";
import type { Distance } from "./prototype-index.js";

/** The cluster of a sample, and how clearly it belongs there. */
export interface Membership {
  /** The sample's cluster, as `predict` gives it. */
  readonly cluster: number;
  /** Cosine of the angle between the sample and the cluster's prototype. */
  readonly cosine: number;
  /** That cosine less the largest other one; may be negative where the method does not decide by angle. */
  readonly margin: number;
  /** For `kmeans`, which decides by distance: the distance to the prototype, and the gap to the nearest other one. */
  readonly distance: Distance | null;
}

/** What {@link Model.measureErrors} returns. */
export interface Errors {
  readonly relativeError: number;
  readonly singleError: number;
  readonly explained: number;
}

/** Samples in the model's units, missing values 0, and the list of them. */
export interface Separated {
  readonly Z: Matrix;
  readonly gaps: Gaps | null;
}
