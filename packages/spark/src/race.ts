import { Dense } from "bonmf";
import { blockSize, insertRanked, openShard, type Ranked, type Step } from "bonmf/engine";

/** What a weighted draw needs of the samples without reading them all. */
export interface Field {
  readonly samples: number;
  /** The length of the longest sample. */
  readonly longest: number;
  rows(ids: readonly number[]): Promise<Dense>;
}

interface Prototype {
  readonly w: Float64Array;
  readonly norm: number;
}

/** Samples whose variates are drawn at a time. */
const BATCH = 2 ** 20;

/**
 * Weighted draw without replacement by an exponential race: the smallest Exp(1) / dissimilarity win, as under the `race`
 * rule, but only a few samples are read. The variates depend on the sample's number alone and are known here. A sample can
 * win only if its variate, divided by an upper bound on the dissimilarity, is small enough. So the samples with the
 * smallest variates are read, four times as many each round, until no other sample can win.
 */
export class Race {
  readonly #field: Field;
  #prototypes: Prototype[] = [];

  constructor(field: Field) {
    this.#field = field;
  }

  async run(step: Step): Promise<Ranked[]> {
    const { rank = 1, k, W } = step;
    const { samples, longest } = this.#field;
    if (step.fresh) this.#prototypes = [];
    const m = W.length / Math.max(k, 1);
    for (let j = 0; j < k; j++) this.#prototypes.push(toPrototype(W.slice(j * m, (j + 1) * m)));
    const most = this.#mostChance(step, longest);
    for (let size = Math.max(64, 4 * rank); ; size *= 4) {
      const drawn = await drawVariates(step, samples, Math.min(size, samples));
      const winners: Ranked[] = [];
      const X = await this.#field.rows(drawn.map(({ id }) => id));
      drawn.forEach(({ id, key }, at) => {
        const chance = this.#chance(step, X.row(at));
        if (chance > 0) insertRanked(winners, { id, key: key / chance, label: 0, value: 1, weight: 1 }, rank);
      });
      const unseen = drawn[drawn.length - 1].key / most;
      if (drawn.length === samples || (winners.length === rank && winners[rank - 1].key < unseen)) return winners;
    }
  }

  /** An upper bound on the dissimilarity of any sample. */
  #mostChance({ fit, unit }: Step, longest: number): number {
    const [first] = this.#prototypes;
    if (first === undefined) return 1;
    if (fit === "distance") return longest * longest + first.norm * first.norm;
    return unit ? 1 : longest;
  }

  #chance(step: Step, x: ArrayLike<number>): number {
    const length = Math.sqrt(normSq(x));
    if (this.#prototypes.length === 0) return step.fit === "distance" || length > 0 ? 1 : 0;
    return this.#prototypes.reduce((least, own) => Math.min(least, dissimilarity(step, x, length, own)), Infinity);
  }
}

function toPrototype(w: Float64Array): Prototype {
  let sum = 0;
  for (const value of w) sum += value * value;
  return { w, norm: Math.sqrt(sum) };
}

/** As kernel/plain/sweep has it, to the bit. */
function dissimilarity({ fit, unit }: Step, x: ArrayLike<number>, length: number, { w, norm }: Prototype): number {
  let dot = 0;
  for (let f = 0; f < w.length; f++) dot += x[f] * w[f];
  let value: number;
  if (fit === "distance") value = length * length - 2 * dot + norm * norm;
  else {
    const along = norm > 0 ? dot / norm : 0;
    value = unit ? (length > 0 ? 1 - along / length : 0) : length - along;
  }
  return value > 1e-12 * (fit === "cosine" ? (unit ? 1 : length) : length * length) ? value : 0;
}

/** In four interleaved parts, as kernel/plain/rows does. */
function normSq(x: ArrayLike<number>): number {
  const parts = [0, 0, 0, 0];
  for (let f = 0; f < x.length; f++) parts[f & 3] += x[f] * x[f];
  return parts[0] + parts[1] + (parts[2] + parts[3]);
}

/** The samples with the smallest variates, by the library's own `race` rule on identical samples. */
async function drawVariates({ seed = 0, stream = 0 }: Step, samples: number, rank: number): Promise<Ranked[]> {
  const size = Math.max(blockSize(samples), BATCH);
  const step: Step = { rule: "race", k: 0, W: new Float64Array(0), fresh: true, fit: "distance", rank, seed, stream };
  const drawn: Ranked[] = [];
  for (let offset = 0; offset < samples; offset += size) {
    const placeholders = Dense.zeros(Math.min(size, samples - offset), 1);
    const { parts } = await (await openShard(placeholders, { offset, total: samples })).pass(step);
    for (const { sums } of parts) for (const entry of sums.ranked) insertRanked(drawn, entry, rank);
  }
  return drawn;
}
