import { type Rows, rowsOf } from "../kernel/rows.js";
import { mixLabel } from "../kernel/sums.js";
import type { Matrix } from "../matrix/matrix.js";
import { rowLengths } from "../matrix/prototypes.js";

/** A training sample found near a query; a larger `closeness` is nearer. */
export interface Neighbor {
  /** Its number in the training data. */
  readonly index: number;
  readonly closeness: number;
}

/** `cosine`: the cosine of the angle, 0 where a vector is zero; `distance`: minus the Euclidean distance, squared. */
export type Closeness = "cosine" | "distance";

/**
 * Training samples kept cluster by cluster (an inverted file), searched by cosine or distance. Every search breaks ties
 * by `compareTied`, so an exact one returns what brute force would.
 */
export class Neighbors {
  /** How many training samples the searches so far have compared with. */
  visited = 0;
  /** Members of cluster j are `ids[starts[j]] … ids[starts[j+1] − 1]`, numbers rising. */
  readonly #ids: Uint32Array;
  readonly #starts: Uint32Array;
  /** The members' values and lengths, in the order of `ids`. */
  readonly #rows: Rows;
  readonly #norms: Float64Array;
  /** ρ_j, the largest angle between w_j and a member. */
  readonly #radius: Float64Array;
  readonly #slack: number;

  /**
   * @param Z IN n × m, values of 0 or more
   * @param clusters IN n labels
   * @param W IN k × m
   */
  constructor(Z: Matrix, clusters: ArrayLike<number>, W: Float64Array, k: number) {
    this.#ids = Uint32Array.from({ length: Z.samples }, (_, i) => i).sort((a, b) => clusters[a] - clusters[b] || a - b);
    this.#starts = new Uint32Array(k + 1);
    for (const i of this.#ids) this.#starts[clusters[i] + 1]++;
    for (let j = 0; j < k; j++) this.#starts[j + 1] += this.#starts[j];
    this.#rows = rowsOf(Z.take(this.#ids) as Matrix);
    this.#norms = Float64Array.from(this.#ids, (_, p) => Math.sqrt(this.#rows.normSq(p)));
    // Rounding moves a cosine by up to about m ulps, and an angle by the root of twice that.
    this.#slack = 3 * Math.sqrt(2 * (Z.features + 8) * Number.EPSILON);
    const lengths = rowLengths(W, k);
    this.#radius = new Float64Array(k);
    for (let j = 0; j < k; j++) {
      for (let p = this.#starts[j]; p < this.#starts[j + 1]; p++) {
        if (this.#norms[p] === 0) continue;
        const cosine = lengths[j] > 0 ? this.#rows.dot(p, W, j) / (lengths[j] * this.#norms[p]) : 0;
        this.#radius[j] = Math.max(this.#radius[j], angleOf(cosine));
      }
    }
  }

  /** Whether cluster j has no training sample. */
  isEmpty(j: number): boolean {
    return this.#starts[j + 1] === this.#starts[j];
  }

  /**
   * The `count` closest members of the named clusters.
   *
   * @param x IN m, the query
   */
  search(x: Float64Array, clusters: Iterable<number>, count: number, by: Closeness = "cosine"): Neighbor[] {
    const found: Neighbor[] = [];
    const length = rowLengths(x, 1)[0];
    for (const j of clusters) this.#scan(x, length, j, count, by, found);
    return found;
  }

  /**
   * The `count` closest training samples by angle, whatever their cluster. Clusters are visited by the least angle a
   * member can have, θ(x,w_j) − ρ_j; when that exceeds the worst angle found, no closer sample is left. Zero samples
   * need no bound of their own: while they matter the worst angle is π/2, which no θ − ρ exceeds.
   *
   * @param x IN m, the query
   * @param cosines IN k, of x with each prototype
   */
  searchExact(x: Float64Array, cosines: ArrayLike<number>, count: number): Neighbor[] {
    const found: Neighbor[] = [];
    const length = rowLengths(x, 1)[0];
    const least = this.#radius.map((radius, j) => angleOf(cosines[j]) - radius - this.#slack);
    const order = Uint32Array.from(least, (_, j) => j).sort((a, b) => least[a] - least[b]);
    for (const j of order) {
      if (found.length === count && least[j] > angleOf(found[count - 1].closeness)) break;
      this.#scan(x, length, j, count, "cosine", found);
    }
    return found;
  }

  #scan(x: Float64Array, length: number, j: number, count: number, by: Closeness, found: Neighbor[]): void {
    const from = this.#starts[j];
    const to = this.#starts[j + 1];
    this.visited += to - from;
    for (let p = from; p < to; p++) {
      const dot = this.#rows.dot(p, x, 0);
      const scale = length * this.#norms[p];
      const cosine = scale > 0 ? dot / scale : 0;
      const closeness = by === "cosine" ? cosine : 2 * dot - this.#rows.normSq(p) - length * length;
      insert(found, this.#ids[p], closeness, count);
    }
  }
}

/**
 * Which of two equally close training samples comes first: a fixed shuffle of their numbers. The lower number would
 * favour whatever class a sorted file begins with.
 */
export function compareTied(a: number, b: number): number {
  return mixLabel(a, 0, 0) - mixLabel(b, 0, 0) || a - b;
}

/** Keeps `found` sorted, closest first, then by `compareTied`, and no longer than `count`. */
function insert(found: Neighbor[], index: number, closeness: number, count: number): void {
  let at = found.length;
  while (at > 0 && isBefore(index, closeness, found[at - 1])) at--;
  if (at === count) return;
  if (found.length === count) found.pop();
  found.splice(at, 0, { index, closeness });
}

function isBefore(index: number, closeness: number, other: Neighbor): boolean {
  return closeness > other.closeness || (closeness === other.closeness && compareTied(index, other.index) < 0);
}

/** Used for bounds and refusals only, never for a choice, since `Math.acos` may differ between engines. */
export function angleOf(cosine: number): number {
  return Math.acos(Math.min(1, Math.max(-1, cosine)));
}
