import type { Matrix } from "bonmf";
import type { Merged } from "./merge.js";

/** The cluster of every sample, as a place among those shown, and how clearly it belongs there: n entries each. */
export interface Assignments {
  readonly clusters: Uint32Array;
  readonly cosines: Float64Array;
  readonly margins: Float64Array;
}

/** Samples explained at a time; only these are scaled at once. */
const BATCH = 8192;

export function assignAll(merged: Pick<Merged, "explain">, X: Matrix): Assignments {
  const n = X.samples;
  const out = { clusters: new Uint32Array(n), cosines: new Float64Array(n), margins: new Float64Array(n) };
  for (let from = 0; from < n; from += BATCH) {
    merged.explain(X.slice(from, Math.min(from + BATCH, n))).forEach(({ cluster, cosine, margin }, i) => {
      out.clusters[from + i] = cluster;
      out.cosines[from + i] = cosine;
      out.margins[from + i] = margin;
    });
  }
  return out;
}
