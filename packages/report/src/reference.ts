import {
  DataError,
  type Dense,
  drawOneGroup,
  type FitOptions,
  fit,
  type Matrix,
  type Model,
  shuffleFeatures,
  silhouettes,
} from "bonmf";
import type { Measures, Reference } from "./findings.js";
import { chooseRows } from "./subsample.js";
import { countSamples, drawByWeight, totalOf, type Weights } from "./weights.js";

export { warnOfChance } from "./chance.js";
export { chooseRows } from "./subsample.js";

/** At most so many samples are drawn, fewer where one has many values, but so many for each cluster. */
const MOST_SAMPLES = 1000;
const MOST_WORK = 400_000;
const EACH = 30;
/** How many times each kind of reference is drawn. */
const DRAWS = 3;
/** As many restarts as the fit had where they are cheap, but no more than this where they are not. */
const FEW_RESTARTS = 3;
/** Fewer samples for each cluster say nothing. */
const FEWEST = 4;
/** Beyond this many values, drawing them would take longer than most fits. */
const MOST_VALUES = 2_000_000;
/** The clusters must exceed the references by as many standard deviations of these. */
const DEVIATIONS = 2;
/** The least standard deviation that is believed: of `explained` as a share of ref (1 − ref), and of silhouettes. */
const LEAST = { explained: 0.05, silhouette: 0.02 };

/** Scaled samples that are not in memory. */
export interface ScaledSamples {
  readonly samples: number;
  /** How many values a sample has, on average. */
  readonly width: number;
  /** @param rows ascending */
  readonly take: (rows: Uint32Array) => Matrix;
}

/**
 * Fits the same method and k to data without clusters: each feature redrawn on its own, and redrawn with the correlation of
 * the features (`drawOneGroup`); sparse samples are shuffled. What the measures are there is what they are by chance.
 *
 * @param X the samples of the fit, unscaled; of scaled ones, which may be anywhere, some are taken
 * @param weights n weights: samples are drawn by them, so that a weight of 2 is two samples
 * @returns null where `refuseReference` says why, and where all samples fall into one cluster
 */
export async function measureReference(
  model: Model,
  X: Matrix | ScaledSamples,
  weights: Weights = null,
  signal?: AbortSignal,
): Promise<Reference | null> {
  if (refuseReference(model, X, weights) !== null) return null;
  const { k } = model;
  const counts = weights && countSamples(weights);
  const all = counts ? totalOf(counts) : X.samples;
  const n = countDrawn(X, k, all);
  const whole = n === all && "kind" in X;
  const rows = counts ? drawByWeight(counts, model.seed, n) : chooseRows(X.samples, model.seed, n);
  const part = whole && !counts ? X : X.take(rows);
  const Z = "width" in X ? (part as Matrix) : model.prepare(part as Matrix);
  const options = optionsOf(model, Math.floor(MOST_WORK / (2 * n * valuesOf(Z) * k)), signal);
  const own = whole ? measure(model, Z, part as Matrix) : measure(await fit(Z, options), Z, Z);
  if (own === null) return null;
  const kinds: Measures[][] = [];
  for (const draw of listDraws(Z)) {
    const drawn: Measures[] = [];
    for (let seed = 0; seed < DRAWS; seed++) {
      const R = draw(seed);
      const measured = measure(await fit(R, options), R, R);
      if (measured !== null) drawn.push(measured);
    }
    if (drawn.length > 1) kinds.push(drawn);
  }
  return kinds.length === 0 ? null : { samples: n, ...compare(own, kinds) };
}

/** Why there is nothing to compare with; null where there is. */
export function refuseReference(
  { k, codes }: Model,
  X: Matrix | ScaledSamples,
  weights: Weights = null,
): string | null {
  const n = countDrawn(X, k, weights ? totalOf(countSamples(weights)) : X.samples);
  if (k < 2) return "one cluster is no division";
  if (codes.form === "real") return "a real-valued method finds parts, with or without clusters";
  if (n < FEWEST * k) return `there are fewer than ${FEWEST} samples for each cluster`;
  const dense = "width" in X || X.kind === "dense";
  return dense && n * valuesOf(X) > MOST_VALUES ? "the samples have too many features" : null;
}

function countDrawn(X: Matrix | ScaledSamples, k: number, all: number): number {
  const affordable = Math.floor(MOST_WORK / (valuesOf(X) * k));
  return Math.min(all, MOST_SAMPLES, Math.max(EACH * k, affordable));
}

/** How many values a sample has, on average. */
function valuesOf(X: Matrix | ScaledSamples): number {
  if ("width" in X) return X.width;
  return X.kind === "dense" ? X.features : Math.max(1, X.values.length / X.samples);
}

function listDraws(Z: Matrix): ((seed: number) => Matrix)[] {
  if (Z.kind === "sparse") return [(seed) => shuffleFeatures(Z, seed)];
  return (["features", "covariance"] as const).map((keep) => (seed: number) => drawOneGroup(Z as Dense, keep, seed));
}

function optionsOf({ settings }: Model, cheap: number, signal: AbortSignal | undefined): FitOptions {
  const { method, k, seed, init, maxIterations, tolerance, restarts, emptyClusters, update, alpha, sweeps } = settings;
  const { loss, l1W, l2W, l1H, l2H } = settings;
  return {
    ...{ method, k, seed, maxIterations, tolerance, emptyClusters, update, alpha, sweeps },
    ...{ loss, l1W, l2W, l1H, l2H },
    init: init === "given" ? undefined : init,
    restarts: Math.min(restarts, Math.max(FEW_RESTARTS, cheap)),
    threads: 1,
    signal,
  };
}

/** @param X the samples as the model takes them; Z: scaled */
function measure(model: Model, Z: Matrix, X: Matrix): Measures | null {
  const metric = model.method === "kmeans" ? "squared" : "cosine";
  const { explained } = model.measureErrors(X);
  try {
    const silhouette = silhouettes(Z, model.predict(X), { metric }).mean();
    const cosine = model.explain(X).reduce((sum, one) => sum + one.cosine, 0) / X.samples;
    return { explained, silhouette, cosine };
  } catch (error) {
    if (error instanceof DataError && error.code === "clusters") return null;
    throw error;
  }
}

/** The clusters are better where they exceed every kind of reference, in `explained` or in the silhouettes. */
function compare(own: Measures, kinds: readonly (readonly Measures[])[]): Omit<Reference, "samples"> {
  const meanOf = (drawn: readonly Measures[], name: keyof Measures) => mean(drawn.map((one) => one[name]));
  const exceeds = (name: "explained" | "silhouette", least: (middle: number) => number) =>
    kinds.every((drawn) => {
      const middle = meanOf(drawn, name);
      const deviation = Math.sqrt(variance(drawn.map((one) => one[name])));
      return own[name] > middle + DEVIATIONS * Math.max(least(middle), deviation);
    });
  const highest = (name: keyof Measures) => Math.max(...kinds.map((drawn) => meanOf(drawn, name)));
  return {
    own,
    chance: { explained: highest("explained"), silhouette: highest("silhouette"), cosine: highest("cosine") },
    better:
      exceeds("explained", (middle) => LEAST.explained * middle * (1 - middle)) ||
      exceeds("silhouette", () => LEAST.silhouette),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function variance(values: readonly number[]): number {
  const middle = mean(values);
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1);
}
