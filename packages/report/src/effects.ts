import type { Matrix } from "bonmf";
import type { DistinctiveFeature, Effect } from "./findings.js";
import { countBetween, pause } from "./pause.js";
import { countSamples, type Weights } from "./weights.js";

export interface Found extends DistinctiveFeature {
  /** The column of W, or of the samples where the effect was measured. */
  readonly feature: number;
}

/** The normal distribution's 97.5 % quantile: for intervals of 95 %. */
const QUANTILE = 1.96;
/** Smaller effects tell nobody anything (Cohen 1988 calls 0.2 small). */
const SMALLEST = 0.2;
/** Stands for the effect of a feature without any spread. */
const LARGEST = 100;

/**
 * For each cluster the features in which its members differ most from all other samples, up or down, by Cohen's d: the
 * difference of the means in pooled standard deviations. Ranked by the end of its 95 % interval that is nearer to 0, so that
 * few members have to differ more. In the samples' own units.
 *
 * @param clusters n cluster numbers
 * @param names m names; null: features are numbered from 1
 * @param weights n weights: one of 2 counts as two samples
 * @throws the signal's reason when it aborts
 */
export async function measureEffects(
  X: Matrix,
  clusters: ArrayLike<number>,
  k: number,
  top: number,
  names: readonly string[] | null,
  weights: Weights = null,
  signal?: AbortSignal,
): Promise<Found[][]> {
  const moments = await measureMoments(X, clusters, k, weights && countSamples(weights), signal);
  const all: Found[][] = [];
  for (let j = 0; j < k; j++) {
    await pause(signal);
    all.push(rankEffects(moments, j, X.features, names).slice(0, top));
  }
  return all;
}

function rankEffects(moments: Moments, j: number, features: number, names: readonly string[] | null): Found[] {
  const found: { feature: number; effect: Effect; rank: number }[] = [];
  for (let feature = 0; feature < features && moments.sizes[j] > 0; feature++) {
    const effect = effectOf(moments, j, feature);
    if (effect === null) continue;
    const rank = effect.d > 0 ? effect.from : -effect.to;
    if (rank > 0 && Math.abs(effect.d) >= SMALLEST) found.push({ feature, effect, rank });
  }
  found.sort((a, b) => b.rank - a.rank || a.feature - b.feature);
  return found.map(({ feature, effect }) => ({
    feature,
    name: names?.[feature] ?? `#${feature + 1}`,
    direction: effect.d > 0 ? "high" : "low",
    value: effect.average,
    mean: effect.elsewhere,
    effect,
  }));
}

interface Moments {
  /** How many, by weight. */
  readonly samples: number;
  readonly k: number;
  /** m numbers near each feature's mean: sums are of differences from them, lest squares cancel. */
  readonly origin: Float64Array;
  /** k counts, by weight; m × k sums of differences and of their squares. */
  readonly sizes: Float64Array;
  readonly sums: Float64Array;
  readonly squares: Float64Array;
  /** m of each: over all clusters. */
  readonly totals: readonly { readonly sum: number; readonly square: number }[];
  /** m: 1 where every value is 0 or 1. */
  readonly binary: Uint8Array;
}

async function measureMoments(
  X: Matrix,
  clusters: ArrayLike<number>,
  k: number,
  counts: Float64Array | null,
  signal: AbortSignal | undefined,
): Promise<Moments> {
  const { features } = X;
  const samples = counts ? counts.reduce((sum, count) => sum + count, 0) : X.samples;
  const origin = new Float64Array(features);
  const binary = new Uint8Array(features).fill(1);
  const together = countBetween(X.kind === "dense" ? features : X.values.length / X.samples);
  for (let i = 0; i < X.samples; i++) {
    if (i % together === 0) await pause(signal);
    const count = counts?.[i] ?? 1;
    if (count === 0) continue;
    X.each(i, (f, value) => {
      origin[f] += (count * value) / samples;
      if (value !== 0 && value !== 1) binary[f] = 0;
    });
  }
  // Values that are not stored would not be visited: sparse features are measured from 0.
  if (X.kind === "sparse") origin.fill(0);
  const sizes = new Float64Array(k);
  const sums = new Float64Array(features * k);
  const squares = new Float64Array(features * k);
  for (let i = 0; i < X.samples; i++) {
    if (i % together === 0) await pause(signal);
    const j = clusters[i];
    const count = counts?.[i] ?? 1;
    sizes[j] += count;
    X.each(i, (f, value) => {
      const difference = value - origin[f];
      sums[f * k + j] += count * difference;
      squares[f * k + j] += count * difference * difference;
    });
  }
  const totals = Array.from({ length: features }, (_, f) => ({
    sum: sums.subarray(f * k, (f + 1) * k).reduce((total, value) => total + value, 0),
    square: squares.subarray(f * k, (f + 1) * k).reduce((total, value) => total + value, 0),
  }));
  return { samples, k, origin, sizes, sums, squares, totals, binary };
}

function effectOf(
  { samples, k, origin, sizes, sums, squares, totals, binary }: Moments,
  j: number,
  f: number,
): Effect | null {
  const n = sizes[j];
  const others = samples - n;
  // Sums of weights may differ by rounding.
  if (others <= 1e-9 * samples) return null;
  const { sum, square } = totals[f];
  const own = { n, sum: sums[f * k + j], square: squares[f * k + j] };
  const rest = { n: others, sum: sum - own.sum, square: square - own.square };
  const [average, elsewhere] = [own.sum / n, rest.sum / others];
  const spread = [own, rest].map((part) => Math.max(0, part.square - (part.sum * part.sum) / part.n));
  const pooled = Math.sqrt((spread[0] + spread[1]) / Math.max(1, samples - 2));
  const difference = average - elsewhere;
  // What rounding leaves is neither a difference nor a spread.
  const least = 1e-9 * (Math.abs(origin[f]) + Math.sqrt(square / samples));
  if (Math.abs(difference) <= least) return null;
  const ratio = pooled > least ? difference / pooled : Math.sign(difference) * LARGEST;
  const d = Math.max(-LARGEST, Math.min(LARGEST, ratio));
  const error = QUANTILE * Math.sqrt(samples / (n * others) + (d * d) / (2 * samples));
  // Shares stay shares in spite of rounding.
  const inRange = (mean: number) => (binary[f] === 1 ? Math.min(1, Math.max(0, mean)) : mean);
  return {
    d,
    from: d - error,
    to: d + error,
    average: inRange(origin[f] + average),
    sd: Math.sqrt(spread[0] / Math.max(1, n - 1)),
    elsewhere: inRange(origin[f] + elsewhere),
    elsewhereSd: Math.sqrt(spread[1] / Math.max(1, others - 1)),
    binary: binary[f] === 1,
  };
}
