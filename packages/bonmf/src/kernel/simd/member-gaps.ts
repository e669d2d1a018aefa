import type { Floats } from "../../matrix/dense.js";
import type { Placed, PlacedGaps } from "../region.js";
import type { Sums } from "../sums.js";
import { LEAST_LENGTH } from "./packed-prototypes.js";

/** Of a prototype's squared length, what a sample with bounds may lack. */
const MOST_LOST = 1 - (LEAST_LENGTH ** 2 + 1e-6);

/** What one-hot sweeps keep of samples with gaps: the weights of the members that each cluster's features list, and who has bounds. */
export class MemberGaps {
  readonly #placed: Placed;
  readonly #gaps: PlacedGaps;
  /** k × m: the weight of the members that list each feature. */
  #listed = new Float64Array(0);
  /** By angle, the samples that list anything, those that list most first. */
  #holders: Uint32Array | null = null;
  /** By angle, those that knew too little of some prototype in the last step. */
  #weak: readonly number[] = [];

  constructor(placed: Placed, gaps: PlacedGaps) {
    this.#placed = placed;
    this.#gaps = gaps;
  }

  /** Forgets all members. */
  reset(k: number): void {
    this.#listed = new Float64Array(k * this.#placed.features);
    this.#weak = [];
  }

  /**
   * By angle, the samples whose bounds do not hold: those that know, or knew in the step before, less than `LEAST_LENGTH` of some
   * prototype's length.
   *
   * @param rows IN k × m, of length 1 each
   */
  listWeak(rows: Floats): Iterable<number> {
    const { features: m } = this.#placed;
    const { listed, offsets, features } = this.#gaps.list;
    this.#holders ??= listHolders(offsets, this.#placed.samples);
    if (listed === "known") return this.#holders;
    const most = new Float64Array(m);
    let top = 0;
    for (let row = 0; row < rows.length; row += m) {
      for (let f = 0; f < m; f++) {
        const share = rows[row + f] * rows[row + f];
        if (share > most[f]) most[f] = share;
        if (share > top) top = share;
      }
    }
    const weak: number[] = [];
    const fullest = this.#holders.length > 0 ? offsets[this.#holders[0] + 1] - offsets[this.#holders[0]] : 0;
    // Sums in another order may round otherwise.
    const harmless = fullest * top <= MOST_LOST - 1e-9 ? fullest : countHarmless(most);
    for (const i of this.#holders) {
      const [from, end] = [offsets[i], offsets[i + 1]];
      if (end - from <= harmless) break;
      let lost = 0;
      for (let at = from; at < end; at++) lost += most[features[at]];
      if (lost > MOST_LOST) weak.push(i);
    }
    const found = [...this.#weak, ...weak];
    this.#weak = weak;
    return found;
  }

  /**
   * Moves samples between clusters. Weights are on their grid, so that sums are exact.
   *
   * @param moved IN pairs (sample, label before) @param none the label of a sample without one
   */
  move(moved: Uint32Array, labels: Uint32Array, weightGrid: number, none: number): void {
    const { features: m, region, samples, weights } = this.#placed;
    const { offsets, features } = this.#gaps.list;
    const all = weights > 0 ? region.f64(weights, samples) : null;
    const sums = this.#listed;
    for (let p = 0; p < moved.length; p += 2) {
      const [i, old] = [moved[p], moved[p + 1]];
      const weight = all === null ? 1 : all[i] + weightGrid - weightGrid;
      const into = labels[i] * m;
      for (let at = offsets[i], end = offsets[i + 1]; at < end; at++) {
        sums[into + features[at]] += weight;
        if (old !== none) sums[old * m + features[at]] -= weight;
      }
    }
  }

  /** The weight of the members that have, or lack, each feature. */
  sums(): Pick<Sums, "known" | "lacking"> {
    return { known: this.#listed.slice(), lacking: this.#gaps.list.listed === "missing" };
  }
}

/** The samples that list anything, those that list most first: sorted by counting. */
function listHolders(offsets: Uint32Array, n: number): Uint32Array {
  let most = 0;
  for (let i = 0; i < n; i++) most = Math.max(most, offsets[i + 1] - offsets[i]);
  // Of each count, where the samples that list so many begin.
  const starts = new Uint32Array(most + 2);
  for (let i = 0; i < n; i++) starts[offsets[i + 1] - offsets[i]]++;
  let at = 0;
  for (let count = most; count > 0; count--) {
    const samples = starts[count];
    starts[count] = at;
    at += samples;
  }
  const holders = new Uint32Array(at);
  for (let i = 0; i < n; i++) {
    const count = offsets[i + 1] - offsets[i];
    if (count > 0) holders[starts[count]++] = i;
  }
  return holders;
}

/** How many features a sample may lack, whichever they are. @param most IN of each feature, its largest share of a squared length */
function countHarmless(most: Float64Array): number {
  const sorted = most.slice().sort();
  // Sums in another order may round otherwise.
  let [left, count] = [MOST_LOST - 1e-9, 0];
  while (count < sorted.length && sorted[sorted.length - 1 - count] <= left)
    left -= sorted[sorted.length - 1 - count++];
  return count;
}
