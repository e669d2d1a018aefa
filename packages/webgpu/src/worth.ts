import type { MethodName } from "bonmf";

/**
 * Multiply-adds of a full sweep from which the GPU is worth its start: pipelines, and a copy of the samples. An H200 against 16 threads
 * (BENCHMARKS.md, two runs): 0.75 and 1.9 times as fast at 2^29, 2.3 and 2.7 times at 2^30; one of 2^27, with many sweeps, 2.6 and 1.8 times.
 */
const WORTH = 2 ** 30;

/**
 * Whether a fit is large enough for the GPU: a function of n · m · k and the method, never of the clock. For `engine: "auto"`.
 *
 * @example
 * ```ts
 * import { isWorthGpu } from "bonmf-webgpu";
 * isWorthGpu({ samples: 1_000_000, features: 128, k: 256 }); // → true
 * isWorthGpu({ samples: 150, features: 4, k: 3 }); // → false
 * ```
 */
export function isWorthGpu(work: {
  samples: number;
  features: number;
  k: number;
  /** Default `bonmf`. */
  method?: MethodName | undefined;
}): boolean {
  const { samples, features, k, method = "bonmf" } = work;
  if (method !== "bonmf" && method !== "spherical" && method !== "kmeans") return false;
  return samples * features * k >= WORTH;
}
