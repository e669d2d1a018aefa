import { DataError, OptionError, quote } from "../errors.js";
import type { Matrix } from "../matrix/matrix.js";
import { checkLabel, checkLength, encode, type Labels } from "./labels.js";
import { normSq } from "./silhouette.js";

/** Distances below this share of a sample's squared length are rounding. */
const NOISE = 1e-12;

export interface SilhouettesOptions {
  /** "cosine" (1 − cos θ) for bonmf and its kin, "squared" (squared Euclidean) for k-means. */
  metric: "cosine" | "squared";
  /** n weights, 0 or more; default: all samples count the same. */
  weights?: ArrayLike<number> | null | undefined;
}

/** The silhouettes of samples, measured when asked for. */
export interface Silhouettes {
  /** That of sample i, from −1 to 1. */
  score(i: number): number;
  /** The mean over all samples, by weight. */
  mean(): number;
}

/**
 * Silhouettes (Rousseeuw 1987) against all samples, without comparing all with all: (b − a) / max(a, b), where a is a
 * sample's mean distance to the rest of its cluster and b the least mean distance to another cluster; a cluster's only
 * member scores 0. Both distances are linear in the other sample's direction and squared length, so the mean over a
 * cluster follows from the cluster's sums, and a score takes m · k steps. With "cosine" they are those of `silhouette`,
 * which compares n samples: an all-zero sample is at distance 1 from every other.
 *
 * @param X n × m
 * @param labels n cluster labels, of two clusters at least
 * @throws DataError when labels or weights are not one a sample, or only one cluster has any weight; OptionError for a
 * bad option
 *
 * @example
 * ```ts
 * import { Dense, silhouettes } from "bonmf";
 * const X = Dense.from([[1, 0], [9, 0], [0, 1], [0, 9], [1, 2]]);
 * const found = silhouettes(X, [0, 0, 1, 1, 1], { metric: "cosine" });
 * found.score(0); // → 1
 * found.score(4); // → 0.80…
 * found.mean(); // → 0.94…
 * ```
 */
export function silhouettes(X: Matrix, labels: Labels, options: SilhouettesOptions): Silhouettes {
  const { metric, weights } = options;
  checkMetric(metric);
  checkLength(labels, "label", X.samples);
  for (let i = 0; i < labels.length; i++) checkLabel(labels[i], i);
  if (weights) checkWeights(weights, X.samples);
  const { codes, names } = encode(labels);
  const k = names.length;
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
    const c = codes[i];
    const weight = weightOf(i);
    sizes[c] += weight;
    lengthsSq[c] += weight * lengthSq(i);
    const scale = weight * scaleOf(i);
    X.each(i, (f, x) => {
      sums[f * k + c] += scale * x;
    });
  }
  const present = sizes.filter((size) => size > 0).length;
  if (present < 2) {
    throw new DataError("clusters", `silhouettes need two clusters, but the samples are in ${present}: fit more`);
  }

  const products = new Float64Array(k);
  function score(i: number): number {
    const own = codes[i];
    const weight = weightOf(i);
    const others = sizes[own] - weight;
    if (!(others > 0)) return 0;
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
    return larger > NOISE * lengthSq(i) ? (b - a) / larger : 0;
  }

  function mean(): number {
    let total = 0;
    let counted = 0;
    for (let i = 0; i < X.samples; i++) {
      total += weightOf(i) * score(i);
      counted += weightOf(i);
    }
    return total / counted;
  }
  return { score, mean };
}

function checkMetric(metric: string): void {
  if (metric === "cosine" || metric === "squared") return;
  throw new OptionError("metric", metric, `metric must be "cosine" or "squared", not ${quote(metric)}`);
}

function checkWeights(weights: ArrayLike<number>, samples: number): void {
  checkLength(weights, "weight", samples);
  for (let sample = 0; sample < samples; sample++) {
    const value = weights[sample];
    if (value >= 0 && value < Number.POSITIVE_INFINITY) continue;
    const message = `the weight of sample ${sample} is ${quote(value)}: it must be 0 or more`;
    throw new DataError("weights", message, { sample, value });
  }
}
