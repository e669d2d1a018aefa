import { methodOf } from "../factor/methods/index.js";
import { weightsOfH } from "../factor/penalty.js";
import { encodeSamples } from "../kernel/encode.js";
import { Dense } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";
import { rowLengths } from "../matrix/prototypes.js";
import { PrototypeIndex } from "../model/prototype-index.js";
import { type Documents, isEmpty, QUANTILES, type TopicsState } from "./state.js";
import { tableOf } from "./tell.js";
import { rankWords, type TopicWord, tellerOf } from "./topic-words.js";

/** The topic of a document, and why. */
export interface TopicPrediction {
  /** The id of the topic; null for a document that has none of the words, or a vector of zeros. */
  readonly topic: number | null;
  /** The cluster of the model that the document is in; several belong to a merged topic. 0 where there is no topic. */
  readonly cluster: number;
  /** The name of the topic. */
  readonly name: string | null;
  /** Cosine of the angle between the document and the topic's prototype. */
  readonly cosine: number;
  /** That cosine less the largest one of another topic. */
  readonly margin: number;
  /** The words that speak for this topic against the next, and how much of the margin each is; of vectors, its telling words. */
  readonly words: readonly TopicWord[];
}

/** Words that a prediction names. */
const REASONS = 5;
/** A word's part of a cosine that is no reason. */
const NOTHING = 1e-12;

export function predictTopics(state: TopicsState, documents: Documents, names: readonly string[]): TopicPrediction[] {
  const { model, topicOf, ids } = state;
  const { X, vectors } = documents;
  const Z = model.prepare(vectors ?? X);
  const clusters = model.predict(vectors ?? X);
  const lengths = rowLengths(model.W.data as Float64Array, model.k);
  const found: TopicPrediction[] = [];
  for (const { Q, first, cosines } of new PrototypeIndex(model).cosineBlocks(Z)) {
    for (let i = 0; i < Q.samples; i++) {
      const sample = first + i;
      if (isEmpty(documents, sample)) {
        found.push({ topic: null, cluster: clusters[sample], name: null, cosine: 0, margin: 0, words: [] });
        continue;
      }
      const own = clusters[sample];
      const row = cosines.subarray(i * model.k, (i + 1) * model.k);
      const other = nextTopic(row, topicOf, own);
      const cosine = row[own];
      const words = vectors
        ? overlap(state, X, sample, topicOf[own])
        : compareWords(state, Q, i, [own, other], lengths);
      const margin = other < 0 ? cosine : cosine - row[other];
      found.push({ topic: ids[topicOf[own]], cluster: own, name: names[topicOf[own]], cosine, margin, words });
    }
  }
  return found;
}

/** The nearest cluster of another topic, or −1. */
function nextTopic(cosines: Float64Array, topicOf: Uint32Array, own: number): number {
  let best = -1;
  for (let r = 0; r < cosines.length; r++) {
    if (topicOf[r] !== topicOf[own] && (best < 0 || cosines[r] > cosines[best])) best = r;
  }
  return best;
}

function compareWords(
  { model, words }: TopicsState,
  Z: Matrix,
  i: number,
  [own, other]: readonly [number, number],
  lengths: Float64Array,
): TopicWord[] {
  const parts: { f: number; value: number }[] = [];
  let square = 0;
  Z.each(i, (f, value) => {
    square += value * value;
    const against = other < 0 || lengths[other] === 0 ? 0 : model.W.at(other, f) / lengths[other];
    parts.push({ f, value: value * (model.W.at(own, f) / lengths[own] - against) });
  });
  const length = Math.sqrt(square);
  return parts
    .map(({ f, value }) => ({ word: words[f], value: value / length }))
    .filter(({ value }) => value > NOTHING)
    .sort((a, b) => b.value - a.value || (a.word < b.word ? -1 : 1))
    .slice(0, REASONS);
}

/** The words of a document that tell a topic. */
function overlap(state: TopicsState, X: Documents["X"], i: number, topic: number): TopicWord[] {
  const telling = tellerOf(tableOf(state), topic);
  const held = new Map<number, number>();
  X.each(i, (f, count) => held.set(f, count));
  const features = [...held.keys()];
  return rankWords(
    features.map((f) => state.words[f]),
    REASONS,
    (at) => telling(features[at]),
  );
}

/**
 * The share of each topic in each document, n × k: a document as the sum of prototypes, by non-negative least squares or the
 * method's own codes. Rows add up to 1, or 0 for documents without words.
 */
export function weighTopics({ model, topicOf, ids }: TopicsState, { X, vectors }: Documents): Dense {
  const Z = model.prepare(vectors ?? X);
  const W = model.W.data as Float64Array;
  const { form, encode } = methodOf(model.settings);
  const rule = form === "real" && encode !== "binary" ? encode : "nnls";
  const { values } = encodeSamples(Z, rule, W, model.k, null, weightsOfH(model.settings, model.W.features));
  const lengths = rowLengths(W, model.k);
  const shares = Dense.zeros(Z.samples, ids.length, "f64");
  for (let i = 0; i < Z.samples; i++) {
    const row = shares.row(i) as Float64Array;
    for (let r = 0; r < model.k; r++) row[topicOf[r]] += values![i * model.k + r] * lengths[r];
    const sum = row.reduce((total, share) => total + share, 0);
    if (sum > 0) for (let j = 0; j < row.length; j++) row[j] /= sum;
  }
  return shares;
}

/**
 * How badly each document fits its topic: the share of the topic's documents that fit better, 1 for documents without words.
 *
 * @param cosines of documents and their prototypes
 * @param topics of the documents; −1 for those without words
 */
export function scoreOutliers(fits: Float64Array, cosines: Float64Array, topics: Int32Array): Float64Array {
  return cosines.map((cosine, i) => {
    if (topics[i] < 0) return 1;
    const known = fits.subarray(topics[i] * QUANTILES, (topics[i] + 1) * QUANTILES);
    let q = 0;
    while (q < QUANTILES && known[q] < cosine) q++;
    if (q === 0) return 1;
    if (q === QUANTILES) return 0;
    const within = (cosine - known[q - 1]) / (known[q] - known[q - 1]);
    return 1 - (q - 1 + within) / (QUANTILES - 1);
  });
}
