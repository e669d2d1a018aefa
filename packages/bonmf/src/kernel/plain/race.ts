import { exponentialOf, STREAM } from "../../random.js";
import { insertRanked, isRanked, type Sums } from "../sums.js";
import { dissimilarity } from "./dissimilarity.js";
import { normFor, type PreparedStep, type Shard, weightOf } from "./shard.js";

/**
 * Draws samples with probability ∝ ω · dissimilarity to the nearest prototype seen so far, without any running sum:
 * the smallest Exp(1) / probability wins (an exponential race), whatever the order of the samples.
 */
export function race(shard: Shard, ready: PreparedStep, sums: Sums, from: number, to: number): void {
  const { step } = ready;
  const { seed = 0, rank = 1 } = step;
  const nearest = shard.nearest();
  if (step.fresh) nearest.fill(Number.POSITIVE_INFINITY, from, to);
  const labels = new Uint32Array(to - from);
  for (let j = 0; j < step.k; j++) {
    const dots = shard.products.own(from, to, labels.fill(j));
    for (let i = from; i < to; i++) {
      nearest[i] = Math.min(
        nearest[i],
        dissimilarity(step, shard.norms[i], normFor(shard, ready, i, j), dots[i - from]),
      );
    }
  }
  const stream = STREAM.race + 16 * (step.stream ?? 0);
  const draws = shard.products.draws(seed, stream, shard.offset + from, to - from);
  let worst = worstKey(sums, rank);
  const anywhere = step.fit === "distance";
  for (let i = from; i < to; i++) {
    const weight = weightOf(shard, i);
    const least = nearest[i];
    const chance = weight * (least === Number.POSITIVE_INFINITY ? anyChance(anywhere, shard.norms[i]) : least);
    const u = draws[i - from];
    // Most cannot win, which no logarithm is needed to know: −ln u ≥ 1 − u.
    if (!(chance > 0) || (1 - u) * (1 - 1e-9) > worst * chance) continue;
    const id = shard.offset + i;
    const key = exponentialOf(u) / chance;
    if (!isRanked(sums.ranked, key, id, rank)) continue;
    insertRanked(sums.ranked, { id, key, label: 0, value: 1, weight }, rank);
    worst = worstKey(sums, rank);
  }
}

/** What a key must not be above to be ranked. */
function worstKey({ ranked }: Sums, rank: number): number {
  return ranked.length < rank ? Number.POSITIVE_INFINITY : ranked[rank - 1].key;
}

/** With no prototype yet every sample has the same chance, except that a zero sample has no direction to offer. */
function anyChance(anywhere: boolean, norm: number): number {
  return anywhere || norm > 0 ? 1 : 0;
}
