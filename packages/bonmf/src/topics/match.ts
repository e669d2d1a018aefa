import { Dense } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";
import { assign } from "../measure/hungarian.js";
import type { Model } from "../model/model.js";
import { eachWord } from "../text/stems.js";
import { isOnVectors } from "./blend.js";
import type { Corpus } from "./corpus.js";
import { cosinesBetween, topicPrototypes } from "./prototypes.js";
import type { TopicsState } from "./state.js";
import { labelTopics } from "./tell.js";

/** A topic is found again where the cosine of its prototypes, then and now, is at least this. */
const LEAST_COSINE = 0.5;
/** The share of documents that new topics are looked for in: those that fit the earlier topics worst. */
const STRANGE = 0.25;

/**
 * Prototypes to begin with, in the units of the samples: those of earlier topics, and others where there should be more.
 *
 * @param X the different documents
 * @param fitFresh finds topics in some of them
 * @returns null where the earlier ones are of no use
 */
export async function carryPrototypes(
  previous: TopicsState,
  corpus: Corpus,
  X: Matrix,
  k: number,
  fitFresh: (X: Matrix, k: number) => Promise<Model>,
): Promise<Dense | null> {
  const { model, ids } = previous;
  const old = alignPrototypes(previous, corpus, X.features, (P) => model.scaler.inverse(P));
  if (k < ids.length || old === null) return null;
  if (k === ids.length) return old;
  const extra = await fitFresh(X.take(findStrange(X, old, k - ids.length)), k - ids.length);
  const added = extra.scaler.inverse(extra.W);
  return new Dense(k, X.features, Float64Array.from([...old.data, ...added.data]));
}

/** The documents that are least like any prototype, and at least 5 for each new topic. */
function findStrange(X: Matrix, P: Dense, count: number): Uint32Array {
  const near = new Float64Array(X.samples);
  for (let i = 0; i < X.samples; i++) {
    const dots = new Float64Array(P.samples);
    let own = 0;
    X.each(i, (f, value) => {
      own += value * value;
      for (let j = 0; j < P.samples; j++) dots[j] += value * P.data[j * P.features + f];
    });
    near[i] = own > 0 ? Math.max(...dots) / Math.sqrt(own) : Number.POSITIVE_INFINITY;
  }
  const most = Math.min(X.samples, Math.max(5 * count, Math.ceil(STRANGE * X.samples)));
  const order = Uint32Array.from(near.keys()).sort((a, b) => near[a] - near[b] || a - b);
  return order.slice(0, most).sort();
}

/**
 * The prototypes of earlier topics in the columns of new documents; null where both do not see the same.
 *
 * @param features columns that the method sees
 * @param restore of prototypes of words
 */
function alignPrototypes(
  previous: TopicsState,
  { words, vectors, blend, countedAs }: Corpus,
  features: number,
  restore: (P: Dense) => Dense,
): Dense | null {
  const P = topicPrototypes(previous);
  const now = vectors !== null;
  if (now !== isOnVectors(previous.model) || (blend === null) !== (previous.blend === null)) return null;
  // A stem may have another name now.
  const then = previous.words.map((word) => eachWord(word, countedAs));
  if (!now) return moveColumns(restore(P), then, words);
  if (!blend || !previous.blend) return P.features === features ? P : null;
  const kept = features - blend.idf.length;
  const old = previous.blend.idf.length;
  return P.features - old === kept ? moveColumns(P, then.slice(0, old), words, kept) : null;
}

/** @param kept columns after those of the words, which stay as they are */
function moveColumns(P: Dense, from: readonly string[], to: readonly string[], kept = 0): Dense {
  const places = new Map(from.map((word, f) => [word, f]));
  const out = Dense.zeros(P.samples, to.length + kept, "f64");
  for (let f = 0; f < out.features; f++) {
    const place = f < to.length ? places.get(to[f]) : from.length + f - to.length;
    if (place === undefined) continue;
    for (let j = 0; j < P.samples; j++) out.data[j * out.features + f] = P.at(j, place);
  }
  return out;
}

/** Which ids and names the topics of a new model have. */
export interface Matched {
  readonly ids: readonly number[];
  readonly given: readonly (string | null)[];
  readonly nextId: number;
  /** The clusters in the order of ids; null: as they are. */
  readonly order: readonly number[] | null;
}

/** Finds earlier topics again, by the assignment with the largest cosines in all. */
export function matchTopics(previous: TopicsState | null, model: Model, corpus: Corpus): Matched {
  const { k } = model;
  const fresh = Array.from({ length: k }, (_, j) => j);
  if (previous === null) return { ids: fresh, given: fresh.map(() => null), nextId: k, order: null };
  const old = alignPrototypes(previous, corpus, model.W.features, (P) => P);
  const known = previous.ids.length;
  const cosines = old ? cosinesBetween(model.W, old) : fresh.map(() => new Float64Array(known));
  const cost = Float64Array.from(
    cosines.flatMap((row) => [...row]),
    (cosine) => 1 - cosine,
  );
  const partners = assign(cost, k, known);
  const names = labelTopics(previous);
  const found = fresh
    .filter((j) => partners[j] >= 0 && cosines[j][partners[j]] >= LEAST_COSINE)
    .sort((a, b) => previous.ids[partners[a]] - previous.ids[partners[b]]);
  const added = fresh.filter((j) => !found.includes(j));
  return {
    ids: [...found.map((j) => previous.ids[partners[j]]), ...added.map((_, at) => previous.nextId + at)],
    given: [...found.map((j) => names[partners[j]]), ...added.map(() => null)],
    nextId: previous.nextId + added.length,
    order: [...found, ...added],
  };
}
