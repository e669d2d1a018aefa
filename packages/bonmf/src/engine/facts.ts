import type { Placed } from "../kernel/region.js";
import { rowsOf } from "../kernel/rows.js";
import { insertRanked, isRanked, makeSums, type Ranked } from "../kernel/sums.js";
import type { Matrix } from "../matrix/matrix.js";
import { emptyStats, pushStats, type Stats } from "./stats.js";

/** What a block's samples add up to, as Totals in assembly/survey.ts. */
const TOTALS = ["normSq", "total", "weight", "zeros", "zeroWeight"] as const;

/** What a survey tells of samples, block by block. To look at them also fills their norms. */
export class Facts {
  readonly #placed: Placed;
  readonly #block: number;
  /** Whether a kernel looks at the values, and finds those that are negative or not finite. */
  readonly #quick: boolean;
  /** Addresses: the totals of the block under way, and the largest value of each feature. */
  readonly #totals: number;
  readonly #most: number;
  readonly #blocks: Record<(typeof TOTALS)[number], number>[] = [];

  /** @param block how many samples a block has */
  constructor(placed: Placed, block: number) {
    const { region, features, precision, sparse } = placed;
    const kernel = sparse ? region.kernel.surveySparse32 : region.kernel.surveyDense32;
    this.#placed = placed;
    this.#block = block;
    this.#quick = precision === "f32" && kernel !== undefined;
    this.#totals = region.reserve(8 * TOTALS.length);
    this.#most = region.reserve(8 * features + 16);
  }

  /**
   * Looks at samples from … to − 1, which are of one block.
   *
   * @param view gives them as a matrix, where no kernel reads them
   * @returns the number of the first one that has a bad value, where a kernel looks, or −1
   */
  look(from: number, to: number, view: () => Matrix): number {
    const { region, features, sparse, X, indices, values, norms, weights } = this.#placed;
    const { kernel } = region;
    if (!this.#quick) this.#lookPlainly(from, view());
    else if (sparse) {
      return kernel.surveySparse32(X, indices, values, from, to, norms, weights, this.#totals, this.#most);
    } else return kernel.surveyDense32(X, features, from, to, norms, weights, this.#totals, this.#most);
    return -1;
  }

  /** Ends a block. */
  close(): void {
    const totals = this.#placed.region.f64(this.#totals, TOTALS.length);
    const [normSq, total, weight, zeros, zeroWeight] = totals;
    this.#blocks.push({ normSq, total, weight, zeros, zeroWeight });
    totals.fill(0);
  }

  /** All of it, with the `rank` longest samples. */
  tell(rank: number): Stats {
    const { region, samples, features, offset } = this.#placed;
    const stats = emptyStats(rank);
    const none = new Float64Array(0);
    // Each block tells the maxima of all, which changes no maximum.
    const most = this.#quick ? Float64Array.from(region.f32(this.#most, features)) : this.#plainMost.slice();
    this.#blocks.forEach((totals, b) => {
      const from = b * this.#block;
      const ranked = rank > 0 ? this.#rankLongest(from, Math.min(from + this.#block, samples), rank) : [];
      pushStats(stats, (offset + from) / this.#block, 0, { ...makeSums(none, none), ...totals, most, ranked });
    });
    return stats;
  }

  get #plainMost(): Float64Array {
    return this.#placed.region.f64(this.#most, this.#placed.features);
  }

  #lookPlainly(from: number, X: Matrix): void {
    const { region, samples, norms: at, weights: weightsAt } = this.#placed;
    const rows = rowsOf(X);
    const norms = region.f64(at, samples);
    const weights = weightsAt > 0 ? region.f64(weightsAt, samples) : null;
    const totals = region.f64(this.#totals, TOTALS.length);
    const most = this.#plainMost;
    let [normSq, total, weight, zeros, zeroWeight] = totals;
    for (let i = 0; i < X.samples; i++) {
      const own = weights === null ? 1 : weights[from + i];
      const square = rows.normSq(i);
      normSq += own * square;
      total += own * rows.sum(i);
      weight += own;
      if (square === 0) {
        zeros++;
        zeroWeight += own;
      }
      norms[from + i] = Math.sqrt(square);
      rows.raise(i, most);
    }
    totals.set([normSq, total, weight, zeros, zeroWeight]);
  }

  #rankLongest(from: number, to: number, rank: number): Ranked[] {
    const { region, samples, norms: at, weights: weightsAt, offset } = this.#placed;
    const norms = region.f64(at, samples);
    const weights = weightsAt > 0 ? region.f64(weightsAt, samples) : null;
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
