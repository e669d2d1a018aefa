import type { Engine } from "../engine/engine.js";
import { totalStats } from "../engine/stats.js";
import { gridFor, type Ranked } from "../kernel/sums.js";

/** What a `survey` pass says of the data. */
export interface Survey {
  /** ‖X‖², weighted; of the unit samples for methods that work on those. */
  readonly normSq: number;
  /** ‖X‖² as it is, weighted. */
  readonly lengthSq: number;
  /** The mean entry. */
  readonly mean: number;
  readonly weight: number;
  /** The largest value. */
  readonly largest: number;
  /** All-zero samples. */
  readonly zeros: number;
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
    mean: sums.total / (sums.weight * engine.features),
    weight: sums.weight,
    largest: sums.most.reduce((largest, most) => Math.max(largest, most), 0),
    zeros: sums.zeros,
    grid: sums.most.map((most) => gridFor(sums.weight * (unit ? 1 : most))),
    weightGrid: gridFor(sums.weight),
    longest: sums.ranked,
  };
}
