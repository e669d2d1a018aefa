import { checkSize, Dense, type Precision } from "../../matrix/dense.js";
import { keepReserved, reserve } from "./bump-allocator.js";
import { allocateMemory, canShare, MOST_BYTES } from "./regions.js";
import { registerSamples } from "./samples.js";

// Its own file: the public types must not name WebAssembly, which programs without a browser's types lack.
/**
 * Zeros for the caller to fill, in memory that the kernels can read: `fit` does not copy such samples. Where threads cannot
 * share memory, it is an ordinary `Dense`.
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
  const bytes = samples * features * (precision === "f64" ? 8 : 4);
  // A fit stores labels and bounds in the same memory.
  const memory = canShare() && bytes + 128 * samples < MOST_BYTES ? allocateMemory(bytes) : null;
  if (memory === null) return Dense.zeros(samples, features, precision);
  const Values = precision === "f64" ? Float64Array : Float32Array;
  const X = new Dense(samples, features, new Values(memory.buffer, reserve(memory, bytes), samples * features));
  keepReserved(memory);
  registerSamples(X, memory);
  return X;
}
