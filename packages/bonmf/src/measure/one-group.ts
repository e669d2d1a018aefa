import { OptionError, quote } from "../errors.js";
import { allocate, Dense } from "../matrix/dense.js";
import { orthonormalise } from "../matrix/prototypes.js";
import { eigen } from "../matrix/symmetric.js";
import { Random } from "../random.js";
import { shuffleFeatures } from "./null-reference.js";

/** Streams of features and components begin here, beyond those of STREAM and of the shuffles. */
const FEATURE_STREAMS = 0x2000_0000;
const COMPONENT_STREAMS = 0x4000_0000;
/** A feature with at most this many values is shuffled: its values are gaps by nature, not signs of clusters. */
export const FEW_VALUES = 10;
/** Modes that are tried for a feature, at equal quantiles. */
const MODES = 11;
/** Up to this many features all principal components are found; beyond, the leading ones. */
const ALL_COMPONENTS = 32;
const LEADING = 16;
const POWER_STEPS = 5;

/**
 * A null reference: as many samples of one group, without clusters. What a measure finds here, it finds without clusters.
 *
 * @param X n × m
 * @param keep "features": the features are drawn independently, each from the unimodal distribution nearest to its own, so
 * that its skew and tails stay; one of few values is shuffled. "covariance": the principal components are drawn independently,
 * each uniform with its own variance, so that correlation stays; of all unimodal distributions the uniform one looks most like
 * clusters (Tibshirani, Walther, Hastie 2001). Beyond 32 features, what the leading 16 components leave is shuffled. Where
 * X has no negative value, negative draws become 0
 * @param seed a whole number, 0 or more; the same seed gives the same matrix
 * @returns n × m
 * @throws OptionError for a bad option
 *
 * @example
 * ```ts
 * import { Dense, drawOneGroup } from "bonmf";
 * const X = Dense.from([[0, 1], [1, 0], [10, 11], [11, 10]]);
 * const R = drawOneGroup(X, "covariance", 7);
 * [R.samples, R.features]; // → [4, 2]
 * ```
 */
export function drawOneGroup(X: Dense, keep: "features" | "covariance", seed: number): Dense {
  if (keep !== "features" && keep !== "covariance") {
    throw new OptionError("keep", keep, `keep must be "features" or "covariance", not ${quote(keep)}`);
  }
  const shuffled = shuffleFeatures(X, seed) as Dense;
  if (X.samples < 3) return shuffled;
  return keep === "features" ? redrawFeatures(X, shuffled, seed) : redrawComponents(X, seed);
}

function redrawFeatures(X: Dense, shuffled: Dense, seed: number): Dense {
  const { samples: n, features: m } = X;
  const { data } = shuffled;
  for (let f = 0; f < m; f++) {
    const values = Float64Array.from({ length: n }, (_, i) => X.data[i * m + f]).sort();
    const { x, F } = fitUnimodal(values);
    if (x.length <= FEW_VALUES) continue;
    const random = new Random(seed, FEATURE_STREAMS + f);
    const ranks = random.permutation(n);
    const drawn = Float64Array.from(ranks, (rank) => invert(x, F, (rank + random.next()) / n));
    const [from, to] = [spreadOf(drawn), spreadOf(values)];
    const scale = from.sd > 0 ? to.sd / from.sd : 0;
    const floor = values[0] >= 0 ? 0 : Number.NEGATIVE_INFINITY;
    for (let i = 0; i < n; i++) data[i * m + f] = Math.max(floor, to.mean + (drawn[i] - from.mean) * scale);
  }
  return shuffled;
}

/**
 * The unimodal distribution nearest to the values' own, by the largest difference: convex up to the mode, concave after it
 * (Hartigan, Hartigan 1985).
 *
 * @param sorted IN ascending
 * @returns x: the distinct values; F: its distribution function there
 */
function fitUnimodal(sorted: Float64Array): { x: Float64Array; F: Float64Array } {
  const n = sorted.length;
  const ends: number[] = [];
  for (let i = 0; i < n; i++) if (i === n - 1 || sorted[i] !== sorted[i + 1]) ends.push(i);
  const x = Float64Array.from(ends, (i) => sorted[i]);
  const own = Float64Array.from(ends, (i, p) => (p === 0 ? 0 : (i + 1) / n));
  if (x.length <= FEW_VALUES) return { x, F: own };
  let best: Float64Array | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (let t = 0; t < MODES; t++) {
    const mode = Math.round((t * (x.length - 1)) / (MODES - 1));
    const F = own.slice();
    layHull(x, F, 0, mode, 1);
    layHull(x, F, mode, x.length - 1, -1);
    let most = 0;
    for (let p = 0; p < F.length; p++) most = Math.max(most, Math.abs(F[p] - own[p]));
    if (most < least) [best, least] = [F, most];
  }
  return { x, F: best! };
}

/** Replaces F between two places by its greatest convex minorant (sign 1) or least concave majorant (sign −1). */
function layHull(x: Float64Array, F: Float64Array, from: number, to: number, sign: 1 | -1): void {
  const corners: number[] = [];
  for (let i = from; i <= to; i++) {
    while (corners.length >= 2) {
      const a = corners[corners.length - 2];
      const b = corners[corners.length - 1];
      const turn = (F[b] - F[a]) * (x[i] - x[b]) - (F[i] - F[b]) * (x[b] - x[a]);
      if (sign * turn < 0) break;
      corners.pop();
    }
    corners.push(i);
  }
  for (let c = 1; c < corners.length; c++) {
    const [a, b] = [corners[c - 1], corners[c]];
    const slope = (F[b] - F[a]) / (x[b] - x[a]);
    for (let i = a + 1; i < b; i++) F[i] = F[a] + slope * (x[i] - x[a]);
  }
}

/** The x at which the piecewise linear F is u. */
function invert(x: Float64Array, F: Float64Array, u: number): number {
  let [low, high] = [0, F.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (F[middle] <= u) low = middle;
    else high = middle;
  }
  const rise = F[high] - F[low];
  return rise > 0 ? x[low] + ((u - F[low]) / rise) * (x[high] - x[low]) : x[low];
}

function spreadOf(values: Float64Array): { mean: number; sd: number } {
  let sum = 0;
  for (const value of values) sum += value;
  const mean = sum / values.length;
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  return { mean, sd: Math.sqrt(squares / values.length) };
}

function redrawComponents(X: Dense, seed: number): Dense {
  const { samples: n, features: m } = X;
  const { mean, centred, least } = centre(X);
  const rank = m <= ALL_COMPONENTS ? m : LEADING;
  const { vectors, values } = rank === m ? eigen(covariance(centred, n, m), m) : leading(centred, n, m, rank, seed);
  const rest = rank === m ? new Float64Array(n * m) : shuffleRest(centred, vectors, n, m, rank, seed);
  for (let c = 0; c < rank; c++) {
    const random = new Random(seed, COMPONENT_STREAMS + c);
    const reach = Math.sqrt((3 * Math.max(0, values[c])) / n);
    for (let i = 0; i < n; i++) {
      const along = reach * (2 * random.next() - 1);
      for (let f = 0; f < m; f++) rest[i * m + f] += along * vectors[c * m + f];
    }
  }
  const floor = least >= 0 ? 0 : Number.NEGATIVE_INFINITY;
  const out = allocate(X.precision, n * m);
  for (let p = 0; p < out.length; p++) out[p] = Math.max(floor, rest[p] + mean[p % m]);
  return new Dense(n, m, out);
}

function centre({ samples: n, features: m, data }: Dense) {
  const mean = new Float64Array(m);
  let least = Number.POSITIVE_INFINITY;
  for (let p = 0; p < n * m; p++) {
    mean[p % m] += data[p] / n;
    least = Math.min(least, data[p]);
  }
  return { mean, least, centred: Float64Array.from(data, (value, p) => value - mean[p % m]) };
}

/** n times the covariance, m × m. */
function covariance(centred: Float64Array, n: number, m: number): Float64Array {
  const C = new Float64Array(m * m);
  for (let i = 0; i < n; i++) {
    for (let f = 0; f < m; f++) {
      const value = centred[i * m + f];
      for (let g = 0; g < m; g++) C[f * m + g] += value * centred[i * m + g];
    }
  }
  return C;
}

/** The leading principal components by subspace iteration: `vectors` is rank × m, `values` are n times the variances. */
function leading(centred: Float64Array, n: number, m: number, rank: number, seed: number) {
  const random = new Random(seed, COMPONENT_STREAMS - 1);
  let Q = orthonormalise(
    Float64Array.from({ length: rank * m }, () => random.next() - 0.5),
    rank,
  );
  for (let step = 0; step < POWER_STEPS; step++) {
    const scores = project(centred, Q, n, m, rank);
    const next = new Float64Array(rank * m);
    for (let i = 0; i < n; i++) {
      for (let c = 0; c < rank; c++) {
        const score = scores[i * rank + c];
        for (let f = 0; f < m; f++) next[c * m + f] += score * centred[i * m + f];
      }
    }
    Q = orthonormalise(next, rank);
  }
  const scores = project(centred, Q, n, m, rank);
  const { values, vectors: turn } = eigen(covariance(scores, n, rank), rank);
  const vectors = new Float64Array(rank * m);
  for (let c = 0; c < rank; c++) {
    for (let t = 0; t < rank; t++) {
      for (let f = 0; f < m; f++) vectors[c * m + f] += turn[c * rank + t] * Q[t * m + f];
    }
  }
  return { vectors, values };
}

/** ⟨x_i, q_c⟩, n × rank. */
function project(centred: Float64Array, Q: Float64Array, n: number, m: number, rank: number): Float64Array {
  const scores = new Float64Array(n * rank);
  for (let i = 0; i < n; i++) {
    for (let c = 0; c < rank; c++) {
      let dot = 0;
      for (let f = 0; f < m; f++) dot += centred[i * m + f] * Q[c * m + f];
      scores[i * rank + c] = dot;
    }
  }
  return scores;
}

/** What the components leave of every feature, shuffled. */
function shuffleRest(
  centred: Float64Array,
  vectors: Float64Array,
  n: number,
  m: number,
  rank: number,
  seed: number,
): Float64Array {
  const scores = project(centred, vectors, n, m, rank);
  const rest = centred.slice();
  for (let i = 0; i < n; i++) {
    for (let c = 0; c < rank; c++) {
      for (let f = 0; f < m; f++) rest[i * m + f] -= scores[i * rank + c] * vectors[c * m + f];
    }
  }
  return (shuffleFeatures(new Dense(n, m, rest), seed) as Dense).data as Float64Array;
}
