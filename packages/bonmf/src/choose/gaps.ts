import type { Dense } from "../matrix/dense.js";
import { addLogDensities, compareDensities, TERMS } from "./likelihood.js";

/** k centres, and what is known of their clusters. */
export interface Partition {
  readonly k: number;
  /** k × q */
  readonly centres: Float64Array;
  /** k numbers added to squared distances: −2v ln π, so that a boundary lies where a small cluster's samples begin. */
  readonly offsets: Float64Array;
  /** The two clusters that are one with k − 1. */
  readonly pair: readonly [number, number];
}

/** What samples that took no part in the partition say of its boundaries. */
export interface Gaps {
  /** Logarithm of a likelihood ratio: a gap between the two clusters of `pair` against none. */
  readonly evidence: number;
  readonly between: number;
  /** The same of each cluster towards its neighbours, limited and summed. */
  readonly total: number;
  /** How much sparser samples are at boundaries than inside: 1 empty, 0 the same, below 0 denser. */
  readonly separation: number;
}

/** No cluster can outvote the others. */
const MOST_TOTAL = 20;

/**
 * Measures the gaps between neighbouring clusters. Only the two nearest centres of a sample are compared: the boundary
 * between them is where density would be lowest, and the shapes of Voronoi cells cannot pretend a gap.
 *
 * @param X n × q samples other than those the partition was made from
 * @param weights n numbers, 1 on average
 */
export function measureGaps(X: Dense, weights: Float64Array | null, partition: Partition): Gaps {
  const { k, pair } = partition;
  const { nearest, second, distance } = findMargins(X, partition);
  const scales = meanDistances(nearest, distance, weights, k);
  const sums = new Float64Array((k + 2) * TERMS);
  let near = 0;
  let inside = 0;
  for (let i = 0; i < X.samples; i++) {
    const a = nearest[i];
    const weight = weights?.[i] ?? 1;
    const r = scales[a] > 0 ? distance[i] / scales[a] : 0;
    addLogDensities(r, weight, sums, a * TERMS);
    if (a === pair[0] && second[i] === pair[1]) addLogDensities(r, weight, sums, k * TERMS);
    if (a === pair[1] && second[i] === pair[0]) addLogDensities(r, weight, sums, (k + 1) * TERMS);
    if (r < 1) {
      near += weight;
      inside += weight * r;
    }
  }
  let total = 0;
  for (let a = 0; a < k; a++) {
    total += Math.max(-MOST_TOTAL, Math.min(MOST_TOTAL, compareDensities(sums, a * TERMS)));
  }
  const evidence = Math.min(...pair.map((a) => compareDensities(sums, a * TERMS)));
  const between = Math.min(compareDensities(sums, k * TERMS), compareDensities(sums, (k + 1) * TERMS));
  // A density that rises linearly from 1 − s at the boundary to 1 + s has this mean.
  const separation = near > 0 ? Math.min(1, 3 * ((2 * inside) / near - 1)) : 1;
  return { evidence, between, total, separation };
}

/** The cluster of each sample, without offsets. */
export function assign(X: Dense, { k, centres }: Partition): Uint32Array {
  return findMargins(X, { k, centres, offsets: new Float64Array(k) }).nearest;
}

interface Margins {
  readonly nearest: Uint32Array;
  readonly second: Uint32Array;
  /** From the boundary between the two. */
  readonly distance: Float64Array;
}

function findMargins(X: Dense, { k, centres, offsets }: Pick<Partition, "k" | "centres" | "offsets">): Margins {
  const { samples: n, features: q, data } = X;
  const nearest = new Uint32Array(n);
  const second = new Uint32Array(n);
  const distance = new Float64Array(n);
  const apart = centreDistances(centres, k);
  const constants = offsets.map((offset, j) => offset + squaredLength(centres, j, q));
  for (let i = 0; i < n; i++) {
    let [first, next] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    let [a, b] = [0, 0];
    for (let j = 0; j < k; j++) {
      let product = 0;
      for (let f = 0, p = i * q, w = j * q; f < q; f++, p++, w++) product += data[p] * centres[w];
      const d = constants[j] - 2 * product;
      if (d < first) {
        next = first;
        b = a;
        first = d;
        a = j;
      } else if (d < next) {
        next = d;
        b = j;
      }
    }
    nearest[i] = a;
    second[i] = b;
    const gap = apart[a * k + b];
    distance[i] = gap > 0 ? (next - first) / (2 * gap) : 0;
  }
  return { nearest, second, distance };
}

function squaredLength(rows: Float64Array, row: number, q: number): number {
  let sum = 0;
  for (let f = 0, p = row * q; f < q; f++, p++) sum += rows[p] * rows[p];
  return sum;
}

/** k × k distances. */
export function centreDistances(centres: Float64Array, k: number): Float64Array {
  const q = centres.length / k;
  const out = new Float64Array(k * k);
  for (let a = 0; a < k; a++) {
    for (let b = 0; b < a; b++) {
      let sum = 0;
      for (let f = 0; f < q; f++) {
        const difference = centres[a * q + f] - centres[b * q + f];
        sum += difference * difference;
      }
      out[a * k + b] = Math.sqrt(sum);
      out[b * k + a] = out[a * k + b];
    }
  }
  return out;
}

function meanDistances(
  nearest: Uint32Array,
  distance: Float64Array,
  weights: Float64Array | null,
  k: number,
): Float64Array {
  const sums = new Float64Array(k);
  const counts = new Float64Array(k);
  for (let i = 0; i < nearest.length; i++) {
    const weight = weights?.[i] ?? 1;
    sums[nearest[i]] += weight * distance[i];
    counts[nearest[i]] += weight;
  }
  return sums.map((sum, a) => (counts[a] > 0 ? sum / counts[a] : 0));
}
