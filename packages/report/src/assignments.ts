import type { Dense, Matrix, Model } from "bonmf";

/** Where every sample stands: n entries each. */
export interface Assignments {
  readonly clusters: Uint32Array;
  readonly cosines: Float64Array;
  readonly margins: Float64Array;
}

/** Samples asked about at a time, so that no more than these are ever scaled. */
const TOGETHER = 8192;

export function assignAll(model: Model, X: Matrix): Assignments {
  const n = X.samples;
  const out = { clusters: new Uint32Array(n), cosines: new Float64Array(n), margins: new Float64Array(n) };
  for (let from = 0; from < n; from += TOGETHER) {
    model.explain(X.slice(from, Math.min(from + TOGETHER, n))).forEach(({ cluster, cosine, margin }, i) => {
      out.clusters[from + i] = cluster;
      out.cosines[from + i] = cosine;
      out.margins[from + i] = margin;
    });
  }
  return out;
}

/**
 * How much samples Z (n × m, scaled) point along prototypes: n × d products with unit vectors. `angular` divides by the
 * samples' lengths too, which makes them cosines.
 *
 * @param W d × m
 */
export function measureAlong(Z: Matrix, W: Dense, angular: boolean): Float64Array {
  const d = W.samples;
  const units = new Float64Array(W.features * d);
  for (let j = 0; j < d; j++) {
    const row = W.row(j);
    let normSq = 0;
    for (let f = 0; f < row.length; f++) normSq += row[f] * row[f];
    const length = Math.sqrt(normSq);
    if (length > 0) for (let f = 0; f < row.length; f++) units[f * d + j] = row[f] / length;
  }
  const along = new Float64Array(Z.samples * d);
  for (let i = 0; i < Z.samples; i++) {
    let normSq = 0;
    const at = i * d;
    Z.each(i, (f, value) => {
      if (value === 0) return;
      normSq += value * value;
      for (let j = 0; j < d; j++) along[at + j] += value * units[f * d + j];
    });
    if (angular && normSq > 0) for (let j = 0; j < d; j++) along[at + j] /= Math.sqrt(normSq);
  }
  return along;
}
