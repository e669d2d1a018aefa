import type { Matrix, Model } from "bonmf";
import { discriminate } from "./discriminant.js";
import { arrange } from "./neighbor-embedding.js";
import { multiplyPrototypes } from "./prototype-products.js";

/** Most prototypes (those of the largest clusters) whose products make the coordinates. */
const MOST_COORDINATES = 64;

/**
 * Coordinates of scaled samples in the plane.
 *
 * @param Z n × m, in the scaler's units
 * @param clusters n numbers below k
 */
export function placeSamples(
  model: Model,
  Z: Matrix,
  clusters: ArrayLike<number>,
): { x: Float32Array; y: Float32Array } {
  const { counts, k, method } = model;
  const largest = Array.from(counts, (_, j) => j).sort((a, b) => counts[b] - counts[a] || a - b);
  const used = largest.slice(0, MOST_COORDINATES);
  // All methods but k-means compare directions.
  const { points, d } = atLeastPlane(multiplyPrototypes(Z, model.W.take(used), method !== "kmeans"), used.length, Z);
  const view = discriminate(points, d, clusters, k);
  // Three clusters or fewer span a plane; the linear view is enough.
  if (k > 3) arrange(view.points, d, view.x, view.y);
  return { x: view.x, y: view.y };
}

/** With a single prototype the samples' length is the second coordinate. */
function atLeastPlane(along: Float64Array, d: number, Z: Matrix): { points: Float64Array; d: number } {
  if (d > 1) return { points: along, d };
  const points = new Float64Array(2 * along.length);
  for (let i = 0; i < along.length; i++) {
    let normSq = 0;
    Z.each(i, (_, value) => {
      normSq += value * value;
    });
    points[2 * i] = along[i];
    points[2 * i + 1] = Math.sqrt(normSq);
  }
  return { points, d: 2 };
}
