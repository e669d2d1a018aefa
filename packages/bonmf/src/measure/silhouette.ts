import { DataError, OptionError, quote } from "../errors.js";
import { checkKnown } from "../known-options.js";
import { intoReach } from "../matrix/magnitude.js";
import type { Matrix } from "../matrix/matrix.js";
import { Random, STREAM } from "../random.js";
import { checkLabel, checkLength, encode, type Label, type Labels } from "./labels.js";

// Two ways to one measure: `silhouette` compares chosen samples in pairs, `silhouettes` all samples with sums of clusters.

/** Options of {@link silhouette}. */
export interface SilhouetteOptions {
  /** "cosine" (1 − cos θ) for `bonmf` and `spherical`, "euclidean" for `kmeans`. */
  metric: "cosine" | "euclidean";
  /** How many samples are compared with each other; the time grows with its square. Default 2000. */
  sample?: number;
  /** Seed of the random choice when there are more samples. Default 0. */
  seed?: number;
}

/**
 * The mean silhouette (Rousseeuw 1987) of samples chosen at random by a seed. The silhouette of a sample is
 * (b − a) / max(a, b), where a is its mean distance to the rest of its cluster and b the least mean distance to another
 * cluster: from −1 to 1, higher is better. A cluster's only chosen member scores 0. Under "cosine" an all-zero sample is
 * at distance 1 from every other, as in scikit-learn. For all samples of large data use {@link silhouettes}.
 *
 * @param samples X, n × m
 * @param labels n cluster labels; the chosen samples must be in at least two clusters
 * @returns the mean, −1 to 1
 * @throws DataError when `labels` has another length than X, or all chosen samples are in one cluster; OptionError for a
 * bad option
 *
 * @example
 * ```ts
 * import { Dense, silhouette } from "bonmf";
 * const X = Dense.from([[1, 0], [9, 0], [0, 1], [0, 9]]);
 * silhouette(X, [0, 0, 1, 1], { metric: "cosine" }); // → 1
 * silhouette(X, [0, 0, 1, 1], { metric: "euclidean" }); // → -0.04…
 * ```
 */
export function silhouette(samples: Matrix, labels: Labels, options: SilhouetteOptions): number {
  checkKnown(options, { metric: true, sample: true, seed: true }, "silhouette");
  const { metric, sample = 2000, seed = 0 } = options;
  checkOptions(metric, sample, seed);
  checkLength(labels, "label", samples.samples);
  const X = intoReach(samples);
  const ids =
    X.samples > sample
      ? new Random(seed, STREAM.measure).choose(X.samples, sample)
      : Uint32Array.from({ length: X.samples }, (_, i) => i);
  const { codes, sizes } = encode(Array.from(ids, (id) => readLabel(labels, id)));
  const clusters = sizes.length;
  if (clusters < 2) {
    throw new DataError(
      "clusters",
      `a silhouette needs two clusters, but the ${ids.length} samples compared have ${clusters}: ` +
        "fit more clusters or compare more samples",
    );
  }

  const cosine = metric === "cosine";
  const scales = Float64Array.from(ids, (id) => (cosine ? 1 / Math.sqrt(normSq(X, id)) : 1));
  // totals[i * clusters + c] is the distance from sample i to all of cluster c together.
  const totals = new Float64Array(ids.length * clusters);
  for (let i = 0; i < ids.length; i++) {
    for (let j = 0; j < i; j++) {
      const apart = distanceSq(X, ids[i], scales[i], ids[j], scales[j]);
      // For unit vectors ‖u − v‖² / 2 = 1 − ⟨u, v⟩, without its cancellation at small angles.
      const distance = cosine ? apart / 2 : Math.sqrt(apart);
      totals[i * clusters + codes[j]] += distance;
      totals[j * clusters + codes[i]] += distance;
    }
  }

  let sum = 0;
  for (let i = 0; i < ids.length; i++) {
    const own = codes[i];
    if (sizes[own] === 1) continue;
    const a = totals[i * clusters + own] / (sizes[own] - 1);
    let b = Number.POSITIVE_INFINITY;
    for (let c = 0; c < clusters; c++) if (c !== own) b = Math.min(b, totals[i * clusters + c] / sizes[c]);
    const larger = Math.max(a, b);
    if (larger > 0) sum += (b - a) / larger;
  }
  return sum / ids.length;
}

function readLabel(labels: Labels, id: number): Label {
  checkLabel(labels[id], id);
  return labels[id];
}

/** ‖x_i‖² */
function normSq(X: Matrix, id: number): number {
  let sum = 0;
  X.each(id, (_, v) => {
    sum += v * v;
  });
  return sum;
}

/** ‖s x_i − t x_j‖²; 2 where a scale is infinite, that is, where an all-zero sample has no direction. */
function distanceSq(X: Matrix, i: number, s: number, j: number, t: number): number {
  if (s === Number.POSITIVE_INFINITY || t === Number.POSITIVE_INFINITY) return 2;
  let sum = 0;
  if (X.kind === "dense") {
    const { data, features } = X;
    for (let f = 0, p = i * features, q = j * features; f < features; f++, p++, q++) {
      const difference = s * data[p] - t * data[q];
      sum += difference * difference;
    }
    return sum;
  }
  const { offsets, indices, values } = X;
  let p = offsets[i];
  let q = offsets[j];
  const pEnd = offsets[i + 1];
  const qEnd = offsets[j + 1];
  while (p < pEnd || q < qEnd) {
    const f = p < pEnd ? indices[p] : Number.POSITIVE_INFINITY;
    const g = q < qEnd ? indices[q] : Number.POSITIVE_INFINITY;
    const difference = (f <= g ? s * values[p++] : 0) - (g <= f ? t * values[q++] : 0);
    sum += difference * difference;
  }
  return sum;
}

function checkOptions(metric: string, sample: number, seed: number): void {
  checkMetric(metric, ["cosine", "euclidean"]);
  if (!Number.isInteger(sample) || sample < 2) {
    throw new OptionError("sample", sample, `sample must be a whole number, 2 or more, not ${quote(sample)}`);
  }
  if (!Number.isSafeInteger(seed) || seed < 0) {
    throw new OptionError("seed", seed, `seed must be a whole number from 0 to 2^53 − 1, not ${quote(seed)}`);
  }
}

/** Distances below this share of a sample's squared length are rounding errors. */
const NOISE = 1e-12;

/** Options of {@link silhouettes}. */
export interface SilhouettesOptions {
  /** "cosine" (1 − cos θ) for `bonmf` and `spherical`, "squared" (squared Euclidean) for `kmeans`. */
  metric: "cosine" | "squared";
  /** n weights, 0 or more. Default: 1 each. */
  weights?: ArrayLike<number> | null | undefined;
}

/** The silhouettes of samples, each computed when it is asked for. */
export interface Silhouettes {
  /** The silhouette of sample i, −1 to 1. */
  score(i: number): number;
  /** The weighted mean over all samples. */
  mean(): number;
}

/**
 * The silhouettes (Rousseeuw 1987) of all samples, without comparing all pairs. See {@link silhouette} for the measure.
 * Both metrics are linear in the other sample's direction and squared length, so the mean distance to a cluster follows
 * from the cluster's sums, and a score takes O(mk) time. With "cosine" the scores are those of `silhouette`; "squared"
 * uses squared distances.
 *
 * @param samples X, n × m
 * @param labels n cluster labels, of at least two clusters
 * @returns the score of any sample, and their mean
 * @throws DataError when labels or weights have another length than X, or only one cluster has any weight; OptionError
 * for a bad option
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
export function silhouettes(samples: Matrix, labels: Labels, options: SilhouettesOptions): Silhouettes {
  checkKnown(options, { metric: true, weights: true }, "silhouettes");
  const { metric, weights } = options;
  checkMetric(metric, ["cosine", "squared"]);
  checkLength(labels, "label", samples.samples);
  const X = intoReach(samples);
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

function checkMetric(metric: string, known: readonly [string, string]): void {
  if (known.includes(metric)) return;
  throw new OptionError("metric", metric, `metric must be "${known[0]}" or "${known[1]}", not ${quote(metric)}`);
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
