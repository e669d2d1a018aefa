import { DataError, type Matrix, type Model, silhouettes } from "bonmf";
import type { Silhouettes } from "./findings.js";
import { chooseRows } from "./subsample.js";

/** Samples that are measured: fewer where a comparison is long. */
const MOST = 4000;
const FEWEST = 500;
const MOST_WORK = 2e8;
/** Scores that are kept of each cluster. */
const MOST_SCORES = 100;
const SEED = 0;

/**
 * How clearly samples lie in their clusters, measured among some of them where there are many.
 *
 * @param clusters n cluster numbers below k
 * @returns null where all measured samples are in one cluster
 */
export function measureSilhouettes(model: Model, X: Matrix, clusters: Uint32Array, k: number): Silhouettes | null {
  const width = X.kind === "dense" ? X.features : Math.max(1, X.values.length / X.samples);
  const rows = chooseRows(X.samples, SEED, Math.min(MOST, Math.max(FEWEST, Math.floor(MOST_WORK / (width * k)))));
  const Z = model.prepare(rows.length === X.samples ? X : X.take(rows));
  const labels = rows.map((i) => clusters[i]);
  const scores = Array.from({ length: k }, (): number[] => []);
  let total = 0;
  try {
    const found = silhouettes(Z, labels, { metric: model.method === "kmeans" ? "squared" : "cosine" });
    labels.forEach((cluster, r) => {
      const score = found.score(r);
      total += score;
      scores[cluster].push(score);
    });
  } catch (error) {
    if (error instanceof DataError && error.code === "clusters") return null;
    throw error;
  }
  return {
    samples: rows.length,
    mean: total / rows.length,
    clusters: scores.map((own) => ({
      mean: own.length > 0 ? own.reduce((sum, score) => sum + score, 0) / own.length : null,
      scores: thin(own.sort((a, b) => b - a)),
    })),
  };
}

/** Evenly spread over all. */
function thin(sorted: readonly number[]): Float32Array {
  const count = Math.min(MOST_SCORES, sorted.length);
  return Float32Array.from({ length: count }, (_, p) => sorted[Math.floor(((p + 0.5) * sorted.length) / count)]);
}
