import { findComponents, project } from "../choose/components.js";
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

const MOST_AXES = 50;
/** So many samples tell the axes well enough. */
const SURVEYED = 3000;

export function* findPoints(samples: Samples, metric: "cosine" | "euclidean", seed: number): Steps<Points> {
  const raw = toMatrix(samples);
  checkValues(raw, { signed: true });
  const X = metric === "cosine" ? restoreScaler("l2", raw.features, {}).transform(raw) : intoReach(raw);
  const { samples: n, features: m } = X;
  const surveyed = n > SURVEYED ? X.take(new Random(seed, STREAM.map).choose(n, SURVEYED).sort()) : X;
  const found = yield* findComponents(surveyed, Math.min(m, MOST_AXES), seed);
  const d = found.variances.length;
  const { data } = yield* project(X, found, d);
  return { X, along: new Float32Array(data), d };
}

/** The same of some samples. */
export function takePoints({ X, along, d }: Points, ids: Uint32Array): Points {
  const taken = new Float32Array(ids.length * d);
  ids.forEach((i, p) => {
    taken.set(along.subarray(i * d, (i + 1) * d), p * d);
  });
  return { X: X.take(ids), along: taken, d };
}
