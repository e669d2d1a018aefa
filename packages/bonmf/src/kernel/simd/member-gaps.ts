import type { Floats } from "../../matrix/dense.js";
import type { Placed, PlacedGaps } from "../region.js";
import type { Sums } from "../sums.js";
import { LEAST_LENGTH } from "./packed-prototypes.js";

/** What one-hot sweeps keep of samples with gaps: the weights of the members that each cluster's features list, and who has bounds. */
export class MemberGaps {
  readonly #placed: Placed;
  readonly #gaps: PlacedGaps;
  /** k × m: the weight of the members that list each feature. */
  #listed = new Float64Array(0);
  /** The samples that list anything, and of each, by angle, whether it knew too little of some prototype in the last step. */
  readonly #holders: Uint32Array;
  readonly #weak: Uint8Array;

  constructor(placed: Placed, gaps: PlacedGaps) {
    this.#placed = placed;
    this.#gaps = gaps;
    const { offsets } = gaps.list;
    const holders = new Uint32Array(placed.samples);
    let count = 0;
    for (let i = 0; i < placed.samples; i++) if (offsets[i] < offsets[i + 1]) holders[count++] = i;
    this.#holders = holders.subarray(0, count);
    this.#weak = new Uint8Array(this.#holders.length);
  }

  /** Forgets all members. */
  reset(k: number): void {
    this.#listed = new Float64Array(k * this.#placed.features);
    this.#weak.fill(0);
  }

  /**
   * By angle, the samples whose bounds do not hold: those that know, or knew in the step before, less than `LEAST_LENGTH` of some
   * prototype's length.
   *
   * @param rows IN k × m, of length 1 each
   */
  listWeak(rows: Floats): number[] {
    const { features: m } = this.#placed;
    const { listed, offsets, features } = this.#gaps.list;
    const most = new Float64Array(m);
    for (let row = 0; row < rows.length; row += m) {
      for (let f = 0; f < m; f++) most[f] = Math.max(most[f], rows[row + f] * rows[row + f]);
    }
    const found: number[] = [];
    for (let h = 0; h < this.#holders.length; h++) {
      const i = this.#holders[h];
      let lost = 0;
      for (let at = offsets[i], end = offsets[i + 1]; at < end; at++) lost += most[features[at]];
      const weak = +(listed === "known" || 1 - lost < LEAST_LENGTH ** 2 + 1e-6);
      if (weak || this.#weak[h]) found.push(i);
      this.#weak[h] = weak;
    }
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
