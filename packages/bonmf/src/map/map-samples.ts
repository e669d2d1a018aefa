import { runSteps, yieldIfDue } from "../engine/yield.js";
import { checkKnown, type KnownOptions } from "../known-options.js";
import type { Samples } from "../matrix/matrix.js";
import { oneOf, wholeNumber } from "../model/options.js";
import { finishSteps } from "../steps.js";
import { chooseLandmarks, followLandmarks, placeAll } from "./landmarks.js";
import { arrange, startLayout } from "./layout.js";
import { findNearest, listPoints, type PointLists } from "./nearest-samples.js";
import { findPoints, type Points, placeRoughly, type Sketch, sketchPoints, takePoints } from "./points.js";
import { searchPostings, suitsPostings } from "./postings.js";

/** Options of {@link mapSteps}. */
export interface MapOptions {
  /** How samples are compared: "cosine" as most methods do (default), "euclidean" as `kmeans` does. */
  metric?: "cosine" | "euclidean" | undefined;
  /** Nearest neighbours that attract a sample. Default 15. */
  neighbors?: number | undefined;
  /** Default 0; the same seed gives the same map, to the bit. */
  seed?: number | undefined;
}

/** Options of {@link mapSamples}. */
export interface MapSamplesOptions extends MapOptions {
  /** Ends the work; the promise is rejected with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Called with each of many steps; the first shows the first two principal components, of many samples roughly. */
  onStep?: ((step: MapStep) => void) | undefined;
}

/** Places of n samples in the plane. Only distances mean something: neither axis has a unit. */
export interface Positions {
  readonly x: Float32Array;
  readonly y: Float32Array;
}

/** A map in the making. */
export interface MapStep {
  /** From 0 to 1. */
  readonly done: number;
  /** The places reached so far, a copy; it takes time in proportion to n. */
  positions(): Positions;
}

const OPTIONS: KnownOptions<MapOptions> = { metric: true, neighbors: true, seed: true };
/** So few dimensions are shown as they lie: unfolding a ball into a disc would show clusters that are not there. */
const LINEAR_AXES = 3;
const DEFAULT_NEIGHBORS = 15;
/** Parts of the whole work: neighbours, then the layout. */
const SEARCH_SHARE = 0.4;

/**
 * A map of the samples: places in the plane where near samples are near each other. It is made of the samples alone, by a
 * neighbour embedding; clusters and classes have no part in it. Samples of three features or fewer are shown as they lie, in
 * the plane of their first two principal components. Up to 100,000 different samples repel and attract each
 * other; further ones lie between their nearest landmarks.
 *
 * @param X n samples of m features, scaled as they are to be compared
 * @returns n places
 * @throws DataError for samples that cannot be used, OptionError for a bad option, the signal's reason when it aborts
 *
 * @example
 * ```ts
 * import { mapSamples } from "bonmf";
 * const X = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? [9, 1, i % 3] : [1, 9, i % 5]));
 * const { x, y } = await mapSamples(X, { metric: "euclidean", seed: 7 });
 * x.length; // → 40
 * ```
 */
export async function mapSamples(X: Samples, options: MapSamplesOptions = {}): Promise<Positions> {
  checkKnown(options, { ...OPTIONS, signal: true, onStep: true }, "mapSamples");
  const { signal, onStep, ...rest } = options;
  const read = readOptions(rest);
  const steps = layOut(await runSteps(sketchPoints(X, read.metric, read.seed), signal), read);
  for (;;) {
    signal?.throwIfAborted();
    const step = steps.next();
    if (step.done) return step.value;
    onStep?.(step.value);
    await yieldIfDue();
  }
}

/**
 * The same as {@link mapSamples}, step by step, for callers that pause it themselves: a step takes a few milliseconds, but the
 * first, which makes the samples ready.
 *
 * @example
 * ```ts
 * import { mapSteps } from "bonmf";
 * const steps = mapSteps([[1, 0, 0], [2, 0, 0], [0, 1, 0], [0, 0, 3]]);
 * let step = steps.next();
 * while (!step.done) step = steps.next();
 * step.value.x.length; // → 4
 * ```
 */
export function* mapSteps(X: Samples, options: MapOptions = {}): Generator<MapStep, Positions> {
  checkKnown(options, OPTIONS, "mapSteps");
  const read = readOptions(options);
  return yield* layOut(finishSteps(sketchPoints(X, read.metric, read.seed)), read);
}

function readOptions(options: MapOptions) {
  const { metric = "cosine", neighbors = DEFAULT_NEIGHBORS, seed = 0 } = options;
  oneOf("metric", metric, ["cosine", "euclidean"]);
  wholeNumber("neighbors", neighbors, 2);
  wholeNumber("seed", seed, 0);
  return { metric, neighbors, seed };
}

/** The map of points, from their first two coordinates on. */
function* layOut(
  sketch: Sketch,
  { neighbors, seed }: { neighbors: number; seed: number },
): Generator<MapStep, Positions> {
  const all = yield* showRoughly(sketch, seed);
  const start = startLayout(all.along, all.d);
  const before = (): Positions => split(start);
  yield { done: 0, positions: before };
  const ids = chooseLandmarks(all.along, all.d, seed);
  const points = ids ? takePoints(all, ids) : all;
  const at = startLayout(points.along, points.d);
  const near = Math.min(neighbors, at.length / 2 - 1);
  if (near < 1 || points.d <= LINEAR_AXES) return before();
  const lists = yield* report(listPoints(points.along, points.d, seed), 0, before);
  const found = yield* report(findNeighbors(points, lists, near), 0, before);
  const followers = ids && (yield* report(followLandmarks(all.along, lists), SEARCH_SHARE / 2, before));
  const after = (): Positions => split(followers ? placeAll(at, followers) : at);
  yield* report(arrange(at, found, seed), SEARCH_SHARE, after);
  return after();
}

/** The points; where they take a while, rough places are shown first. */
function* showRoughly(sketch: Sketch, seed: number): Generator<MapStep, Points> {
  const { X, rough } = sketch;
  if (!rough) return finishSteps(findPoints(sketch, seed));
  const start = startLayout(finishSteps(placeRoughly(X, rough)), 2);
  const positions = (): Positions => split(start);
  yield { done: 0, positions };
  const work = findPoints(sketch, seed);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    yield { done: 0, positions };
  }
}

/** Passes steps on as shares of the whole work, from `from` to the next part. */
function* report<T>(work: Generator<number, T>, from: number, positions: () => Positions): Generator<MapStep, T> {
  const share = from < SEARCH_SHARE ? SEARCH_SHARE / 2 : 1 - SEARCH_SHARE;
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    yield { done: from + share * step.value, positions };
  }
}

function findNeighbors({ X }: Points, lists: PointLists, near: number): Generator<number, Uint32Array> {
  const sparse = suitsPostings(X);
  return sparse ? searchPostings(sparse, near) : findNearest(lists, near);
}

function split(at: Float64Array): Positions {
  const n = at.length / 2;
  const [x, y] = [new Float32Array(n), new Float32Array(n)];
  for (let i = 0; i < n; i++) {
    x[i] = at[2 * i];
    y[i] = at[2 * i + 1];
  }
  return { x, y };
}
