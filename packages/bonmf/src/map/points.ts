import { COVARIANCES, type Components, FEW_ROUNDS, findComponents, meanOf, project } from "../choose/components.js";
import { intoReach } from "../matrix/magnitude.js";
import { checkValues, type Matrix, type Samples, toMatrix } from "../matrix/matrix.js";
import { Random, STREAM } from "../random.js";
import { restoreScaler } from "../scale/scaler.js";
import type { Steps } from "../steps.js";

/** Samples as points around 0. */
export interface Points {
  /** What is compared: unit vectors where the metric is "cosine". */
  readonly X: Matrix;
  /** n × d: coordinates along the principal components, the one of most variance first. */
  readonly along: Float32Array;
  readonly d: number;
}

/** Samples as they are compared, and a first look at them. */
export interface Sketch {
  readonly X: Matrix;
  /** Two axes that a few samples tell; null: where finding the best ones takes no time. */
  readonly rough: Components | null;
}

const MOST_AXES = 50;
/** So many samples tell the axes well enough, */
const SURVEYED = 3000;
/** and so many tell the first two roughly. */
const SKETCHED = 300;
/** Multiplications that take no time. */
const QUICK = 1e8;

/** Makes samples ready. */
export function* sketchPoints(samples: Samples, metric: "cosine" | "euclidean", seed: number): Steps<Sketch> {
  const raw = toMatrix(samples);
  checkValues(raw, { signed: true });
  const X = metric === "cosine" ? restoreScaler("l2", raw.features, {}).transform(raw) : intoReach(raw);
  const { samples: n, features: m } = X;
  // The same for dense and sparse samples.
  const work = m * Math.min(m, MOST_AXES) * (COVARIANCES * Math.min(n, SURVEYED) + n);
  if (work <= QUICK || m === 1) return { X, rough: null };
  const some = take(X, SKETCHED, seed);
  return { X, rough: yield* findComponents(some, 2, seed, meanOf(some), FEW_ROUNDS) };
}

/** The first two coordinates, roughly. */
export function* placeRoughly(X: Matrix, rough: Components): Steps<Float32Array> {
  return new Float32Array((yield* project(X, rough, 2)).data);
}

/** The first two axes are turned to those of a sketch: what was seen first moves no more than it must. */
export function* findPoints({ X, rough }: Sketch, seed: number): Steps<Points> {
  const found = yield* findComponents(take(X, SURVEYED, seed), Math.min(X.features, MOST_AXES), seed);
  if (rough) turnAxes(found.axes, rough.axes, X.features);
  const d = found.variances.length;
  const { data } = yield* project(X, found, d);
  return { X, along: new Float32Array(data), d };
}

/** A random part, where there are more. */
function take(X: Matrix, count: number, seed: number): Matrix {
  return X.samples > count ? X.take(new Random(seed, STREAM.map).choose(X.samples, count).sort()) : X;
}

/** Turns, or mirrors, two axes within their plane, as near to two others as it can. */
function turnAxes(axes: Float64Array, wanted: Float64Array, m: number): void {
  const cosine = (one: number, other: number) => {
    let sum = 0;
    for (let f = 0; f < m; f++) sum += wanted[one * m + f] * axes[other * m + f];
    return sum;
  };
  const [a, b, c, d] = [cosine(0, 0), cosine(0, 1), cosine(1, 0), cosine(1, 1)];
  // The orthogonal matrix nearest to (a b; c d): a turn, or a mirror.
  const sign = a * d - b * c < 0 ? -1 : 1;
  const [p, q] = [a + sign * d, b - sign * c];
  const length = Math.sqrt(p * p + q * q);
  if (length === 0) return;
  for (let f = 0; f < m; f++) {
    const [first, second] = [axes[f], axes[m + f]];
    axes[f] = (p * first + q * second) / length;
    axes[m + f] = (sign * (p * second - q * first)) / length;
  }
}

/** The same of some samples. */
export function takePoints({ X, along, d }: Points, ids: Uint32Array): Points {
  const taken = new Float32Array(ids.length * d);
  ids.forEach((i, p) => {
    taken.set(along.subarray(i * d, (i + 1) * d), p * d);
  });
  return { X: X.take(ids), along: taken, d };
}
