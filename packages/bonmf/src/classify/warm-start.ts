import { memorySource } from "../engine/in-memory.js";
import type { OpenOptions } from "../engine/source.js";
import type { Matrix } from "../matrix/matrix.js";
import { sizeClasses } from "./class-weights.js";
import { guessCurvature } from "./curvature.js";
import { type Logistic, type LogisticOptions, placeClasses, trainLogistic } from "./logistic.js";

/** One of so many samples is trained on first: a sweep of these costs as little. */
const SHARE = 8;
/** Fewer samples, in all or for each feature, say too little about the others. */
const LEAST = 1000;
const EACH = 16;
/** Their own minimum is not that of all: nearer to it is not better. */
const TOLERANCE = 5e-4;

/** The samples of a training. */
export interface Labelled {
  readonly samples: Matrix;
  readonly y: Uint32Array;
  readonly classes: number;
  readonly weights: Float64Array | null;
}

/**
 * Coefficients of about one sample of eight, from which a search of all takes fewer sweeps; `start` where that would be too few
 * samples. It changes which way the search goes, not where it ends.
 *
 * @param open IN how an engine for them is opened
 */
export async function startWarm(
  all: Labelled,
  start: Logistic,
  options: LogisticOptions,
  open: OpenOptions,
): Promise<Logistic> {
  const { samples, classes } = all;
  const count = Math.floor(samples.samples / SHARE);
  if (count < Math.max(LEAST, EACH * (samples.features + 1))) return start;
  const { ids, factors } = chooseEvenly(all.y, classes, count);
  const X = samples.take(ids) as Matrix;
  const y = Uint32Array.from(ids, (i) => all.y[i]);
  const weights = Float64Array.from(ids, (i) => factors[all.y[i]] * (all.weights === null ? 1 : all.weights[i]));
  const sizes = sizeClasses(y, classes, weights);
  if (sizes.some((size) => size === 0)) return start;
  const engine = await memorySource(X, weights).open(open);
  try {
    await placeClasses(engine, y, classes);
    const { penalty, tolerance = 0, limit, signal } = options;
    return await trainLogistic(engine, classes, {
      penalty,
      start,
      tolerance: Math.max(TOLERANCE, tolerance),
      limit,
      first: guessCurvature(X, weights, sizes),
      signal,
    });
  } finally {
    await engine.close();
  }
}

/**
 * About `count` samples, as many of each class, or all that it has: where few are of a class, those tell most (as in case-control
 * studies). Of a class they are chosen at even distances.
 *
 * @returns the samples, and of each class how many a sample stands for
 */
export function chooseEvenly(
  y: Uint32Array,
  classes: number,
  count: number,
): { ids: Uint32Array; factors: Float64Array } {
  const sizes = sizeClasses(y, classes, null);
  let left = count;
  const shares = new Float64Array(classes);
  const order = Array.from(sizes.keys()).sort((a, b) => sizes[a] - sizes[b] || a - b);
  order.forEach((c, place) => {
    const taken = Math.min(sizes[c], Math.floor(left / (classes - place)));
    shares[c] = taken / Math.max(1, sizes[c]);
    left -= taken;
  });
  const passed = new Float64Array(classes).fill(0.5);
  const ids = new Uint32Array(y.length);
  let chosen = 0;
  for (let i = 0; i < y.length; i++) {
    const c = y[i];
    passed[c] += shares[c];
    if (passed[c] < 1) continue;
    passed[c] -= 1;
    ids[chosen++] = i;
  }
  return { ids: ids.slice(0, chosen), factors: shares.map((share) => 1 / share) };
}
