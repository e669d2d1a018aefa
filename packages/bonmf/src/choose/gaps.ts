import type { Dense } from "../matrix/dense.js";
import { addLogDensities, compareDensities, TERMS } from "./likelihood.js";

/** k centres, and what is known of their clusters. */
export interface Partition {
  readonly k: number;
  /** k × q */
  readonly centres: Float64Array;
  /** k numbers added to squared distances: −2v ln π, so that a boundary lies where a small cluster's samples begin. */
  readonly offsets: Float64Array;
}

/** What samples that took no part in the partition say of its boundaries. */
export interface Gaps {
  /**
   * For each cluster the logarithm of a likelihood ratio, a gap around it against none, or its neighbour's if that is less;
   * limited, and summed.
   */
  readonly evidence: number;
  /** Their own alone, with a narrow limit. */
  readonly balance: number;
  /** How much sparser samples are at boundaries than inside: 1 empty, 0 the same, below 0 denser. */
  readonly separation: number;
  /** The mean of 1 − a / b, a and b being a sample's distances to the nearest centre and the next. */
  readonly nearness: number;
  /** The same, clusters weighing alike: a few outliers far away do not make all others look near. */
  readonly evenNearness: number;
}

/** One cluster counts no more than this, in nats: large ones must not outvote small ones. */
const MOST_EVIDENCE = 20;
const MOST_BALANCE = 4;

/**
 * Measures the gaps between neighbouring clusters. Only the two nearest centres of a sample are compared: the boundary
 * between them is where density would be lowest, and the shapes of Voronoi cells cannot pretend a gap. As evidence of a gap
 * density must rise on both sides: the core of a skewed cloud is not set off from its tail, whose density goes on falling.
 *
 * @param X n × q samples other than those the partition was made from
 * @param weights n numbers, 1 on average
 */
export function measureGaps(X: Dense, weights: Float64Array | null, partition: Partition): Gaps {
  const { k } = partition;
  const { nearest, neighbor, distance } = findMargins(X, partition);
  const { sums: distances, counts, mean } = sumDistances(nearest, distance, weights, k);
  const sums = new Float64Array(k * TERMS);
  let near = 0;
  let inside = 0;
  for (let i = 0; i < X.samples; i++) {
    const a = nearest[i];
    const weight = weights?.[i] ?? 1;
    // The mean of the others and one typical sample: a sample must not be compared with itself.
    const scale = (distances[a] - weight * distance[i] + mean) / (counts[a] - weight + 1);
    const r = scale > 0 ? distance[i] / scale : 0;
    addLogDensities(r, weight, sums, a * TERMS);
    if (r < 1) {
      near += weight;
      inside += weight * r;
    }
  }
  const gaps = Float64Array.from({ length: k }, (_, a) => compareDensities(sums, a * TERMS));
  const beside = findNeighbors(nearest, neighbor, weights, k);
  let [evidence, balance] = [0, 0];
  for (let a = 0; a < k; a++) {
    evidence += limit(Math.min(gaps[a], gaps[beside[a]]), MOST_EVIDENCE);
    balance += limit(gaps[a], MOST_BALANCE);
  }
  // A density that rises linearly from 1 − s at the boundary to 1 + s has this mean.
  const separation = near > 0 ? Math.min(1, 3 * ((2 * inside) / near - 1)) : 1;
  return { evidence, balance, separation, ...measureNearness(X, weights, partition) };
}

function measureNearness(X: Dense, weights: Float64Array | null, { k, centres }: Partition) {
  const { nearest, first, next } = findMargins(X, { k, centres, offsets: new Float64Array(k) });
  const sums = new Float64Array(k);
  const sizes = new Float64Array(k);
  for (let i = 0; i < X.samples; i++) {
    const weight = weights?.[i] ?? 1;
    sizes[nearest[i]] += weight;
    if (next[i] > 0) sums[nearest[i]] += weight * (1 - Math.sqrt(Math.max(0, first[i]) / next[i]));
  }
  const total = (numbers: Float64Array) => numbers.reduce((sum, each) => sum + each, 0);
  return {
    nearness: X.samples > 0 ? total(sums) / total(sizes) : 0,
    evenNearness: total(sums.map((sum, j) => (sizes[j] > 0 ? sum / sizes[j] : 0))) / k,
  };
}

/** The cluster that is second nearest to most of a cluster's samples. */
function findNeighbors(nearest: Uint32Array, neighbor: Uint32Array, weights: Float64Array | null, k: number): number[] {
  const counts = new Float64Array(k * k);
  for (let i = 0; i < nearest.length; i++) counts[nearest[i] * k + neighbor[i]] += weights?.[i] ?? 1;
  return Array.from({ length: k }, (_, a) => {
    let most = a;
    for (let b = 0; b < k; b++) if (counts[a * k + b] > counts[a * k + most]) most = b;
    return most;
  });
}

function limit(value: number, most: number): number {
  return Math.max(-most, Math.min(most, value));
}

/** The cluster of each sample, without offsets. */
export function assign(X: Dense, { k, centres }: Partition): Uint32Array {
  return findMargins(X, { k, centres, offsets: new Float64Array(k) }).nearest;
}

interface Margins {
  readonly nearest: Uint32Array;
  /** The second nearest. */
  readonly neighbor: Uint32Array;
  /** From the boundary towards the second nearest. */
  readonly distance: Float64Array;
  /** Squared distances to the nearest and the second nearest centre, offsets included. */
  readonly first: Float64Array;
  readonly next: Float64Array;
}

function findMargins(X: Dense, { k, centres, offsets }: Pick<Partition, "k" | "centres" | "offsets">): Margins {
  const { samples: n, features: q, data } = X;
  const nearest = new Uint32Array(n);
  const neighbor = new Uint32Array(n);
  const distance = new Float64Array(n);
  const firsts = new Float64Array(n);
  const nexts = new Float64Array(n);
  const apart = centreDistances(centres, k);
  const constants = offsets.map((offset, j) => offset + squaredLength(centres, j, q));
  const products = new Float64Array(k);
  for (let i = 0; i < n; i++) {
    let [first, next] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    let [a, b] = [0, 0];
    multiplyRow(data, i, centres, products);
    for (let j = 0; j < k; j++) {
      const d = constants[j] - 2 * products[j];
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
    neighbor[i] = b;
    const gap = apart[a * k + b];
    distance[i] = gap > 0 ? (next - first) / (2 * gap) : 0;
    const length = squaredLength(data, i, q);
    firsts[i] = first + length;
    nexts[i] = next + length;
  }
  return { nearest, neighbor, distance, first: firsts, next: nexts };
}

/** The products of a row with each of k others, four at a time, so that sums do not wait for each other. @param out OUT k */
export function multiplyRow(rows: ArrayLike<number>, row: number, others: Float64Array, out: Float64Array): void {
  const k = out.length;
  const q = others.length / k;
  let j = 0;
  for (; j + 4 <= k; j += 4) {
    let [a, b, c, d] = [0, 0, 0, 0];
    for (let f = 0, p = row * q, w = j * q; f < q; f++, p++, w++) {
      const value = rows[p];
      a += value * others[w];
      b += value * others[w + q];
      c += value * others[w + 2 * q];
      d += value * others[w + 3 * q];
    }
    out[j] = a;
    out[j + 1] = b;
    out[j + 2] = c;
    out[j + 3] = d;
  }
  for (; j < k; j++) {
    let product = 0;
    for (let f = 0, p = row * q, w = j * q; f < q; f++, p++, w++) product += rows[p] * others[w];
    out[j] = product;
  }
}

export function squaredLength(rows: ArrayLike<number>, row: number, q: number): number {
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

/** Totals of each cluster, and the mean over all. */
function sumDistances(nearest: Uint32Array, distance: Float64Array, weights: Float64Array | null, k: number) {
  const sums = new Float64Array(k);
  const counts = new Float64Array(k);
  let [all, total] = [0, 0];
  for (let i = 0; i < nearest.length; i++) {
    const weight = weights?.[i] ?? 1;
    sums[nearest[i]] += weight * distance[i];
    counts[nearest[i]] += weight;
    all += weight * distance[i];
    total += weight;
  }
  return { sums, counts, mean: total > 0 ? all / total : 0 };
}
