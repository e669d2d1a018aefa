import { METHODS } from "../factor/methods/index.js";
import type { MethodName } from "../factor/settings.js";
import { encodeSamples, multiplySamples } from "../kernel/encode.js";
import { squaredNorms } from "../kernel/squared-norms.js";
import type { Labels } from "../kernel/step.js";
import type { Dense } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";
import { rowLengths } from "../matrix/prototypes.js";

/** The parts of a model that assign samples to clusters. */
export interface Prototypes {
  /** k × m. */
  readonly W: Dense;
  readonly k: number;
  readonly method: MethodName;
}

/** Some consecutive samples, and the cosines of their angles to all prototypes. */
export interface CosineBlock {
  /** n × m. */
  readonly Q: Matrix;
  /** The number of the first of them. */
  readonly first: number;
  /** n × k; 0 where the sample or the prototype is zero. */
  readonly cosines: Float64Array;
}

/** The most samples in a block. */
const BLOCK = 1024;

/** Compares samples with prototypes. Clusters that are not open are never a sample's home. */
export class PrototypeIndex {
  readonly #model: Prototypes;
  readonly #open: Uint32Array;
  readonly #openW: Float64Array;
  readonly #lengths: Float64Array;

  constructor(model: Prototypes, isOpen: (j: number) => boolean = () => true) {
    this.#model = model;
    this.#open = Uint32Array.from({ length: model.k }, (_, j) => j).filter(isOpen);
    this.#openW = model.W.take(this.#open).data as Float64Array;
    this.#lengths = rowLengths(model.W.data as Float64Array, model.k);
  }

  /** The home of each sample: the closest open cluster by the method's own measure, ties to the lowest number. */
  findHomes(Q: Matrix): Labels {
    const open = this.#open;
    const homes = encodeSamples(Q, homeRule(this.#model), this.#openW, open.length).labels!;
    if (open.length < this.#model.k) for (let i = 0; i < homes.length; i++) homes[i] = open[homes[i]];
    return homes;
  }

  *cosineBlocks(all: Matrix): Generator<CosineBlock> {
    const { W, k } = this.#model;
    const lengths = this.#lengths;
    for (let first = 0; first < all.samples; first += BLOCK) {
      const Q = all.slice(first, Math.min(first + BLOCK, all.samples));
      const cosines = multiplySamples(Q, W.data as Float64Array, k);
      const squares = squaredNorms(Q);
      for (let i = 0, p = 0; i < Q.samples; i++) {
        const length = Math.sqrt(squares[i]);
        for (let j = 0; j < k; j++, p++) {
          cosines[p] = length > 0 && lengths[j] > 0 ? cosines[p] / (length * lengths[j]) : 0;
        }
      }
      yield { Q, first, cosines };
    }
  }

  /** How far row i of a block is from its cluster. Products only find the nearest other: a distance from them would lose digits. */
  measureDistance({ Q, cosines }: CosineBlock, i: number, cluster: number): Distance {
    const { W, k } = this.#model;
    const x = Q.row(i);
    const length = lengthOf(x);
    let other = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let j = 0; j < k; j++) {
      const reach = this.#lengths[j];
      const excess = reach * (reach - 2 * length * cosines[i * k + j]);
      if (j !== cluster && excess < least) [other, least] = [j, excess];
    }
    const own = distanceOf(x, W.row(cluster));
    return { own, margin: other < 0 ? own : distanceOf(x, W.row(other)) - own };
  }
}

/** How far a sample is from its prototype. */
export interface Distance {
  /** The Euclidean distance to the cluster's prototype, in the scaler's units. */
  readonly own: number;
  /** How much farther the nearest other prototype is; the distance itself where k is 1. */
  readonly margin: number;
}

export function lengthOf(x: ArrayLike<number>): number {
  let sum = 0;
  for (let f = 0; f < x.length; f++) sum += x[f] * x[f];
  return Math.sqrt(sum);
}

function distanceOf(x: ArrayLike<number>, y: ArrayLike<number>): number {
  let sum = 0;
  for (let f = 0; f < x.length; f++) sum += (x[f] - y[f]) ** 2;
  return Math.sqrt(sum);
}

/** What decides a sample's cluster. */
export function homeRule({ method }: Pick<Prototypes, "method">): "cosine" | "distance" {
  return METHODS[method].fit === "distance" ? "distance" : "cosine";
}

/** How close a sample is to a prototype. */
export interface Fit {
  /** Cosine of the angle to the cluster's prototype. */
  readonly cosine: number;
  /** That cosine less the largest other one; the cosine itself where k is 1. */
  readonly margin: number;
}

/**
 * @param cosines IN n × k
 * @param i the sample's row
 * @param cluster the cluster it is measured against
 */
export function measureFit(cosines: Float64Array, k: number, i: number, cluster: number): Fit {
  const row = i * k;
  const cosine = cosines[row + cluster];
  let most = Number.NEGATIVE_INFINITY;
  for (let j = 0; j < k; j++) if (j !== cluster && cosines[row + j] > most) most = cosines[row + j];
  return { cosine, margin: k > 1 ? cosine - most : cosine };
}
