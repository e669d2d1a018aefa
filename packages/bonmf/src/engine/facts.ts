import type { Placed } from "../kernel/region.js";
import { insertRanked, isRanked, type Sums, zeroSums } from "../kernel/sums.js";

/** What a survey tells of a block, with nothing added yet. */
export function openFacts(features: number): Sums {
  return { ...zeroSums({ XHt: 0, HHt: 0 }), most: new Float64Array(features) };
}

/**
 * Adds up what was found of a block's samples, from … to − 1.
 *
 * @param totals IN to − from, the sum of each sample's values; their squared lengths stand where the norms will be
 */
export function addFacts(
  { region, samples, norms: at, weights }: Placed,
  sums: Sums,
  from: number,
  to: number,
  totals: Float64Array,
) {
  const norms = region.f64(at, samples);
  let { normSq, total, weight: all, zeros, zeroWeight } = sums;
  for (let i = from; i < to; i++) {
    const weight = weights === null ? 1 : weights[i];
    const square = norms[i];
    normSq += weight * square;
    total += weight * totals[i - from];
    all += weight;
    norms[i] = Math.sqrt(square);
    if (square === 0) {
      zeros++;
      zeroWeight += weight;
    }
  }
  Object.assign(sums, { normSq, total, weight: all, zeros, zeroWeight });
}

/** A block's facts with its longest samples ranked; they are from … to − 1. */
export function rankLongest(placed: Placed, facts: Sums, from: number, to: number, rank: number): Sums {
  const { region, samples, norms: at, weights, offset } = placed;
  const sums = { ...facts, most: facts.most.slice(), ranked: [] as Sums["ranked"] };
  if (rank === 0) return sums;
  const norms = region.f64(at, samples);
  for (let i = from; i < to; i++) {
    if (sums.ranked.length === rank && -norms[i] > sums.ranked[rank - 1].key) continue;
    const weight = weights === null ? 1 : weights[i];
    if (weight === 0 || norms[i] === 0 || !isRanked(sums.ranked, -norms[i], offset + i, rank)) continue;
    insertRanked(sums.ranked, { id: offset + i, key: -norms[i], label: 0, value: 1, weight }, rank);
  }
  return sums;
}
