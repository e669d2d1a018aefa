import { memorySource } from "../engine/in-memory.js";
import type { OpenOptions } from "../engine/source.js";
import type { Matrix } from "../matrix/matrix.js";
import { ln } from "../random.js";
import { sizeClasses } from "./class-weights.js";
import { guessCurvature } from "./curvature.js";
import { type Logistic, type LogisticOptions, placeClasses, trainLogistic } from "./logistic.js";

/** One of so many samples is trained on first: a sweep of these costs as little. */
const SHARE = 4;
/** Fewer samples, in all or for each coefficient, say too little about the others. */
const LEAST = 1000;
const EACH = 8;
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
 * Coefficients of about one sample of four, from which a search of all takes fewer sweeps; `start` where that would be too few
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
  if (count < Math.max(LEAST, EACH * (start.W.length + start.bias.length))) return start;
  const { ids, factors } = chooseEvenly(all.y, classes, count);
  const X = samples.take(ids) as Matrix;
  const y = ids.map((i) => all.y[i]);
  const weights = all.weights && Float64Array.from(ids, (i) => all.weights![i]);
  const sizes = sizeClasses(y, classes, weights);
  if (sizes.some((size) => size === 0)) return start;
  const engine = await memorySource(X, weights).open(open);
  try {
    await placeClasses(engine, y, classes);
    const { penalty, tolerance = 0, limit, signal } = options;
    const { W, bias } = await trainLogistic(engine, classes, {
      penalty: (penalty * ids.length) / samples.samples,
      start: { W: start.W, bias: logOdds(sizes) },
      tolerance: Math.max(TOLERANCE, tolerance),
      limit,
      first: guessCurvature(X, weights, sizes),
      signal,
    });
    // More samples of a class than its share change the intercepts alone, where the model is right (Prentice and Pyke, 1979).
    const shift = logOdds(factors);
    return { W, bias: bias.map((b, c) => b + shift[c]) };
  } finally {
    await engine.close();
  }
}

/** The intercepts that fit best where nothing is known of a sample. A class without samples counts as half of one. */
export function logOdds(sizes: Float64Array): Float64Array {
  const odds = sizes.map((size) => ln(Math.max(0.5, size)));
  return sizes.length === 2 ? Float64Array.of(odds[1] - odds[0]) : odds;
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
