import { yieldNow } from "../engine/yield.js";
import type { Dense } from "../matrix/dense.js";
import { fit } from "../model/fit.js";
import { ln } from "../random.js";
import { multiplyRow, type Partition, squaredLength } from "./gaps.js";
import { expMinus } from "./likelihood.js";
import { findCheapest, mergeCentres, type PathOptions, weighClusters } from "./merge-path.js";

/** Normal clusters, round and of one variance, with shares of their own. */
export interface Mixture extends Partition {
  /** −2 log-likelihood + 4 (q + 1) k: the least is best. */
  readonly criterion: number;
}

interface State {
  readonly k: number;
  /** k × q */
  readonly centres: Float64Array;
  /** How many samples each cluster has, in parts of samples. */
  readonly sizes: Float64Array;
  variance: number;
  logLikelihood: number;
}

const STARTS = 2;
/** Sweeps at most from the first partition, and after each merger. */
const [FIRST_SWEEPS, SWEEPS] = [40, 6];
/** A sweep that gains less, in nats, is the last. */
const LEAST_GAIN = 0.05;
/** Of the variance of all samples: below, samples that are equal would make the likelihood infinite. */
const LEAST_VARIANCE = 1e-6;
/** Clusters less likely than the likeliest by this factor, in nats, have no share in a sample. */
const FAR = 12;
/** Twice Akaike's: whoever cuts a cluster in two takes the best of many directions. */
const PENALTY = 4;
const LN_2PI = 1.8378770664093453;

/**
 * Mixtures of `most`, …, 3, 2, 1 clusters by expectation maximisation, the first from k-means, each other from the one before,
 * whose two clusters that lose the least likelihood are one. Unlike k-means, a mixture knows sizes: it does not cut a large
 * cluster rather than to find a small one.
 *
 * @param X n × q
 * @param weights n numbers, 1 on average
 */
export async function* walkMixtures(
  X: Dense,
  weights: Float64Array | null,
  most: number,
  { seed, threads, signal, tell }: PathOptions,
): AsyncGenerator<Mixture> {
  const { samples: n, features: q } = X;
  const given = { method: "kmeans", weights: weights ?? undefined, seed, threads, signal } as const;
  const model = await fit(X, { ...given, k: most, init: "plusplus", restarts: STARTS });
  const floor = LEAST_VARIANCE * meanVariance(X) + Number.MIN_VALUE;
  let state: State = {
    k: most,
    centres: Float64Array.from(model.W.data),
    sizes: weighClusters(model, weights),
    variance: Math.max(floor, model.potential / (n * q)),
    logLikelihood: Number.NEGATIVE_INFINITY,
  };
  for (let sweeps = FIRST_SWEEPS; ; sweeps = SWEEPS) {
    for (let sweep = 0; sweep < sweeps; sweep++) {
      const before = state.logLikelihood;
      maximise(X, weights, state, floor);
      if (sweep > 0 && state.logLikelihood - before < LEAST_GAIN) break;
    }
    await yieldNow();
    signal?.throwIfAborted();
    const { k, centres, variance, logLikelihood } = state;
    tell?.((most - k + 1) / most);
    yield {
      k,
      centres,
      offsets: state.sizes.map((size) => -2 * variance * ln(Math.max(size, 0.5) / n)),
      criterion: -2 * logLikelihood + PENALTY * (q + 1) * k,
    };
    if (k === 1) return;
    state = merge(state, q);
  }
}

/** One step of expectation maximisation; the likelihood is that of the state before. */
function maximise(X: Dense, weights: Float64Array | null, state: State, floor: number): void {
  const { samples: n, features: q, data } = X;
  const { k, centres, sizes } = state;
  const scale = 1 / (2 * state.variance);
  const constants = new Float64Array(k);
  for (let j = 0; j < k; j++) constants[j] = ln(Math.max(sizes[j], 1e-12) / n) - scale * squaredLength(centres, j, q);
  const sums = new Float64Array(k * q);
  const scores = new Float64Array(k);
  let squares = 0;
  let total = 0;
  sizes.fill(0);
  for (let i = 0; i < n; i++) {
    const weight = weights?.[i] ?? 1;
    let best = Number.NEGATIVE_INFINITY;
    multiplyRow(data, i, centres, scores);
    for (let j = 0; j < k; j++) {
      const score = constants[j] + 2 * scale * scores[j];
      scores[j] = score;
      if (score > best) best = score;
    }
    let sum = 0;
    for (let j = 0; j < k; j++) {
      const share = best - scores[j] < FAR ? expMinus(best - scores[j]) : 0;
      scores[j] = share;
      sum += share;
    }
    for (let j = 0; j < k; j++) {
      if (scores[j] === 0) continue;
      const share = (weight * scores[j]) / sum;
      sizes[j] += share;
      for (let f = 0, p = i * q, w = j * q; f < q; f++, p++, w++) sums[w] += share * data[p];
    }
    const length = squaredLength(data, i, q);
    squares += weight * length;
    total += weight * (best + ln(sum) - scale * length);
  }
  state.logLikelihood = total - (n * q * (LN_2PI + ln(state.variance))) / 2;
  for (let j = 0; j < k; j++) {
    if (sizes[j] > 0) for (let w = j * q; w < (j + 1) * q; w++) centres[w] = sums[w] / sizes[j];
    squares -= sizes[j] * squaredLength(centres, j, q);
  }
  state.variance = Math.max(floor, squares / (n * q));
}

/** The two clusters whose union costs the least classification likelihood become one. */
function merge({ k, centres, sizes, variance }: State, q: number): State {
  const pair = findCheapest(k, (a, b) => {
    const both = sizes[a] + sizes[b];
    let apart = 0;
    for (let f = 0; f < q; f++) apart += (centres[a * q + f] - centres[b * q + f]) ** 2;
    const spread = both > 0 ? (sizes[a] * sizes[b] * apart) / both / variance : 0;
    return spread - 2 * (entropyOf(sizes[a], both) + entropyOf(sizes[b], both));
  });
  const [a, b] = pair;
  return {
    k: k - 1,
    centres: mergeCentres(centres, sizes, pair),
    sizes: sizes.map((size, j) => (j === a ? size + sizes[b] : size)).filter((_, j) => j !== b),
    variance,
    logLikelihood: Number.NEGATIVE_INFINITY,
  };
}

function entropyOf(part: number, whole: number): number {
  return part > 0 ? part * ln(whole / part) : 0;
}

function meanVariance({ samples: n, features: q, data }: Dense): number {
  let sum = 0;
  for (let f = 0; f < q; f++) {
    let mean = 0;
    for (let i = 0; i < n; i++) mean += data[i * q + f] / n;
    for (let i = 0; i < n; i++) sum += (data[i * q + f] - mean) ** 2 / n;
  }
  return sum / q;
}
