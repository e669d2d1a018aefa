import { fitScaler, type Matrix, type ScaleName, type Scaler } from "bonmf";
import type { Data } from "../data/build.js";
import { Layout } from "./layout.js";
import type { Order, Plane } from "./protocol.js";

/** Scaled samples for the map and the live view. */
export interface Projection {
  readonly scaler: Scaler;
  readonly plane: Plane;
  /** The watched samples, scaled. */
  readonly watched: Matrix;
  readonly layout: Layout;
}

const WATCHED = 4000;
/** Most values in the watched samples. */
const WATCHED_VALUES = 2_000_000;

/** Samples as a method compares them; runs that compare them the same way share one map. */
export function makeProjection(
  { X, groups }: Data,
  method: Order["method"],
  scale: ScaleName,
  reason: string | null,
): Projection {
  const scaler = fitScaler(scale, X, undefined, groups ?? undefined);
  const Z = scaler.transform(X);
  const count = Math.max(50, Math.min(WATCHED, Math.floor(WATCHED_VALUES / Math.max(1, meanStored(X)))));
  const ids = pick(X.samples, count);
  const layout = new Layout(Z, metricOf(method));
  const plane = { ...layout.places, watched: ids, scale, reason };
  return { scaler, plane, watched: ids ? Z.take(ids) : Z, layout };
}

/** All methods but k-means compare directions. */
export function metricOf(method: Order["method"]): "cosine" | "euclidean" {
  return method === "kmeans" ? "euclidean" : "cosine";
}

function meanStored(X: Matrix): number {
  return X.kind === "dense" ? X.features : X.values.length / X.samples;
}

/** Evenly spread over all; null: all of them. */
function pick(n: number, count: number): Uint32Array | null {
  if (n <= count) return null;
  return Uint32Array.from({ length: count }, (_, i) => Math.floor((i * n) / count));
}
