import { checkSize, Dense, type Precision } from "../../matrix/dense.js";
import { lendMemory } from "./regions.js";

/**
 * Zeros for the caller to fill, in memory that the kernels use as it is: `fit` takes no copy of samples that lie there.
 * Where threads cannot share memory it is an ordinary `Dense`.
 *
 * @param samples n
 * @param features m
 *
 * @example
 * ```ts
 * import { allocateDense, fit } from "bonmf";
 * const X = allocateDense(4, 2);
 * X.data.set([5, 0, 4, 1, 0, 3, 1, 4]);
 * (await fit(X, { k: 2, seed: 1 })).converged; // → true
 * ```
 */
export function allocateDense(samples: number, features: number, precision: Precision = "f32"): Dense {
  checkSize("samples", samples);
  checkSize("features", features);
  return lendMemory(samples, features, precision) ?? Dense.zeros(samples, features, precision);
}
