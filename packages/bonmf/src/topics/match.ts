import { Dense } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";
import { assign } from "../measure/hungarian.js";
import type { Model } from "../model/model.js";
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
  const P = topicPrototypes(previous);
  const usable = corpus.vectors ? model.W.features === X.features : previous.documents?.vectors == null;
  if (k < ids.length || !usable) return null;
  const old = corpus.vectors ? P : moveColumns(model.scaler.inverse(P), previous.words, corpus.words);
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

function moveColumns(P: Dense, from: readonly string[], to: readonly string[]): Dense {
  const places = new Map(from.map((word, f) => [word, f]));
  const out = Dense.zeros(P.samples, to.length, "f64");
  for (const [f, word] of to.entries()) {
    const place = places.get(word);
    if (place === undefined) continue;
    for (let j = 0; j < P.samples; j++) out.data[j * to.length + f] = P.at(j, place);
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
  const P = topicPrototypes(previous);
  const old = corpus.vectors ? P : moveColumns(P, previous.words, corpus.words);
  const same = old.features === model.W.features;
  const cosines = same ? cosinesBetween(model.W, old) : fresh.map(() => new Float64Array(old.samples));
  const cost = Float64Array.from(
    cosines.flatMap((row) => [...row]),
    (cosine) => 1 - cosine,
  );
  const partners = assign(cost, k, old.samples);
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
