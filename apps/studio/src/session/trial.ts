import { fit, nmi, silhouettes } from "bonmf";
import type { Data } from "../data/build.js";
import { toOptions } from "./fitting.js";
import type { Projection } from "./projection.js";
import type { Order, Trial } from "./protocol.js";

/** One fit with another k, and its silhouette. */
export async function tryK(
  data: Data,
  { plane, watched }: Projection,
  order: Order,
  k: number,
  signal: AbortSignal,
): Promise<Trial> {
  const begin = performance.now();
  const model = await fit(data.X, { ...toOptions({ ...order, k }, data), signal });
  const seconds = (performance.now() - begin) / 1000;
  // Those that are watched lie evenly among all.
  const ids = plane.watched ?? Uint32Array.from({ length: data.X.samples }, (_, i) => i);
  const clusters = Array.from(ids, (i) => model.labels[i]);
  const metric = order.method === "kmeans" ? "squared" : "cosine";
  return {
    k,
    relativeError: model.relativeError,
    silhouette: new Set(clusters).size > 1 ? silhouettes(watched, clusters, { metric }).mean() : 0,
    nmi: data.labels && nmi(data.labels, model.labels),
    seconds,
  };
}
