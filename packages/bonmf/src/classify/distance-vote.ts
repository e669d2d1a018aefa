import { multiplySamples } from "../kernel/encode.js";
import { correlate } from "../kernel/simd/prototype-products.js";
import { squaredNorms } from "../kernel/squared-norms.js";
import { factorize, solveLower } from "../matrix/cholesky.js";
import { Dense } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";
import { PrototypeIndex } from "../model/prototype-index.js";
import { type Ballot, countVotes, type Metric, type VoteRule } from "./ballot.js";
import { type Decision, decideBlock, type Scheme, type Training } from "./decision.js";
import { insert, type Neighbor } from "./query.js";
import { scaleColumns, weighFeatures } from "./relief.js";

/** Queries at a time: their products with all training samples are held. */
const BLOCK = 256;

/** Below this share of the squared lengths, a squared distance is not taken from products. */
const LOST = 1e-4;

/** Finds the closest training samples by distance, among all of them. */
export class DistanceSearch {
  readonly #members: Dense;
  readonly #squares: Float64Array;
  readonly #factor: Float64Array | null;
  readonly #weights: Float64Array | null;

  constructor({ Z, y, classes }: Pick<Training, "Z" | "y" | "classes">, metric: Exclude<Metric, "angle">) {
    this.#weights = metric === "relevant" ? weighFeatures(Z.toDense(), y, classes) : null;
    this.#factor = metric === "within" ? factorScatter(Z, y, classes) : null;
    this.#members = this.#place(Z).toDense() as Dense;
    this.#squares = squaredNorms(this.#members);
  }

  /** For every row of Q the `count` closest training samples, closest first. `closeness` is minus the squared distance. */
  search(Q: Matrix, count: number): Neighbor[][] {
    return Array.from(this.blocks(Q, count)).flat();
  }

  /** The same for some rows after others. */
  *blocks(Q: Matrix, count: number): Generator<Neighbor[][]> {
    const n = this.#members.samples;
    for (let first = 0; first < Q.samples; first += BLOCK) {
      const queries = this.#place(Q.slice(first, Math.min(first + BLOCK, Q.samples)) as Matrix).toDense();
      const asked = queries.samples;
      // The kernels take many samples and fewer prototypes: here the queries are the prototypes.
      const products = multiplySamples(this.#members, Float64Array.from(queries.data), asked);
      const squares = squaredNorms(queries);
      const found = Array.from({ length: asked }, (): Neighbor[] => []);
      const worst = new Float64Array(asked).fill(Number.NEGATIVE_INFINITY);
      for (let j = 0, p = 0; j < n; j++) {
        for (let i = 0; i < asked; i++, p++) {
          const closeness = 2 * products[p] - this.#squares[j] - squares[i];
          if (closeness < worst[i]) continue;
          insert(found[i], j, closeness, count);
          if (found[i].length === count) worst[i] = found[i][count - 1].closeness;
        }
      }
      for (let i = 0; i < asked; i++) this.#sharpen(found[i], queries, i, squares[i]);
      yield found;
    }
  }

  /** Products lose the digits of small distances, which then are summed: equal samples are at distance 0. */
  #sharpen(found: Neighbor[], queries: Dense, i: number, square: number): void {
    for (let p = 0; p < found.length; p++) {
      const { index, closeness } = found[p];
      if (-closeness > LOST * (square + this.#squares[index])) continue;
      found[p] = { index, closeness: -squaredDistance(this.#members.row(index), queries.row(i)) };
    }
  }

  #place(X: Matrix): Matrix {
    if (this.#weights !== null) return scaleColumns(X.toDense(), this.#weights);
    if (this.#factor === null) return X;
    const out = Dense.zeros(X.samples, X.features, "f64");
    out.data.set(X.toDense().data);
    solveLower(this.#factor, X.features, out.data as Float64Array);
    return out;
  }
}

/** The class with the most votes among the `count` closest training samples by distance. */
export function byDistance(
  training: Training,
  count: number,
  metric: Exclude<Metric, "angle">,
  votes: VoteRule,
  worth: Float64Array | null,
): Scheme {
  const { model, Z, y, classes } = training;
  const ballot: Ballot = { y, classes, metric, votes, worth };
  const search = new DistanceSearch(training, metric);
  const prototypes = new PrototypeIndex(model);
  return {
    decide(Q) {
      const decisions: Decision[] = [];
      for (const block of prototypes.cosineBlocks(Q)) {
        const lists = search.search(block.Q, count);
        const vote = (i: number) => {
          const counted = countVotes(lists[i], ballot);
          return { votes: counted, neighbor: lists[i].find(({ index }) => y[index] === counted.winner) ?? null };
        };
        decideBlock(block, prototypes.findHomes(block.Q), vote, decisions);
      }
      return decisions;
    },
    classify: (Q) => Uint32Array.from(search.search(Q, count), (found) => countVotes(found, ballot).winner),
    state: () => ({ Z, y }),
  };
}

function squaredDistance(x: ArrayLike<number>, z: ArrayLike<number>): number {
  let sum = 0;
  for (let f = 0; f < x.length; f++) sum += (x[f] - z[f]) ** 2;
  return sum;
}

/** The share of an even scatter in that of the classes: a direction without any scatter would else decide alone. */
const EVEN = 0.2;

/** A Cholesky factor of the scatter within the classes, m × m. */
function factorScatter(Z: Matrix, y: Uint32Array, classes: number): Float64Array {
  const m = Z.features;
  const n = Z.samples;
  const { data } = Z.toDense();
  const means = new Float64Array(classes * m);
  const sizes = new Float64Array(classes);
  for (let i = 0; i < n; i++) {
    sizes[y[i]]++;
    for (let f = 0; f < m; f++) means[y[i] * m + f] += data[i * m + f];
  }
  const columns = new Float64Array(m * n);
  for (let i = 0; i < n; i++) {
    for (let f = 0; f < m; f++) columns[f * n + i] = data[i * m + f] - means[y[i] * m + f] / sizes[y[i]];
  }
  const scatter = correlate(columns, columns, m);
  let trace = 0;
  for (let f = 0; f < m; f++) trace += scatter[f * m + f];
  const even = trace > 0 ? (EVEN * trace) / m : 1;
  for (let p = 0; p < scatter.length; p++) scatter[p] *= 1 - EVEN;
  for (let f = 0; f < m; f++) scatter[f * m + f] += even;
  return factorize(scatter, m);
}
