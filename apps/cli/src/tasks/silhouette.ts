import type { Matrix } from "bonmf";

/** Samples to measure before others get a turn: a Ctrl-C, say. */
const TOGETHER = 4096;
/** Distances below this share of a sample's squared length are rounding. */
const NOISE = 1e-12;

export interface Grouping {
  /** n clusters, of 0 … k − 1. */
  readonly labels: ArrayLike<number>;
  readonly k: number;
  /** "cosine": 1 − cos θ; "squared": squared Euclidean. */
  readonly metric: "cosine" | "squared";
  /** n weights; null: all count the same. */
  readonly weights?: ArrayLike<number> | null;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Mean silhouette (Rousseeuw 1987): (b − a) / max(a, b), where a is a sample's mean distance to the rest of its cluster
 * and b the least mean distance to another cluster; a cluster's only member scores 0. Of all samples, yet without
 * comparing all with all: both distances are linear in the other sample's direction and squared length, so the mean over
 * a cluster follows from the cluster's sums, and everything takes n · m · k steps.
 *
 * @param X n × m
 * @returns null where fewer than two clusters have members
 */
export async function measureSilhouette(X: Matrix, grouping: Grouping): Promise<number | null> {
  const { labels, k, metric, weights, signal } = grouping;
  const cosine = metric === "cosine";
  const weightOf = (i: number) => weights?.[i] ?? 1;
  const normsSq = Float64Array.from({ length: X.samples }, (_, i) => normSq(X, i));
  const scaleOf = (i: number) => (cosine && normsSq[i] > 0 ? 1 / Math.sqrt(normsSq[i]) : 1);
  // ½‖u − v‖² = 1 − ⟨u, v⟩ for directions; counting all-zero samples as 1 long puts them at distance 1 from all others.
  const lengthSq = (i: number) => (cosine ? 1 : normsSq[i]);

  // Cluster by cluster: weight, squared length and, feature after feature, the sum of its samples.
  const sizes = new Float64Array(k);
  const lengthsSq = new Float64Array(k);
  const sums = new Float64Array(X.features * k);
  for (let i = 0; i < X.samples; i++) {
    const c = labels[i];
    const weight = weightOf(i);
    sizes[c] += weight;
    lengthsSq[c] += weight * lengthSq(i);
    const scale = weight * scaleOf(i);
    X.each(i, (f, x) => {
      sums[f * k + c] += scale * x;
    });
  }
  if (sizes.filter((size) => size > 0).length < 2) return null;

  const products = new Float64Array(k);
  let total = 0;
  let counted = 0;
  for (let i = 0; i < X.samples; i++) {
    if (i % TOGETHER === 0) {
      await new Promise(setImmediate);
      signal?.throwIfAborted();
    }
    const weight = weightOf(i);
    counted += weight;
    const own = labels[i];
    const others = sizes[own] - weight;
    if (!(others > 0)) continue;
    products.fill(0);
    X.each(i, (f, x) => {
      for (let c = 0, p = f * k; c < k; c++, p++) products[c] += x * sums[p];
    });
    const scale = scaleOf(i);
    const apart = (c: number) => sizes[c] * lengthSq(i) + lengthsSq[c] - 2 * scale * products[c];
    const itself = 2 * weight * (lengthSq(i) - scale * scale * normsSq[i]);
    const a = Math.max(0, apart(own) - itself) / others;
    let b = Number.POSITIVE_INFINITY;
    for (let c = 0; c < k; c++) if (c !== own && sizes[c] > 0) b = Math.min(b, Math.max(0, apart(c)) / sizes[c]);
    const larger = Math.max(a, b);
    if (larger > NOISE * lengthSq(i)) total += (weight * (b - a)) / larger;
  }
  return total / counted;
}

function normSq(X: Matrix, i: number): number {
  let sum = 0;
  X.each(i, (_, x) => {
    sum += x * x;
  });
  return sum;
}
