/**
 * Neighbour embedding: attraction along nearest-neighbour edges, sampled repulsion, Student-t kernel (J. Tang et al.,
 * "Visualizing large-scale and high-dimensional data" (LargeVis), 2016; L. McInnes et al., UMAP, 2018, with a = b = 1).
 * It starts from a linear view. Only + − × ÷ are used, so every engine gives the same layout.
 */
import { openDraw } from "./subsample.js";

const NEIGHBOURS = 12;
const REPELLED = 4;
const ROUNDS = 150;
/** Half the width of the picture at the beginning, in the kernel's units. */
const EXTENT = 10;
const LONGEST_STEP = 4;

/**
 * Improves a layout in place.
 *
 * @param points n × d
 * @param x, y n coordinates each
 */
export function arrange(points: Float64Array, d: number, x: Float32Array, y: Float32Array): void {
  const n = x.length;
  const near = Math.min(NEIGHBOURS, n - 1);
  if (near < 2) return;
  const neighbours = findNeighbours(points, d, n, near);
  const at = [centre(x), centre(y)];
  const draw = openDraw(n);
  for (let round = 0; round < ROUNDS; round++) {
    const rate = 1 - round / ROUNDS;
    for (let i = 0; i < n; i++) {
      for (let e = 0; e < near; e++) {
        const j = neighbours[i * near + e];
        pull(at, i, j, rate);
        for (let r = 0; r < REPELLED; r++) push(at, i, Math.floor(draw() * n), rate);
      }
    }
  }
  x.set(at[0]);
  y.set(at[1]);
}

/** Around 0, most of it within EXTENT. */
function centre(values: Float32Array): Float64Array {
  let mean = 0;
  for (const value of values) mean += value / values.length;
  let variance = 0;
  for (const value of values) variance += (value - mean) ** 2 / values.length;
  const scale = variance > 0 ? EXTENT / (2 * Math.sqrt(variance)) : 0;
  return Float64Array.from(values, (value) => Math.max(-EXTENT, Math.min(EXTENT, (value - mean) * scale)));
}

function pull([x, y]: Float64Array[], i: number, j: number, rate: number): void {
  const dx = x[i] - x[j];
  const dy = y[i] - y[j];
  const force = (-2 * rate) / (1 + dx * dx + dy * dy);
  const sx = clip(force * dx);
  const sy = clip(force * dy);
  x[i] += sx;
  y[i] += sy;
  x[j] -= sx;
  y[j] -= sy;
}

function push([x, y]: Float64Array[], i: number, j: number, rate: number): void {
  if (i === j) return;
  const dx = x[i] - x[j];
  const dy = y[i] - y[j];
  const square = dx * dx + dy * dy;
  const force = (2 * rate) / ((0.01 + square) * (1 + square));
  x[i] += clip(force * dx);
  y[i] += clip(force * dy);
}

function clip(step: number): number {
  return step > LONGEST_STEP ? LONGEST_STEP : step < -LONGEST_STEP ? -LONGEST_STEP : step;
}

/** The `near` nearest other points of each, n × near, nearest first. */
function findNeighbours(points: Float64Array, d: number, n: number, near: number): Uint32Array {
  const out = new Uint32Array(n * near);
  const distances = new Float64Array(near);
  for (let i = 0; i < n; i++) {
    distances.fill(Number.POSITIVE_INFINITY);
    const from = i * near;
    for (let j = 0; j < n; j++) {
      if (j === i) continue;
      let distance = 0;
      const farthest = distances[near - 1];
      for (let a = 0; a < d && distance < farthest; a++) distance += (points[i * d + a] - points[j * d + a]) ** 2;
      if (distance >= farthest) continue;
      let place = near - 1;
      for (; place > 0 && distances[place - 1] > distance; place--) {
        distances[place] = distances[place - 1];
        out[from + place] = out[from + place - 1];
      }
      distances[place] = distance;
      out[from + place] = j;
    }
  }
  return out;
}
