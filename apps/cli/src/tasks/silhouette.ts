import { DataError, type Matrix, type SilhouettesOptions, silhouettes } from "bonmf";
import { pause } from "../pause.js";

/** Samples between two checks for Ctrl-C. */
const TOGETHER = 4096;

/**
 * The mean silhouette of all samples, by weight.
 *
 * @returns null where fewer than two clusters have members
 */
export async function measureSilhouette(
  X: Matrix,
  labels: ArrayLike<number>,
  options: SilhouettesOptions,
  signal?: AbortSignal,
): Promise<number | null> {
  const found = open(X, labels, options);
  if (!found) return null;
  let total = 0;
  let counted = 0;
  for (let i = 0; i < X.samples; i++) {
    if (i % TOGETHER === 0) await pause(signal);
    const weight = options.weights?.[i] ?? 1;
    total += weight * found.score(i);
    counted += weight;
  }
  return total / counted;
}

function open(...[X, labels, options]: Parameters<typeof silhouettes>) {
  try {
    return silhouettes(X, labels, options);
  } catch (error) {
    if (error instanceof DataError && error.code === "clusters") return null;
    throw error;
  }
}
