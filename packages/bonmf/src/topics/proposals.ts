import { chooseK } from "../choose/choose-k.js";
import type { Labels } from "../kernel/step.js";
import type { Matrix } from "../matrix/matrix.js";
import { rowLengths } from "../matrix/prototypes.js";
import type { Sparse } from "../matrix/sparse.js";
import { fit } from "../model/fit.js";
import { ln } from "../random.js";
import { cosinesToOwn, type Documents, isEmpty, type Proposal, QUANTILES, type TopicsState } from "./state.js";
import { tableOf } from "./tell.js";
import { ABSENT, rankWords } from "./topic-words.js";

/** Documents that fit their topic worse than nineteen in twenty of its earlier ones may belong to none. */
const WORST = 1;
/** Fewer documents are no topic. */
const LEAST = 5;
/** Fewer do not tell how many topics they are. */
const ENOUGH = 20;
const WORDS = 10;

interface Arrivals {
  /** The new documents, scaled. */
  readonly Z: Matrix;
  /** The prototypes before they came. */
  readonly W: Float64Array;
  /** Their nearest clusters. */
  readonly labels: Labels;
}

/**
 * New topics among documents that fit none: those that are more like the others of their group than like their topic. A
 * document does not count as like itself.
 */
export async function proposeTopics(
  state: TopicsState,
  documents: Documents,
  words: readonly string[],
  { Z, W, labels }: Arrivals,
  signal: AbortSignal | undefined,
): Promise<Proposal[]> {
  const { model, topicOf, measures } = state;
  const cosines = cosinesToOwn(Z, W, model.k, labels);
  const strange = [...cosines.keys()].filter(
    (i) => !isEmpty(documents, i) && cosines[i] < measures.fits[topicOf[labels[i]] * QUANTILES + WORST],
  );
  if (strange.length < LEAST) return [];
  const some = Z.take(strange);
  const seed = model.settings.seed;
  const rest = { method: "spherical", seed, signal } as const;
  const choice =
    strange.length < ENOUGH ? null : await chooseK(some, { ...rest, fits: false, ks: upTo(strange.length) });
  signal?.throwIfAborted();
  const groups = await fit(some, { ...rest, k: choice?.k ?? 1, restarts: 3, init: "plusplus" });
  const among = likeOthers(some, groups.labels, groups.k);
  const loyal = strange.filter((i, at) => among[at] > cosines[i]);
  const places = new Map(strange.map((i, at) => [i, at]));
  return Array.from({ length: groups.k }, (_, g) => loyal.filter((i) => groups.labels[places.get(i)!] === g))
    .filter((members) => members.length >= LEAST)
    .sort((a, b) => b.length - a.length)
    .map((members) => ({
      words: tellGroup(state, documents.X, words, members),
      documents: members.map((i) => model.samples + i),
    }));
}

function upTo(samples: number): number[] {
  const most = Math.max(2, Math.min(10, Math.floor(samples / LEAST)));
  return Array.from({ length: most - 1 }, (_, at) => at + 2);
}

/** The cosine of each document and the sum of the others of its group. */
function likeOthers(Z: Matrix, labels: Labels, groups: number): Float64Array {
  const m = Z.features;
  const sums = new Float64Array(groups * m);
  for (let i = 0; i < Z.samples; i++) {
    Z.each(i, (f, value) => {
      sums[labels[i] * m + f] += value;
    });
  }
  const squares = rowLengths(sums, groups).map((length) => length * length);
  return Float64Array.from({ length: Z.samples }, (_, i) => {
    let [dot, own] = [0, 0];
    Z.each(i, (f, value) => {
      dot += value * sums[labels[i] * m + f];
      own += value * value;
    });
    // ‖s − z‖² of the sum s without the document z.
    const others = squares[labels[i]] - 2 * dot + own;
    return own > 0 && others > 0 ? (dot - own) / Math.sqrt(own * others) : 0;
  });
}

/** The words of some documents against those of all topics. */
function tellGroup(state: TopicsState, X: Sparse, words: readonly string[], members: readonly number[]): string[] {
  const { totals, lengths, k } = tableOf(state);
  const sums = new Float64Array(words.length);
  let length = 0;
  for (const i of members) {
    X.each(i, (f, count) => {
      sums[f] += count;
      length += count;
    });
  }
  const mean = (lengths.reduce((all, each) => all + each, 0) + length) / (k + 1);
  return rankWords(words, WORDS, (f) =>
    sums[f] > 0 ? (sums[f] / length) * ln(1 + mean / (sums[f] + (f < totals.length ? totals[f] : 0))) : ABSENT,
  ).map(({ word }) => word);
}
