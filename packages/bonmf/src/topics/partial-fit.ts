import { BonmfError, OptionError, quote } from "../errors.js";
import { METHODS } from "../factor/methods/index.js";
import { labelSamples } from "../kernel/encode.js";
import { allocateLabels, type Labels } from "../kernel/step.js";
import { Dense } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";
import { rowLengths } from "../matrix/prototypes.js";
import { Sparse } from "../matrix/sparse.js";
import { npmi } from "../measure/coherence.js";
import { fit } from "../model/fit.js";
import { Model } from "../model/model.js";
import { ln } from "../random.js";
import { restoreScaler, type Scaler } from "../scale/scaler.js";
import { eachWord } from "../text/stems.js";
import { countedAs, countWords } from "../text/word-counts.js";
import { isOnVectors, seeDocuments } from "./blend.js";
import { countKnown, type DocumentInput } from "./corpus.js";
import { proposeTopics } from "./proposals.js";
import { append } from "./seed-words.js";
import {
  COHERENT,
  type Documents,
  isEmpty,
  type Measures,
  measureTopics,
  sumWords,
  type TopicsState,
} from "./state.js";
import { tabulateWords, tellingWords } from "./topic-words.js";

/** Sweeps over the new documents; most batches need fewer than ten. */
const SWEEPS = 30;

/** What is known before the new documents go to their topics, in the units that they have. */
interface Before {
  readonly scaler: Scaler;
  /** clusters × features: the sum of the earlier documents of each. */
  readonly sums: Float64Array;
  /** clusters × features. */
  readonly W: Float64Array;
  /** The new documents, scaled. */
  readonly Z: Matrix;
}

/**
 * The state after new documents have come. Where the earlier ones are at hand, all are fitted from the prototypes that are known;
 * else the new ones go to the nearest prototypes, which move with them.
 */
export async function foldDocuments(
  state: TopicsState,
  input: DocumentInput,
  signal: AbortSignal | undefined,
): Promise<TopicsState> {
  const { method } = state.model;
  if (METHODS[method].form !== "labels") {
    const remedy = "fit all documents again with the option previous";
    throw new OptionError("method", method, `partialFit cannot go on with the method ${quote(method)}: ${remedy}`);
  }
  signal?.throwIfAborted();
  const onVectors = isOnVectors(state.model);
  const words = [...state.words, ...findNewWords(state, input)];
  const batch = seeDocuments(state, countKnown(input, words, state.rules));
  const holders = new Float64Array(words.length);
  holders.set(state.holders);
  for (let p = 0; p < batch.X.indices.length; p++) holders[batch.X.indices[p]]++;
  const before = prepareFold(state, batch, words, holders);
  const first = labelSamples(before.Z, METHODS[method].encode, before.W, state.model.k);
  const proposals = await proposeTopics(state, batch, words, { ...before, labels: first }, signal);
  const away = new Set(proposals.flatMap(({ documents }) => documents.map((i) => i - state.model.samples)));
  const folded = { words, holders, batch, proposals };
  if (state.documents) {
    const documents = joinDocuments(state.documents, batch);
    const model = await fitAgain(state.model, documents, before, away, onVectors ? null : words, signal);
    return describeFold(state, { ...folded, documents, model });
  }
  const { W, sums, labels } = settle(state.model, before, first, away);
  const model = extendModel(state.model, batch, before, { W, sums, labels }, onVectors ? null : words);
  return describeFold(state, { ...folded, documents: null, model });
}

/** All documents, from the prototypes that are known: a few sweeps. Documents that are a topic to come move no prototype. */
function fitAgain(
  { k, method, settings, tags, samples }: Model,
  { X, vectors }: Documents,
  { W, scaler }: Before,
  away: ReadonlySet<number>,
  featureNames: readonly string[] | null,
  signal: AbortSignal | undefined,
): Promise<Model> {
  const init = scaler.inverse(new Dense(k, W.length / k, W));
  const weights = Float64Array.from({ length: X.samples }, (_, i) => (away.has(i - samples) ? 0 : 1));
  return fit(vectors ?? X, {
    k,
    method,
    seed: settings.seed,
    init,
    scale: scaler.name,
    tags,
    signal,
    ...(away.size > 0 && { weights }),
    ...(featureNames && { featureNames }),
  });
}

/** Words of the new documents that were not counted before. */
function findNewWords({ rules, words }: TopicsState, input: DocumentInput): string[] {
  const known = new Set(words);
  if ("counts" in input) return input.vocabulary.filter((word) => !known.has(word));
  if (rules.vocabulary) return [];
  const texts = "documents" in input ? input.documents : input;
  try {
    // One text may spell a word wrong.
    const found = countWords(texts, { ...rules, minDocuments: Math.max(2, rules.minDocuments ?? 2) });
    const name = countedAs(words, rules);
    return [...new Set(found.words.map((word) => eachWord(word, name)))].filter((word) => !known.has(word));
  } catch (error) {
    if (error instanceof BonmfError && error.code === "empty") return [];
    throw error;
  }
}

function prepareFold(state: TopicsState, batch: Documents, words: readonly string[], holders: Float64Array): Before {
  const { model } = state;
  if (batch.vectors) {
    const W = model.W.data as Float64Array;
    return { scaler: model.scaler, sums: sumsOf(model, W), W, Z: model.prepare(batch.vectors) };
  }
  const n = model.samples + batch.X.samples;
  const idf = holders.map((count) => ln((1 + n) / (1 + count)) + 1);
  const old = model.scaler.state().idf;
  const scaler = restoreScaler(model.scaler.name, words.length, { idf });
  const W = new Float64Array(model.k * words.length);
  for (let r = 0; r < model.k; r++) {
    for (let f = 0; f < old.length; f++) W[r * words.length + f] = (model.W.at(r, f) * idf[f]) / old[f];
  }
  return { scaler, sums: sumsOf(model, W), W, Z: scaler.transform(batch.X) };
}

/** Prototypes are means. */
function sumsOf({ counts, zeroSamples }: Model, W: Float64Array): Float64Array {
  const m = W.length / counts.length;
  // Documents without words are in cluster 0 and add nothing.
  return W.map((value, q) => value * (counts[Math.floor(q / m)] - (q < m ? zeroSamples : 0)));
}

/** The new documents go to the nearest prototypes, and these to the mean of their documents, until none goes elsewhere. */
function settle(
  { k, method, counts }: Model,
  { sums, W: from, Z }: Before,
  first: Labels,
  away: ReadonlySet<number>,
): { W: Float64Array; sums: Float64Array; labels: Labels } {
  const m = from.length / k;
  let labels = first;
  let W = from;
  let all = sums;
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const sizes = Float64Array.from(counts);
    all = sums.slice();
    for (let i = 0; i < Z.samples; i++) {
      if (away.has(i)) continue;
      const base = labels[i] * m;
      sizes[labels[i]]++;
      Z.each(i, (f, value) => {
        all[base + f] += value;
      });
    }
    W = all.map((value, q) => (sizes[Math.floor(q / m)] > 0 ? value / sizes[Math.floor(q / m)] : from[q]));
    const next = labelSamples(Z, METHODS[method].encode, W, k);
    if (next.every((label, i) => label === labels[i])) break;
    labels = next;
  }
  return { W, sums: all, labels };
}

function extendModel(
  model: Model,
  batch: Documents,
  { scaler, Z }: Before,
  { W, sums, labels: added }: { W: Float64Array; sums: Float64Array; labels: Labels },
  featureNames: readonly string[] | null,
): Model {
  const { k } = model;
  const { counts: _, ...parts } = model;
  const labels = allocateLabels(model.samples + added.length, k);
  labels.set(model.labels);
  labels.set(added, model.samples);
  let normSq = model.normSq;
  for (let i = 0; i < Z.samples; i++) {
    Z.each(i, (_, value) => {
      normSq += value * value;
    });
  }
  const sizes = new Float64Array(k);
  for (const label of labels) sizes[label]++;
  const lengths = rowLengths(sums, k);
  const kept = lengths.reduce((sum, length, r) => sum + (sizes[r] > 0 ? (length * length) / sizes[r] : 0), 0);
  const loss = Math.max(0, normSq - kept);
  const potential = model.method === "kmeans" ? loss : lengths.reduce((sum, length) => sum + length, 0);
  const relativeError = normSq > 0 ? Math.sqrt(loss / normSq) : 0;
  const moment = { iteration: model.iterations + 1, potential, relativeError, changed: added.length, fingerprint: 0 };
  const empties = Array.from({ length: Z.samples }, (_, i) => isEmpty(batch, i)).filter(Boolean).length;
  return new Model({
    ...parts,
    W,
    labels,
    codes: { form: "labels", k, labels, values: null },
    scaler,
    featureNames,
    history: [...model.history, moment],
    normSq,
    zeroSamples: model.zeroSamples + empties,
    best: null,
    singleError: null,
  });
}

interface Folded extends Pick<TopicsState, "model" | "words" | "holders" | "proposals" | "documents"> {
  readonly batch: Documents;
}

function describeFold(state: TopicsState, { batch, ...change }: Folded): TopicsState {
  const { model, words, documents } = change;
  const { topicOf, ids } = state;
  const k = ids.length;
  const rest = { ...change, choice: null };
  if (documents) {
    const { counts, holders } = sumWords(documents.X, model.labels, topicOf, k);
    const measures = measureTopics(model, topicOf, documents, words, counts);
    return { ...state, ...rest, counts, holders, measures };
  }
  const labels = model.labels.subarray(state.model.samples);
  const added = sumWords(batch.X, labels, topicOf, k).counts;
  const old = state.words.length;
  const counts = added.map((count, q) => {
    const f = q % words.length;
    return f < old ? count + state.counts[Math.floor(q / words.length) * old + f] : count;
  });
  return { ...state, ...rest, counts, measures: extendMeasures(state, batch, labels, words, counts) };
}

function joinDocuments(old: Documents, batch: Documents): Documents {
  const { X } = old;
  const wide = Sparse.trust(X.samples, batch.X.features, X.offsets, X.indices, X.values);
  return {
    X: append(wide, batch.X),
    texts: old.texts && batch.texts && [...old.texts, ...batch.texts],
    vectors: old.vectors && batch.vectors && joinVectors(old.vectors, batch.vectors),
  };
}

function joinVectors(a: Matrix, b: Matrix): Matrix {
  if (a.kind === "sparse" && b.kind === "sparse") return append(a, b);
  const [one, other] = [a.toDense(), b.toDense()];
  const data = new Float64Array(one.data.length + other.data.length);
  data.set(one.data);
  data.set(other.data, one.data.length);
  return new Dense(a.samples + b.samples, a.features, data);
}

/** Where the earlier documents are not at hand: typical ones stay, coherence is that of the new ones. */
function extendMeasures(
  { measures, topicOf, ids, model }: TopicsState,
  batch: Documents,
  labels: Labels,
  words: readonly string[],
  counts: Float64Array,
): Measures {
  const { X } = batch;
  const sizes = measures.sizes.slice();
  const empty = [...measures.empty];
  for (let i = 0; i < X.samples; i++) {
    if (isEmpty(batch, i)) empty.push(model.samples + i);
    else sizes[topicOf[labels[i]]]++;
  }
  const table = tabulateWords(counts, ids.length, words);
  const tops = ids.map((_, j) => tellingWords(table, j, COHERENT).map(({ word }) => word));
  return { ...measures, sizes, empty: Uint32Array.from(empty), npmi: npmi(tops, { X, words }) };
}
