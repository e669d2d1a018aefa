/**
 * Neighbour embedding: attraction along the edges to nearest neighbours, repulsion from points drawn at random, Student-t
 * kernel (J. Tang et al., "Visualizing large-scale and high-dimensional data" (LargeVis), 2016; L. McInnes et al., UMAP,
 * 2018, with a = b = 1 and equal weights). It starts from the first two principal components, which keep the large order.
 * Only + − × ÷ √ are used, so every JavaScript engine gives the same bits.
 */
import { STREAM, uniform } from "../random.js";

/** Points that repel one end of an edge. */
const REPELLED = 5;
/** Weight of repulsion: above 1, neighbourhoods are told apart better (N. Böhm et al., "Attraction–repulsion spectrum", 2022). */
const REPULSION = 2;
/** Keeps the repulsion of points that nearly coincide within a step of the picture's own size. */
const SOFTENING = 0.1;
/** Half the width of the picture at the beginning, in the kernel's units. */
const EXTENT = 10;

/** Rounds for n points: small maps can afford more. */
export function countRounds(n: number): number {
  return Math.max(60, Math.min(300, Math.round(600_000 / n)));
}

/**
 * Improves a layout in place; yields the share that is done, about every thousand points.
 *
 * @param at n × 2
 * @param neighbors n × near
 */
export function* arrange(at: Float64Array, neighbors: Uint32Array, seed: number): Generator<number, void> {
  const n = at.length / 2;
  const rounds = countRounds(n);
  const draw = { state: Math.floor(uniform(seed, STREAM.map, 0) * 2 ** 31) + 1 };
  for (let round = 0; round < rounds; round++) {
    const rate = 2 * (1 - round / rounds);
    for (let from = 0; from < n; from += 1024) {
      moveSome(at, neighbors, from, Math.min(n, from + 1024), rate, draw);
      yield (round + from / n) / rounds;
    }
  }
}

function moveSome(
  at: Float64Array,
  neighbors: Uint32Array,
  from: number,
  to: number,
  rate: number,
  draw: { state: number },
): void {
  const n = at.length / 2;
  const near = neighbors.length / n;
  const drawn = n / 2 ** 32;
  let { state } = draw;
  for (let i = from; i < to; i++) {
    let x = at[2 * i];
    let y = at[2 * i + 1];
    for (let e = i * near; e < (i + 1) * near; e++) {
      const j = 2 * neighbors[e];
      const dx = x - at[j];
      const dy = y - at[j + 1];
      const pull = rate / (1 + dx * dx + dy * dy);
      x -= pull * dx;
      y -= pull * dy;
      at[j] += pull * dx;
      at[j + 1] += pull * dy;
      for (let r = 0; r < REPELLED; r++) {
        // Xorshift (Marsaglia 2003), inline: a call would take longer than the rest.
        state ^= state << 13;
        state ^= state >>> 17;
        state ^= state << 5;
        const o = 2 * Math.floor((state >>> 0) * drawn);
        const ox = x - at[o];
        const oy = y - at[o + 1];
        const square = ox * ox + oy * oy;
        const push = (REPULSION * rate) / ((SOFTENING + square) * (1 + square));
        x += push * ox;
        y += push * oy;
      }
    }
    at[2 * i] = x;
    at[2 * i + 1] = y;
  }
  draw.state = state;
}

/**
 * The first two coordinates of each point.
 *
 * @param points n × d, around 0
 * @returns n × 2
 */
export function startLayout(points: Float32Array, d: number): Float64Array {
  const n = points.length / d;
  const at = new Float64Array(2 * n);
  let variance = 0;
  for (let i = 0; i < n; i++) variance += (points[i * d] * points[i * d]) / n;
  const scale = variance > 0 ? EXTENT / (2 * Math.sqrt(variance)) : 0;
  for (let i = 0; i < n; i++) {
    at[2 * i] = points[i * d] * scale;
    if (d > 1) at[2 * i + 1] = points[i * d + 1] * scale;
  }
  return at;
}
