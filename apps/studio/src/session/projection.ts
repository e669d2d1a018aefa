import { fitScaler, type Matrix, type ScaleName, type Scaler } from "bonmf";
import type { Data } from "../data/build.js";
import { intoFrame, Layout } from "./layout.js";
import { scaleFor } from "./options.js";
import type { Order, Sketch } from "./protocol.js";
import { type SomePlaces, sketchSamples } from "./sketch.js";
import { meanStored } from "./stored.js";

/** Samples as a method compares them: runs that compare them the same way share one map. */
export class Projection {
  readonly #data: Data;
  readonly #metric: "cosine" | "euclidean";
  readonly #places: SomePlaces | null;
  #scaled: Scaled | null = null;

  constructor(
    data: Data,
    method: Order["method"],
    readonly scale: ScaleName,
    /** Why this scaler; null where people chose it. */
    readonly reason: string | null,
  ) {
    this.#data = data;
    this.#metric = metricOf(method);
    this.#places = sketchSamples(data, scale, this.#metric);
  }

  /** Where some samples lie, of many; null: look at all of them. */
  get sketch(): Sketch | null {
    if (!this.#places) return null;
    const { scale, reason } = this;
    return { ...intoFrame(this.#places, true), of: this.#places.of, scale, reason };
  }

  /** All samples; of many it takes a while. */
  get all(): Scaled {
    this.#scaled ??= scaleAll(this.#data, this.scale, this.#metric, this.#places);
    return this.#scaled;
  }

  stop(): void {
    this.#scaled?.layout.stop();
  }
}

/** By scale and metric. */
export class Projections {
  readonly #known = new Map<string, Projection>();

  find(order: Order, data: Data): Projection {
    const { scale, reason } = scaleFor(order, data);
    const key = JSON.stringify([scale, reason, metricOf(order.method)]);
    const found = this.#known.get(key) ?? new Projection(data, order.method, scale, reason);
    this.#known.set(key, found);
    return found;
  }

  /** Other samples come. */
  clear(): void {
    for (const one of this.#known.values()) one.stop();
    this.#known.clear();
  }
}

/** Scaled samples for the map and the live view. */
export interface Scaled {
  readonly scaler: Scaler;
  readonly layout: Layout;
  /** The samples that are watched during a fit; null: all of them. */
  readonly ids: Uint32Array | null;
  /** The watched samples, scaled. */
  readonly watched: Matrix;
}

const WATCHED = 4000;
/** Most values in the watched samples. */
const WATCHED_VALUES = 2_000_000;

function scaleAll(
  { X, groups }: Data,
  scale: ScaleName,
  metric: "cosine" | "euclidean",
  sketch: SomePlaces | null,
): Scaled {
  const scaler = fitScaler(scale, X, undefined, groups ?? undefined);
  const Z = scaler.transform(X);
  const count = Math.max(50, Math.min(WATCHED, Math.floor(WATCHED_VALUES / Math.max(1, meanStored(X)))));
  const ids = pick(X.samples, count);
  return { scaler, layout: new Layout(Z, metric, sketch), ids, watched: ids ? Z.take(ids) : Z };
}

/** All methods but k-means compare directions. */
function metricOf(method: Order["method"]): "cosine" | "euclidean" {
  return method === "kmeans" ? "euclidean" : "cosine";
}

/** Evenly spread over all; null: all of them. */
function pick(n: number, count: number): Uint32Array | null {
  if (n <= count) return null;
  return Uint32Array.from({ length: count }, (_, i) => Math.floor((i * n) / count));
}
