import type { Matrix } from "bonmf";

/** Values that are stored of a sample, on average. */
export function meanStored(X: Matrix): number {
  return X.kind === "dense" ? X.features : X.values.length / X.samples;
}
