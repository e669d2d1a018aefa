import { compareTied } from "../../src/classify/query.js";
import type { MethodName } from "../../src/factor/settings.js";
import type { Codes } from "../../src/kernel/step.js";
import { Dense } from "../../src/matrix/dense.js";
import { Model } from "../../src/model/model.js";
import { fitScaler } from "../../src/scale/scaler.js";

export type Grid = number[][];

/** A model with the given prototypes; real codes H go with the labels of the samples they belong to. */
export function handmade(
  W: Grid,
  { method = "bonmf", H, labels = [0] }: { method?: MethodName; H?: Grid; labels?: number[] } = {},
): Model {
  const k = W.length;
  const codes: Codes = H
    ? { form: "real", k, labels: null, values: Float64Array.from(H.flat()) }
    : { form: "labels", k, labels: Uint8Array.from(labels), values: null };
  return new Model({
    settings: {
      method,
      k,
      seed: 0,
      init: "given",
      maxIterations: 1,
      tolerance: 0,
      restarts: 1,
      emptyClusters: "keep",
      update: "mean",
      alpha: 1,
      sweeps: 1,
      loss: "frobenius",
      l1W: 0,
      l2W: 0,
      l1H: 0,
      l2H: 0,
      missing: "error",
    },
    W: Float64Array.from(W.flat()),
    codes,
    labels: Uint8Array.from(labels),
    scaler: fitScaler("none", Dense.from(W, "f64")),
    featureNames: null,
    history: [],
    stopped: "iterations",
    repairs: 0,
    zeroSamples: 0,
    normSq: 0,
    restart: 0,
    best: null,
  });
}

export function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let f = 0; f < a.length; f++) sum += a[f] * b[f];
  return sum;
}

/** Of a sample and another: zero samples are the same as each other, and no more like one than like another. */
export function likeness(a: readonly number[], b: readonly number[]): number {
  return [...a, ...b].every((value) => value === 0) ? 1 : cosine(a, b);
}

/** ⟨z,v⟩ / (‖z‖‖v‖), rounded as the library does: ‖z‖² of a sample is summed in four parts, the rest in order. */
export function cosine(z: readonly number[], v: readonly number[]): number {
  const parts = [0, 0, 0, 0];
  z.forEach((value, f) => {
    parts[f % 4] += value * value;
  });
  const scale = Math.sqrt(dot(v, v)) * Math.sqrt(parts[0] + parts[1] + (parts[2] + parts[3]));
  return scale > 0 ? dot(z, v) / scale : 0;
}

/** The place of the largest; ties go to the first. */
export function largest(scores: readonly number[]): number {
  return scores.indexOf(scores.reduce((a, b) => Math.max(a, b)));
}

/** Numbers 0 … n − 1 by falling score, ties by number. */
export function rank(scores: readonly number[]): number[] {
  return scores.map((_, i) => i).sort((a, b) => scores[b] - scores[a] || a - b);
}

/** Training samples by falling closeness, ties in the fixed shuffle; `ids` are their numbers. */
export function rankSamples(
  closeness: readonly number[],
  ids: readonly number[] = closeness.map((_, i) => i),
): number[] {
  return closeness.map((_, i) => i).sort((a, b) => closeness[b] - closeness[a] || compareTied(ids[a], ids[b]));
}

/** How many neighbours of x take part: all that are zero, where x is; else as many as were asked for. */
export function countVoters(rows: readonly (readonly number[])[], x: readonly number[], count: number): number {
  const zeros = rows.filter((row) => row.every((value) => value === 0)).length;
  return zeros > 0 && x.every((value) => value === 0) ? zeros : count;
}
