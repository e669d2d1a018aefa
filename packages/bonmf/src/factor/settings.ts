import type { Dense, Precision } from "../matrix/dense.js";

/**
 * An algorithm; docs/methods.md describes each.
 * - `bonmf`: binary orthogonal NMF, the paper's method
 * - `spherical`: spherical k-means
 * - `kmeans`: k-means
 * - `em-onmf`: orthogonal NMF by expectation maximisation
 * - `nmf`: multiplicative updates
 * - `hals`: hierarchical alternating least squares
 * - `onmf`, `onmf-ding`: orthogonal NMF by multiplicative updates
 * - `semi-binary`: NMF with a binary H whose rows may overlap
 */
export type MethodName =
  | "bonmf"
  | "spherical"
  | "kmeans"
  | "em-onmf"
  | "nmf"
  | "hals"
  | "onmf"
  | "onmf-ding"
  | "semi-binary";

/**
 * Where a run begins.
 * - `columns`: the paper's: each prototype is the mean of 10 samples drawn from the 30 longest (Albright's random-Acol)
 * - `sample`: k samples drawn at random
 * - `plusplus`: k-means++ with the method's own dissimilarity
 * - `nndsvd`: non-negative double SVD, for the real-valued methods
 * - `random`: uniform random numbers
 */
export type InitName = "columns" | "sample" | "plusplus" | "nndsvd" | "random";

/** What `nmf` lowers: `frobenius`, the squared error, or `kullback-leibler`, the divergence D(X‖WH) = Σ x ln(x/(WH)) − x + WH. */
export type Loss = "frobenius" | "kullback-leibler";

/** Everything that decides a run, resolved and checked; plain data, kept in the model. */
export interface Settings {
  /** The algorithm. */
  readonly method: MethodName;
  /** The number of clusters. */
  readonly k: number;
  /** The seed of the first run; the others are derived from it. */
  readonly seed: number;
  /** How the first prototypes were chosen; `given`: by the caller. */
  readonly init: InitName | "given";
  /** The most sweeps of one run. */
  readonly maxIterations: number;
  /** The relative change of the potential below which a run stops. */
  readonly tolerance: number;
  /** The number of runs from different seeds. */
  readonly restarts: number;
  /** What happens to a cluster without members. */
  readonly emptyClusters: "reseed" | "keep";
  /** `bonmf` only: the mean of the members, or the paper's multiplicative rule to the letter. */
  readonly update: "mean" | "multiplicative";
  /** `onmf` only: the weight of the orthogonality term. */
  readonly alpha: number;
  /** `semi-binary` only: times through the rows of H for each update of W. */
  readonly sweeps: number;
  /** `nmf` only: what is lowered, ‖X − WH‖² or the Kullback–Leibler divergence of WH from X. */
  readonly loss: Loss;
  /** `nmf` and `hals` only: weights of ΣW, ½ΣW², ΣH and ½ΣH² in the objective (factor/penalty). */
  readonly l1W: number;
  readonly l2W: number;
  readonly l1H: number;
  readonly l2H: number;
  /** What becomes of missing values: an error, or the error counts known entries alone. */
  readonly missing: "error" | "mask";
}

/** Settings and what cannot be written down as plain data. */
export interface Run {
  readonly settings: Settings;
  /** k × m, for init "given". */
  readonly given?: Dense | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told while the first prototypes are chosen: passes over the samples, done and in all. */
  readonly onStart?: ((done: number, total: number) => void) | undefined;
  /** That of the samples. */
  readonly precision?: Precision | undefined;
}
