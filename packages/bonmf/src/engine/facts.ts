import type { Placed } from "../kernel/region.js";
import { insertRanked, isRanked, makeSums, type Ranked } from "../kernel/sums.js";
import { emptyStats, pushStats, type Stats } from "./stats.js";

/** What one look at a block's samples adds up to. */
interface Totals {
  readonly normSq: number;
  readonly total: number;
  readonly weight: number;
  readonly zeros: number;
  readonly zeroWeight: number;
}

/** What a survey tells of samples, block by block. */
export class Facts {
  /** The largest value of each feature, in any block: to tell that of all for each block's own changes no maximum. */
  readonly most: Float64Array;
  readonly #placed: Placed;
  readonly #block: number;
  readonly #blocks: Totals[] = [];

  /** @param block how many samples a block has */
  constructor(placed: Placed, block: number) {
    this.most = new Float64Array(placed.features);
    this.#placed = placed;
    this.#block = block;
  }

  /**
   * Takes in the next block, the samples from … to − 1, whose squared lengths stand where the norms will be.
   *
   * @param totals IN to − from, the sum of each sample's values
   */
  add(from: number, to: number, totals: Float64Array): void {
    const { region, samples, norms: at, weights } = this.#placed;
    const norms = region.f64(at, samples);
    let [normSq, total, weight, zeros, zeroWeight] = [0, 0, 0, 0, 0];
    for (let i = from; i < to; i++) {
      const own = weights === null ? 1 : weights[i];
      const square = norms[i];
      normSq += own * square;
      total += own * totals[i - from];
      weight += own;
      norms[i] = Math.sqrt(square);
      if (square === 0) {
        zeros++;
        zeroWeight += own;
      }
    }
    this.#blocks.push({ normSq, total, weight, zeros, zeroWeight });
  }

  /** All of it, with the `rank` longest samples. */
  tell(rank: number): Stats {
    const { samples, offset } = this.#placed;
    const stats = emptyStats(rank);
    const [none, most] = [new Float64Array(0), this.most.slice()];
    this.#blocks.forEach((totals, b) => {
      const from = b * this.#block;
      const ranked = rank > 0 ? this.#rankLongest(from, Math.min(from + this.#block, samples), rank) : [];
      pushStats(stats, (offset + from) / this.#block, 0, { ...makeSums(none, none), ...totals, most, ranked });
    });
    return stats;
  }

  #rankLongest(from: number, to: number, rank: number): Ranked[] {
    const { region, samples, norms: at, weights, offset } = this.#placed;
    const norms = region.f64(at, samples);
    const ranked: Ranked[] = [];
    for (let i = from; i < to; i++) {
      if (ranked.length === rank && -norms[i] > ranked[rank - 1].key) continue;
      const weight = weights === null ? 1 : weights[i];
      if (weight === 0 || norms[i] === 0 || !isRanked(ranked, -norms[i], offset + i, rank)) continue;
      insertRanked(ranked, { id: offset + i, key: -norms[i], label: 0, value: 1, weight }, rank);
    }
    return ranked;
  }
}
