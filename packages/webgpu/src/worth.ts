import type { MethodName } from "bonmf";

/**
 * Multiply-adds of a full sweep from which the GPU is worth its start: pipelines, and a copy of the samples. An H200 against 16 threads
 * (BENCHMARKS.md, two runs): 0.75 and 1.9 times as fast at 2^29, 2.3 and 2.7 times at 2^30; one of 2^27, with many sweeps, 2.6 and 1.8 times.
 */
const WORTH = 2 ** 30;

/** The same of a single sweep, and the number of clusters: below it, copying the samples takes longer than labelling them. */
const WORTH_ONCE = 2 ** 33;
const FEWEST_ONCE = 100;

/**
 * Stored values for each feature that sparse samples must have: a sweep handles k × m numbers beside them, in the caller's thread. With
 * 1,500 an H200 takes as long as 16 threads (BENCHMARKS.md).
 */
const STORED = 4096;

/**
 * Whether a fit is large enough for the GPU: a function of its size and the method, never of the clock. For `engine: "auto"`.
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
  /** Of sparse samples: how many values they store. */
  stored?: number | undefined;
  k: number;
  /** Default `bonmf`. */
  method?: MethodName | undefined;
  /** No fit but one sweep, as `predict` makes. */
  once?: boolean | undefined;
}): boolean {
  const { samples, features, stored = samples * features, k, method = "bonmf", once = false } = work;
  if (method !== "bonmf" && method !== "spherical" && method !== "kmeans") return false;
  if (work.stored !== undefined && stored < STORED * features) return false;
  if (once) return k >= FEWEST_ONCE && stored * k >= WORTH_ONCE;
  return stored * k >= WORTH;
}
