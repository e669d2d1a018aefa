import { DataError, OptionError, quote } from "../errors.js";
import type { Matrix } from "../matrix/matrix.js";
import { Random, STREAM } from "../random.js";
import { checkLabel, checkLength, encode, type Label, type Labels } from "./labels.js";

export interface SilhouetteOptions {
  /** The method's own metric: "cosine" (1 − cos θ) for bonmf and its kin, "euclidean" for k-means. */
  metric: "cosine" | "euclidean";
  /** How many samples to compare with each other; time grows with its square. Default 2000. */
  sample?: number;
  /** Which samples, when there are more. Default 0. */
  seed?: number;
}

/**
 * Mean silhouette (Rousseeuw 1987) of a seeded sample: (b − a) / max(a, b), where a is a sample's mean distance to the
 * rest of its cluster and b the least mean distance to another cluster. From −1 to 1; a cluster's only sampled member
 * scores 0. Under "cosine" an all-zero sample is at distance 1 from every other, as in scikit-learn.
 *
 * @param X n × m
 * @param labels n cluster labels; the sample must meet at least two clusters
 * @throws DataError when there is not one label a sample or only one cluster is met, OptionError for a bad option
 *
 * @example
 * ```ts
 * import { Dense, silhouette } from "bonmf";
 * const X = Dense.from([[1, 0], [9, 0], [0, 1], [0, 9]]);
 * silhouette(X, [0, 0, 1, 1], { metric: "cosine" }); // → 1
 * silhouette(X, [0, 0, 1, 1], { metric: "euclidean" }); // → -0.04…
 * ```
 */
export function silhouette(X: Matrix, labels: Labels, options: SilhouetteOptions): number {
  const { metric, sample = 2000, seed = 0 } = options;
  checkOptions(metric, sample, seed);
  checkLength(labels, "label", X.samples);
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
export function normSq(X: Matrix, id: number): number {
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
  if (metric !== "cosine" && metric !== "euclidean") {
    throw new OptionError("metric", metric, `metric must be "cosine" or "euclidean", not ${quote(metric)}`);
  }
  if (!Number.isInteger(sample) || sample < 2) {
    throw new OptionError("sample", sample, `sample must be a whole number, 2 or more, not ${quote(sample)}`);
  }
  if (!Number.isSafeInteger(seed) || seed < 0) {
    throw new OptionError("seed", seed, `seed must be a whole number from 0 to 2^53 − 1, not ${quote(seed)}`);
  }
}
