import type { KChoice } from "../choose/choice.js";
import { OptionError } from "../errors.js";
import { METHODS } from "../factor/methods/index.js";
import { allocateLabels, type Codes } from "../kernel/step.js";
import { checkKnown } from "../known-options.js";
import type { Matrix } from "../matrix/matrix.js";
import { AbortError } from "../model/abort.js";
import { fit, fitFrom } from "../model/fit.js";
import { Model } from "../model/model.js";
import { checkTags, type FitOptions, resolveOptions } from "../model/options.js";
import { chooseRestarts } from "../model/restarts.js";
import { COUNT_OPTIONS, type CountOptions } from "../text/word-counts.js";
import { chooseNumber } from "./choose-topics.js";
import { type Corpus, compareRows, type DocumentInput } from "./corpus.js";
import { findDistinct } from "./distinct.js";
import { type Job, openJob, shared } from "./job.js";
import { carryPrototypes, matchTopics } from "./match.js";
import { findUnknown, seedPrototypes } from "./seed-words.js";
import { findStart, type StartOptions, TOLERANCE } from "./starts.js";
import { isEmpty, measureTopics, sumWords } from "./state.js";
import { pick, TOPIC_OPTIONS, type TopicOptions } from "./topic-options.js";
import { Topics } from "./topics.js";

/** Options of counting that hold where the words are known. */
const KNOWN = { stem: true, stopWords: true };

/**
 * Finds topics in documents: counts their words, groups the documents, and tells each group by its words. Neither the order of
 * the documents nor copies of all of them change the topics. The largest topic is the first.
 *
 * @param input n texts; `{ documents, vectors }`, with vectors that a language model made; or `{ counts, vocabulary }`, where
 * words are counted already: all of them are used, unless `minDocuments`, `maxShare`, `maxWords` or `stopWords` leave some out
 * @throws DataError for documents that cannot be used, OptionError for a bad option, AbortError when `signal` aborts
 *
 * @example
 * ```ts
 * import { topics } from "bonmf";
 * const documents = [
 *   "The cat chased a mouse", "A mouse fears the cat", "Cat and mouse",
 *   "Stocks fell with bonds", "Bonds and stocks rose", "The bank sold bonds",
 * ];
 * const found = await topics(documents, { k: 2, maxShare: 0.6 });
 * found.list.map(({ size }) => size); // → [3, 3]
 * found.list.map(({ telling }) => telling[0].word).sort(); // → ["bonds", "cat"]
 * found.labels[0] === found.labels[1]; // → true
 * ```
 */
export async function topics(input: DocumentInput, options: TopicOptions = {}): Promise<Topics> {
  checkKnown(options, TOPIC_OPTIONS, "topics");
  const { previous } = options;
  if (previous !== undefined && !(previous instanceof Topics)) {
    throw new OptionError("previous", previous, "previous must be what topics or loadTopics returned");
  }
  if (previous !== undefined && options.seedWords !== undefined) {
    const message = "topics that go on from previous ones take no seedWords: omit one of them";
    throw new OptionError("seedWords", options.seedWords, message);
  }
  options.signal?.throwIfAborted();
  const tags = checkTags(options.tags);
  const job: Job = await openJob(input, { ...options, tags });
  const { k, choice } = await decideK(job);
  const { model, kept } = await fitTopics(job, k);
  return describe(job, model, kept, { rules: pick(options, COUNT_OPTIONS), choice });
}

async function decideK(job: Job): Promise<{ k: number; choice: KChoice | null }> {
  const { corpus, options } = job;
  const { previous, k = previous?.list.length ?? "auto", signal } = options;
  if (k !== "auto") {
    const different = countDifferent(corpus, k);
    if (k > different) throw new OptionError("k", k, describeExcess(k, different, corpus));
    return { k, choice: null };
  }
  const choice = await chooseNumber({ ...job, options: { ...options, fits: false } });
  if (choice.k === null) throw new AbortError(null, signal?.reason);
  return { k: choice.k, choice };
}

/** How many topics can have documents: as many as different ones that the method sees anything of. @param enough not counted beyond */
function countDifferent(corpus: Corpus, enough: number): number {
  const { X, vectors, distinct } = corpus;
  const { hash } = compareRows([vectors ?? X]);
  const held: number[] = [];
  const hashes = new Set<number>();
  for (const i of distinct.firsts) {
    if (isEmpty(corpus, i)) continue;
    held.push(i);
    if (hashes.add(hash(i)).size >= enough) return enough;
  }
  return Math.max(1, findDistinct(compareRows([(vectors ?? X).take(held)])).firsts.length);
}

function describeExcess(k: number, different: number, { vectors }: Corpus): string {
  const are = different === 1 ? "is only 1 different document" : `are only ${different} different documents`;
  return `k is ${k} but there ${are}${vectors ? "" : " with words"}: choose a k of 1 … ${different}`;
}

/** @returns the model on different documents, and how many of its clusters have a place of their own, the first */
async function fitTopics(job: Job, k: number): Promise<{ model: Model; kept: number }> {
  const { corpus, options } = job;
  const { X, rest } = shared(job);
  const { onStep, onStart, previous, seedWords, tags } = options;
  const own = { ...rest, k, tags, onStep, onStart, ...(corpus.vectors === null && { featureNames: corpus.words }) };
  const oneHot = METHODS[rest.method].form !== "real";
  const plain = {
    ...own,
    ...(oneHot && { init: "plusplus" as const }),
    restarts: options.restarts ?? chooseRestarts({ samples: X.samples, features: X.features, k, method: rest.method }),
  };
  if (previous !== undefined) {
    const init = await carryPrototypes(previous.state, corpus, X, k, (X, k) =>
      fit(X, { ...plain, k, weights: undefined }),
    );
    return { model: init === null ? await fit(X, plain) : await fit(X, { ...own, init }), kept: 0 };
  }
  const found = corpus.vectors === null && oneHot ? await fitWords(X, own, options.restarts) : await fit(X, plain);
  if (seedWords === undefined) return { model: found, kept: 0 };
  const { init, anchored, weights } = seedPrototypes(found, seedWords, corpus, rest.weights);
  const seeded = await fit(anchored, { ...own, init, weights });
  return { model: cutSamples(seeded, X.samples), kept: seedWords.length };
}

/** The fit of all documents begins where tries on some of them ended. */
function fitWords(X: Matrix, options: FitOptions, restarts: number | undefined): Promise<Model> {
  const { k, method = "bonmf", seed, threads, signal } = options;
  resolveOptions({ ...options, restarts }, X.samples, X.features);
  const start: StartOptions = { k, method, seed, restarts, threads, signal };
  return fitFrom(X, { ...options, tolerance: TOLERANCE }, (Z, weights) => findStart(Z, weights, start));
}

/** The model of the first samples alone. */
function cutSamples(model: Model, samples: number): Model {
  const { k, codes } = model;
  const labels = model.labels.slice(0, samples);
  const width = codes.form === "real" ? k : 1;
  const values = codes.values?.slice(0, samples * width) ?? null;
  const { counts: _, ...parts } = model;
  const W = model.W.data as Float64Array;
  return new Model({ ...parts, W, labels, codes: { ...codes, labels: codes.labels && labels, values } });
}

function describe(
  { corpus, options }: Job,
  fitted: Model,
  kept: number,
  { rules, choice }: { rules: CountOptions; choice: KChoice | null },
): Topics {
  const { X, words, texts, vectors, blend, distinct } = corpus;
  const spread = spreadModel(fitted, corpus, kept);
  const identity = Uint32Array.from({ length: spread.k }, (_, j) => j);
  const { ids, given, nextId, order } = matchTopics(options.previous?.state ?? null, spread, corpus);
  const model = order === null ? spread : reorder(spread, order, corpus);
  const { counts, holders } = sumWords(X, model.labels, identity, model.k);
  const documents = { X, texts, vectors };
  const measures = measureTopics(model, identity, documents, words, counts, distinct.kindOf);
  return new Topics({
    model,
    words,
    topicOf: identity,
    ids,
    given,
    nextId,
    counts,
    holders,
    measures,
    rules: options.vocabulary || !texts ? { ...pick(rules, KNOWN), vocabulary: words } : rules,
    blend,
    documents,
    choice,
    proposals: [],
    unknownSeeds: findUnknown(options.seedWords ?? [], corpus),
  });
}

/** The model of all documents: copies have the label of the first, and clusters are in the order of their size. */
function spreadModel(model: Model, corpus: Corpus, kept: number): Model {
  const { kindOf } = corpus.distinct;
  const sizes = new Float64Array(model.k);
  for (let i = 0; i < kindOf.length; i++) {
    if (!isEmpty(corpus, i)) sizes[model.labels[kindOf[i]]]++;
  }
  const free = Array.from({ length: model.k - kept }, (_, j) => j + kept);
  free.sort((a, b) => sizes[b] - sizes[a] || a - b);
  const first = Array.from({ length: kept }, (_, j) => j);
  return arrange(model, [...first, ...free], kindOf, corpus);
}

function reorder(model: Model, order: readonly number[], corpus: Corpus): Model {
  const all = Uint32Array.from({ length: model.samples }, (_, i) => i);
  return arrange(model, order, all, corpus);
}

/**
 * @param order the clusters in their new order
 * @param rows the sample of the model that each document is
 */
function arrange(model: Model, order: readonly number[], rows: Uint32Array, corpus: Corpus): Model {
  const { k, codes } = model;
  const place = new Uint32Array(k);
  order.forEach((old, now) => {
    place[old] = now;
  });
  const labels = allocateLabels(rows.length, k);
  let zeroSamples = 0;
  for (let i = 0; i < rows.length; i++) {
    const empty = isEmpty(corpus, i);
    zeroSamples += Number(empty);
    // Documents without words are in cluster 0, as `predict` has them.
    labels[i] = empty ? 0 : place[model.labels[rows[i]]];
  }
  const { counts: _, ...parts } = model;
  return new Model({
    ...parts,
    W: model.W.take(order).data as Float64Array,
    labels,
    codes: arrangeCodes(codes, order, rows, labels),
    zeroSamples,
  });
}

function arrangeCodes(codes: Codes, order: readonly number[], rows: Uint32Array, labels: Model["labels"]): Codes {
  const { form, k, values } = codes;
  if (form === "labels") return { ...codes, labels };
  if (form === "rays") return { ...codes, labels, values: Float64Array.from(rows, (row) => values![row]) };
  const moved = new Float64Array(rows.length * k);
  for (let i = 0; i < rows.length; i++) {
    for (let j = 0; j < k; j++) moved[i * k + j] = values![rows[i] * k + order[j]];
  }
  return { ...codes, values: moved };
}
