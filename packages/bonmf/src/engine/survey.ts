import { gridFor, insertRanked, isRanked, makeSums, type Ranked } from "../kernel/sums.js";
import type { Engine, SampleWindows } from "./engine.js";
import { emptyStats, pushStats, type Stats, totalStats } from "./stats.js";

/** What a `survey` pass says of the data. */
export interface Survey {
  /** ‖X‖², weighted; of the unit samples for methods that work on those. */
  readonly normSq: number;
  /** ‖X‖² as it is, weighted. */
  readonly lengthSq: number;
  /** Σ of all entries, weighted. */
  readonly total: number;
  /** How many values of a sample count, on average: (Σx)² / Σx² of all is at most the number of those that are not 0. */
  readonly filled: number;
  /** The mean entry. */
  readonly mean: number;
  readonly weight: number;
  /** The largest |value|. */
  readonly largest: number;
  /** All-zero samples. */
  readonly zeros: number;
  /** Samples with a negative value. */
  readonly negatives: number;
  /** Grids on which the sums of samples and of weights are exact (kernel/sums). */
  readonly grid: Float64Array;
  readonly weightGrid: number;
  /** The longest samples, longest first, as many as were asked for. */
  readonly longest: readonly Ranked[];
}

/** @param rank how many of the longest samples to return */
export async function surveyData(engine: Engine, unit: boolean, rank: number, signal?: AbortSignal): Promise<Survey> {
  const step = { rule: "survey", k: 0, W: new Float64Array(0), rank } as const;
  const sums = totalStats(await engine.pass(step, signal));
  return {
    normSq: unit ? sums.weight - sums.zeroWeight : sums.normSq,
    lengthSq: sums.normSq,
    total: sums.total,
    filled: sums.normSq > 0 ? sums.total ** 2 / (sums.weight * sums.normSq) : 0,
    mean: sums.total / (sums.weight * engine.features),
    weight: sums.weight,
    largest: sums.most.reduce((largest, most) => Math.max(largest, most), 0),
    negatives: sums.negatives,
    zeros: sums.zeros,
    grid: sums.most.map((most) => gridFor(sums.weight * (unit ? 1 : most))),
    weightGrid: gridFor(sums.weight),
    longest: sums.ranked,
  };
}

/** The totals of a block, in the order of Totals in assembly/survey.ts. */
const TOTALS = ["normSq", "total", "weight", "zeros", "zeroWeight", "negatives"] as const;

/** One look at all samples when an engine opens: the answer to `survey` steps, and ‖x‖ of every sample. */
export class BlockSurvey {
  readonly #windows: SampleWindows;
  readonly #block: number;
  /** Whether a kernel reads the values; it also finds those that are not finite. */
  readonly #simd: boolean;
  /** Addresses for the kernel: the totals of the current block, and the largest |value| of each feature. */
  readonly #totals: number = 0;
  readonly #most: number = 0;
  /** The same without a kernel. */
  readonly #plainTotals = new Float64Array(TOTALS.length);
  readonly #plainMost: Float64Array;
  readonly #plainNorms: Float64Array;
  readonly #blocks: Record<(typeof TOTALS)[number], number>[] = [];

  private constructor(windows: SampleWindows, block: number) {
    const { placed, samples, features } = windows;
    this.#windows = windows;
    this.#block = block;
    this.#simd = placed !== null && placed.precision === "f32";
    this.#plainMost = new Float64Array(this.#simd ? 0 : features);
    this.#plainNorms = new Float64Array(placed === null ? samples : 0);
    if (placed === null || !this.#simd) return;
    this.#totals = placed.region.reserve(8 * TOTALS.length);
    this.#most = placed.region.reserve(8 * features + 16);
  }

  /** @param block how many samples a block has */
  static async take(windows: SampleWindows, block: number): Promise<BlockSurvey> {
    const survey = new BlockSurvey(windows, block);
    const { samples } = windows;
    for (let from = 0; from < samples; from += block) {
      const to = Math.min(from + block, samples);
      for (let start = from, end = from; start < to; start = end) {
        end = windows.windowEnd(start, to);
        const wait = windows.load(start, end);
        if (wait) await wait;
        windows.surveyed(start, end, survey.#read(start, end));
      }
      survey.#endBlock();
    }
    return survey;
  }

  /** ‖x‖ of every sample; a view that a later reservation in the same memory may detach. */
  get norms(): Float64Array {
    const { placed, samples } = this.#windows;
    return placed === null ? this.#plainNorms : placed.region.f64(placed.norms, samples);
  }

  /** The totals block by block, with the `rank` longest samples. */
  stats(rank: number): Stats {
    const { placed, samples, features, offset, gaps } = this.#windows;
    const stats = emptyStats(rank);
    const none = new Float64Array(0);
    // Every block reports the maxima of all blocks, which changes no maximum.
    const most = this.#simd ? Float64Array.from(placed!.region.f32(this.#most, features)) : this.#plainMost.slice();
    this.#blocks.forEach((totals, b) => {
      const from = b * this.#block;
      const ranked = rank > 0 ? this.#rankLongest(from, Math.min(from + this.#block, samples), rank) : [];
      // What is missing counts as the mean of what is known.
      const total = totals.total / (gaps?.share ?? 1);
      pushStats(stats, (offset + from) / this.#block, 0, { ...makeSums(none, none), ...totals, total, most, ranked });
    });
    return stats;
  }

  /** Reads samples from … to − 1 of one block; returns the first bad one that a kernel found, or −1. */
  #read(from: number, to: number): number {
    const { placed, features } = this.#windows;
    if (placed === null || !this.#simd) {
      this.#readPlainly(from, to);
      return -1;
    }
    const { region, sparse, X, indices, values, norms, weights } = placed;
    return sparse
      ? region.kernel.surveySparse32(X, indices, values, from, to, norms, weights, this.#totals, this.#most)
      : region.kernel.surveyDense32(X, features, from, to, norms, weights, this.#totals, this.#most);
  }

  #readPlainly(from: number, to: number): void {
    const { rows, first } = this.#windows.view(from, to);
    const { weights } = this.#windows;
    const { norms } = this;
    let [normSq, total, weight, zeros, zeroWeight, negatives] = this.#plainTotals;
    for (let i = from; i < to; i++) {
      const own = weights === null ? 1 : weights[i];
      const square = rows.normSq(i - first);
      normSq += own * square;
      total += own * rows.sum(i - first);
      weight += own;
      if (square === 0) {
        zeros++;
        zeroWeight += own;
      }
      norms[i] = Math.sqrt(square);
      if (rows.raise(i - first, this.#plainMost)) negatives++;
    }
    this.#plainTotals.set([normSq, total, weight, zeros, zeroWeight, negatives]);
  }

  #endBlock(): void {
    const { placed } = this.#windows;
    const totals = this.#simd ? placed!.region.f64(this.#totals, TOTALS.length) : this.#plainTotals;
    const [normSq, total, weight, zeros, zeroWeight, negatives] = totals;
    this.#blocks.push({ normSq, total, weight, zeros, zeroWeight, negatives });
    totals.fill(0);
  }

  #rankLongest(from: number, to: number, rank: number): Ranked[] {
    const { weights, offset } = this.#windows;
    const { norms } = this;
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
