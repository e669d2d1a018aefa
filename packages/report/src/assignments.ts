import type { Matrix } from "bonmf";
import type { Merged } from "./merge.js";
import { countBetween, pause } from "./pause.js";

/** The cluster of every sample, as a place among those shown, and how clearly it belongs there: n entries each. */
export interface Assignments {
  readonly clusters: Uint32Array;
  readonly cosines: Float64Array;
  readonly margins: Float64Array;
}

/** Samples explained at a time, at most and at least; only these are scaled at once. */
const BATCH = { most: 8192, least: 256 };

export async function assignAll(
  { explain, numbers }: Pick<Merged, "explain" | "numbers">,
  X: Matrix,
  signal?: AbortSignal,
): Promise<Assignments> {
  const n = X.samples;
  const out = { clusters: new Uint32Array(n), cosines: new Float64Array(n), margins: new Float64Array(n) };
  const batch = Math.min(BATCH.most, Math.max(BATCH.least, 16 * countBetween(X.features * numbers.length)));
  for (let from = 0; from < n; from += batch) {
    await pause(signal);
    explain(X.slice(from, Math.min(from + batch, n))).forEach(({ cluster, cosine, margin }, i) => {
      out.clusters[from + i] = cluster;
      out.cosines[from + i] = cosine;
      out.margins[from + i] = margin;
    });
  }
  return out;
}
