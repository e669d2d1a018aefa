import type { Label, Matrix, Model } from "bonmf";

/** The classes of training samples near a new one. */
export interface Vote {
  readonly label: Label;
  /** Of the neighbours. */
  readonly share: number;
  /** The nearest training sample of that class. */
  readonly nearest: number;
}

/** A vote of the nearest training samples, for scaled samples with negative values, which the library's classifiers refuse. */
export class NeighborVote {
  readonly #model: Model;
  readonly #labels: readonly Label[];
  readonly #count: number;
  readonly #samples: Matrix;
  readonly #scales: Float64Array;

  constructor(model: Model, X: Matrix, labels: readonly Label[], count: number) {
    this.#model = model;
    this.#labels = labels;
    this.#count = count;
    this.#samples = model.prepare(X);
    this.#scales = Float64Array.from({ length: X.samples }, (_, i) => this.#scaleOf(this.#samples.row(i)));
  }

  /** Methods that go by angle see samples of length 1. */
  #scaleOf(row: ArrayLike<number>): number {
    if (this.#model.method === "kmeans") return 1;
    let lengthSq = 0;
    for (let f = 0; f < row.length; f++) lengthSq += row[f] ** 2;
    return lengthSq > 0 ? 1 / Math.sqrt(lengthSq) : 1;
  }

  /** @param X one sample */
  ask(X: Matrix): Vote {
    const one = this.#model.prepare(X).row(0);
    const scale = this.#scaleOf(one);
    const distances = Float64Array.from(this.#scales, (own, i) => {
      const row = this.#samples.row(i);
      let distance = 0;
      for (let f = 0; f < row.length; f++) distance += (own * row[f] - scale * one[f]) ** 2;
      return distance;
    });
    const order = Uint32Array.from(distances.keys()).sort((a, b) => distances[a] - distances[b] || a - b);
    const neighbors = order.subarray(0, this.#count);
    const votes = new Map<Label, number[]>();
    for (const i of neighbors) votes.set(this.#labels[i], [...(votes.get(this.#labels[i]) ?? []), i]);
    // The first of equals has the nearest member.
    const [label, members] = [...votes].reduce((best, next) => (next[1].length > best[1].length ? next : best));
    return { label, share: members.length / neighbors.length, nearest: members[0] };
  }
}
