import { type Rows, rowsOf } from "../kernel/rows.js";
import type { Matrix } from "../matrix/matrix.js";
import { rowLengths } from "../matrix/prototypes.js";

/** A training sample found near a query; a larger `closeness` is nearer. */
export interface Neighbor {
  /** Its number in the training data. */
  readonly index: number;
  readonly closeness: number;
}

/** `cosine`: the cosine of the angle; `distance`: minus the Euclidean distance, squared. */
export type Closeness = "cosine" | "distance";

/**
 * Training samples kept cluster by cluster (an inverted file), searched by cosine or distance. Every search breaks ties
 * by the lower sample number, so an exact one returns what brute force would.
 */
export class Neighbors {
  /** Members of cluster j are `ids[starts[j]] … ids[starts[j+1] − 1]`, numbers rising; zero samples are apart. */
  readonly ids: Uint32Array;
  readonly starts: Uint32Array;
  /** Training samples without a direction, numbers rising; they belong to cluster 0. */
  readonly zeros: Uint32Array;
  readonly #rows: Rows;
  readonly #norms: Float64Array;
  readonly #k: number;
  /** ρ_j, the largest angle between w_j and a member. */
  readonly #radius: Float64Array;
  readonly #slack: number;
  #visited = 0;

  /**
   * @param Z n × m, in the model's units
   * @param clusters n labels
   * @param W k × m
   */
  constructor(Z: Matrix, clusters: ArrayLike<number>, W: Float64Array, k: number) {
    const all = rowsOf(Z);
    const norm = Float64Array.from({ length: Z.samples }, (_, i) => Math.sqrt(all.normSq(i)));
    const order = Array.from({ length: Z.samples }, (_, i) => i);
    const directed = order.filter((i) => norm[i] > 0).sort((a, b) => clusters[a] - clusters[b] || a - b);
    this.ids = Uint32Array.from(directed);
    this.zeros = Uint32Array.from(order.filter((i) => norm[i] === 0));
    this.starts = new Uint32Array(k + 1);
    for (const i of directed) this.starts[clusters[i] + 1]++;
    for (let j = 0; j < k; j++) this.starts[j + 1] += this.starts[j];
    this.#k = k;
    this.#rows = rowsOf(Z.take(this.ids) as Matrix);
    this.#norms = Float64Array.from(this.ids, (i) => norm[i]);
    // Rounding moves a cosine by up to about m ulps, and an angle by the root of twice that.
    this.#slack = 3 * Math.sqrt(2 * (Z.features + 8) * Number.EPSILON);
    const lengths = rowLengths(W, k);
    this.#radius = new Float64Array(k);
    for (let j = 0; j < k; j++) {
      for (let p = this.starts[j]; p < this.starts[j + 1]; p++) {
        const cosine = lengths[j] > 0 ? this.#rows.dot(p, W, j) / (lengths[j] * this.#norms[p]) : 0;
        this.#radius[j] = Math.max(this.#radius[j], angleOf(cosine));
      }
    }
  }

  /** How many training samples the last searches compared with. */
  get visited(): number {
    return this.#visited;
  }

  /** Whether cluster j has any training sample. */
  isEmpty(j: number): boolean {
    return this.starts[j + 1] === this.starts[j] && !(j === 0 && this.zeros.length > 0);
  }

  /**
   * The `count` closest members of the named clusters.
   *
   * @param x IN m, the query
   */
  search(x: Float64Array, clusters: Iterable<number>, count: number, by: Closeness = "cosine"): Neighbor[] {
    const found: Neighbor[] = [];
    const length = rowLengths(x, 1)[0];
    for (const j of clusters) {
      this.#scan(x, length, j, count, by, found);
      if (j === 0) this.#scanZeros(length, count, by, found);
    }
    return found;
  }

  /**
   * The `count` closest training samples by angle, whatever their cluster. Clusters are visited by the least angle a
   * member can have, θ(x,w_j) − ρ_j; when that exceeds the worst angle found, no closer sample is left.
   *
   * @param x IN m, the query
   * @param cosines IN k, of x with each prototype
   */
  searchExact(x: Float64Array, cosines: ArrayLike<number>, count: number): Neighbor[] {
    const found: Neighbor[] = [];
    const length = rowLengths(x, 1)[0];
    this.#scanZeros(length, count, "cosine", found);
    const least = Float64Array.from({ length: this.#k }, (_, j) => angleOf(cosines[j]) - this.#radius[j] - this.#slack);
    const order = Array.from(least, (_, j) => j).sort((a, b) => least[a] - least[b]);
    for (const j of order) {
      if (length > 0 && found.length === count && least[j] > angleOf(found[count - 1].closeness)) break;
      this.#scan(x, length, j, count, "cosine", found);
    }
    return found;
  }

  #scan(x: Float64Array, length: number, j: number, count: number, by: Closeness, found: Neighbor[]): void {
    const from = this.starts[j];
    const to = this.starts[j + 1];
    this.#visited += to - from;
    for (let p = from; p < to; p++) {
      const dot = this.#rows.dot(p, x, 0);
      const norm = this.#norms[p];
      const closeness =
        by === "distance" ? 2 * dot - norm * norm - length * length : length > 0 ? dot / (length * norm) : 0;
      insert(found, this.ids[p], closeness, count);
    }
  }

  #scanZeros(length: number, count: number, by: Closeness, found: Neighbor[]): void {
    const closeness = by === "distance" ? -length * length : 0;
    for (const index of this.zeros.subarray(0, count)) insert(found, index, closeness, count);
  }
}

/** Keeps `found` sorted, closest first, then by number, and no longer than `count`. */
function insert(found: Neighbor[], index: number, closeness: number, count: number): void {
  const before = (n: Neighbor) => n.closeness > closeness || (n.closeness === closeness && n.index < index);
  if (found.length === count && before(found[count - 1])) return;
  let at = found.length;
  while (at > 0 && !before(found[at - 1])) at--;
  found.splice(at, 0, { index, closeness });
  if (found.length > count) found.pop();
}

/** Used for bounds and refusals only, never for a choice, since `Math.acos` may differ between engines. */
export function angleOf(cosine: number): number {
  return Math.acos(Math.min(1, Math.max(-1, cosine)));
}
