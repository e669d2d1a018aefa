import { fitScaler, type Matrix, type Model, type ScaleName, type Scaler } from "bonmf";
import type { Data } from "../data/build.js";
import type { Plane } from "./protocol.js";

/** Scaled samples for the map and the live view. */
export interface Projection {
  readonly scaler: Scaler;
  readonly plane: Plane;
  /** The watched samples, scaled. */
  readonly watched: Matrix;
}

const WATCHED = 4000;
/** Most values in the watched samples. */
const WATCHED_VALUES = 2_000_000;
const AXES_FROM = 2000;
const PART = 16_384;

/** Finds the plane in which the samples differ most: their first two principal components. */
export function makeProjection({ X, groups }: Data, scale: ScaleName, reason: string | null): Projection {
  const scaler = fitScaler(scale, X, undefined, groups ?? undefined);
  const count = Math.max(50, Math.min(WATCHED, Math.floor(WATCHED_VALUES / Math.max(1, meanStored(X)))));
  const ids = pick(X.samples, count);
  const watched = scaler.transform(ids ? X.take(ids) : X);
  const axes = findAxes(scaler.transform(X.take(pick(X.samples, AXES_FROM) ?? countUp(X.samples))));
  return { scaler, plane: { ...project(X, scaler, axes, false), watched: ids, scale, reason }, watched };
}

/** The plane of the prototypes' first two principal components, which separates clusters better than the samples' own. */
export function makePlane({ X }: Data, { W, scaler, method }: Model): Pick<Plane, "x" | "y"> {
  const byAngle = method !== "kmeans";
  const units = fitScaler(byAngle ? "l2" : "none", W).transform(W);
  return project(X, scaler, findAxes(units), byAngle);
}

function project(X: Matrix, scaler: Scaler, [along, across]: Axes, byAngle: boolean): Pick<Plane, "x" | "y"> {
  const x = new Float32Array(X.samples);
  const y = new Float32Array(X.samples);
  for (let from = 0; from < X.samples; from += PART) {
    const part = scaler.transform(X.slice(from, Math.min(X.samples, from + PART)));
    for (let i = 0; i < part.samples; i++) {
      let a = 0;
      let b = 0;
      let lengthSq = 0;
      part.each(i, (f, value) => {
        a += value * along[f];
        b += value * across[f];
        lengthSq += value * value;
      });
      const length = byAngle && lengthSq > 0 ? Math.sqrt(lengthSq) : 1;
      x[from + i] = a / length;
      y[from + i] = b / length;
    }
  }
  return { x: fitUnit(x), y: fitUnit(y) };
}

type Axes = readonly [Float64Array, Float64Array];

function meanStored(X: Matrix): number {
  return X.kind === "dense" ? X.features : X.values.length / X.samples;
}

function countUp(n: number): Uint32Array {
  return Uint32Array.from({ length: n }, (_, i) => i);
}

/** Evenly spread over all; null: all of them. */
function pick(n: number, count: number): Uint32Array | null {
  if (n <= count) return null;
  return Uint32Array.from({ length: count }, (_, i) => Math.floor((i * n) / count));
}

/** By power iteration on the centred samples, one component after the other. */
function findAxes(Z: Matrix): Axes {
  const m = Z.features;
  const mean = new Float64Array(m);
  for (let i = 0; i < Z.samples; i++) {
    Z.each(i, (f, value) => {
      mean[f] += value / Z.samples;
    });
  }
  const first = climb(Z, mean, null);
  return [first, climb(Z, mean, first)];
}

function climb(Z: Matrix, mean: Float64Array, other: Float64Array | null): Float64Array {
  // Cosines of whole numbers: a start that is orthogonal to no axis.
  let axis: Float64Array = Float64Array.from(mean, (_, f) => Math.cos(f * 1.7 + (other ? 1 : 0)));
  for (let round = 0; round < 30; round++) {
    remove(axis, other);
    normalise(axis);
    const next = new Float64Array(axis.length);
    const shift = dot(mean, axis);
    let total = 0;
    for (let i = 0; i < Z.samples; i++) {
      let score = -shift;
      Z.each(i, (f, value) => {
        score += value * axis[f];
      });
      total += score;
      Z.each(i, (f, value) => {
        next[f] += score * value;
      });
    }
    for (let f = 0; f < next.length; f++) next[f] -= total * mean[f];
    axis = next;
  }
  remove(axis, other);
  normalise(axis);
  return axis;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let f = 0; f < a.length; f++) sum += a[f] * b[f];
  return sum;
}

function remove(axis: Float64Array, other: Float64Array | null): void {
  if (!other) return;
  const along = dot(axis, other);
  for (let f = 0; f < axis.length; f++) axis[f] -= along * other[f];
}

function normalise(axis: Float64Array): void {
  const length = Math.sqrt(dot(axis, axis));
  if (length > 0) for (let f = 0; f < axis.length; f++) axis[f] /= length;
}

const MARGIN = 0.94;

/** Into −1 … 1 with a margin; the outermost two in a thousand may lie at the edge. */
function fitUnit(values: Float32Array): Float32Array {
  const sorted = values.slice(0, values.length).sort();
  const low = sorted[Math.floor(0.001 * (sorted.length - 1))];
  const high = sorted[Math.ceil(0.999 * (sorted.length - 1))];
  const reach = high - low || 1;
  return values.map((value) => MARGIN * Math.max(-1, Math.min(1, (2 * (value - low)) / reach - 1)));
}
