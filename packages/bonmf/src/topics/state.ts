import type { KChoice } from "../choose/choice.js";
import type { Matrix } from "../matrix/matrix.js";
import { rowLengths } from "../matrix/prototypes.js";
import type { Sparse } from "../matrix/sparse.js";
import { npmi } from "../measure/coherence.js";
import type { Model } from "../model/model.js";
import type { TextList } from "../text/texts.js";
import type { CountOptions } from "../text/word-counts.js";
import { tabulateWords, tellingWords } from "./topic-words.js";

/** Documents in the order given. */
export interface Documents {
  /** n × m counts of words. */
  readonly X: Sparse;
  readonly texts: TextList | null;
  /** n vectors, or words and vectors joined, where the model was fitted on them. */
  readonly vectors: Matrix | null;
}

/** How documents are compared by their words and their vectors together: by the weighted mean of both cosines. */
export interface Blend {
  /** Of the vectors; the words have the rest. */
  readonly weight: number;
  /** The idf of each of m words. */
  readonly idf: Float64Array;
}

/** Documents that fit no topic and are like each other. */
export interface Proposal {
  /** Their words, the most telling first. */
  readonly words: readonly string[];
  /** Their numbers among all documents. */
  readonly documents: readonly number[];
}

/** What a `Topics` is made of. k topics, m words, n documents. */
export interface TopicsState {
  readonly model: Model;
  readonly words: readonly string[];
  /** The topic of each cluster of the model: merged topics have several clusters. */
  readonly topicOf: Uint32Array;
  /** k ids, which stay with a topic for ever. */
  readonly ids: readonly number[];
  /** k names that somebody gave, or null. */
  readonly given: readonly (string | null)[];
  /** Ids from here on were never used. */
  readonly nextId: number;
  /** k × m: how many documents of each topic have each word. */
  readonly counts: Float64Array;
  /** m: how many documents have each word. */
  readonly holders: Float64Array;
  readonly measures: Measures;
  /** How words were counted. */
  readonly rules: CountOptions;
  /** Null where the model sees words alone, or vectors alone. */
  readonly blend: Blend | null;
  readonly documents: Documents | null;
  readonly choice: KChoice | null;
  readonly proposals: readonly Proposal[];
  /** Seed words that are not counted; absent where none were given to this fit. */
  readonly unknownSeeds?: readonly string[];
}

/** What is known of the documents of each topic. */
export interface Measures {
  /** k numbers of documents that have words. */
  readonly sizes: Float64Array;
  /** The documents that have none of the words, rising. */
  readonly empty: Uint32Array;
  /** k lists of documents, those nearest to the topic's prototype first, none twice. */
  readonly typical: readonly (readonly number[])[];
  /** k × 21 quantiles of the cosines between the documents of a topic and their prototype, from the least to the largest. */
  readonly fits: Float64Array;
  /** k coherences of the most telling words. */
  readonly npmi: readonly number[];
}

/** Quantiles of `fits`. */
export const QUANTILES = 21;
/** Typical documents of a topic that are kept. */
export const TYPICAL = 10;
/** Words whose coherence is measured. */
export const COHERENT = 10;

/** How many documents of each topic have each word, and how many of all. A document that repeats a word says nothing of others. */
export function sumWords(
  X: Sparse,
  labels: ArrayLike<number>,
  topicOf: Uint32Array,
  k: number,
): { counts: Float64Array; holders: Float64Array } {
  const m = X.features;
  const { offsets, indices } = X;
  // Whole numbers of half the size: the table of many words stays in the cache.
  const counts = new Uint32Array(k * m);
  for (let i = 0; i < X.samples; i++) {
    const base = topicOf[labels[i]] * m;
    for (let p = offsets[i]; p < offsets[i + 1]; p++) counts[base + indices[p]]++;
  }
  const holders = new Float64Array(m);
  for (let at = 0; at < counts.length; at++) holders[at % m] += counts[at];
  return { counts: Float64Array.from(counts), holders };
}

/**
 * Measures the topics of documents; what takes longer, when it is asked for.
 *
 * @param kindOf a number for each document that equal ones share; default: its own
 */
export function measureTopics(
  model: Model,
  topicOf: Uint32Array,
  documents: Documents,
  words: readonly string[],
  counts: Float64Array,
  kindOf?: ArrayLike<number>,
): Measures {
  const { X, vectors } = documents;
  const k = Math.max(...topicOf) + 1;
  const sizes = new Float64Array(k);
  const empty: number[] = [];
  for (let i = 0; i < X.samples; i++) {
    if (isEmpty(documents, i)) empty.push(i);
    else sizes[topicOf[model.labels[i]]]++;
  }
  const members = lazily(() => {
    const lists: number[][] = Array.from({ length: k }, () => []);
    for (let i = 0; i < X.samples; i++) if (!isEmpty(documents, i)) lists[topicOf[model.labels[i]]].push(i);
    return rankMembers(lists, fitOwn(model, vectors ?? X), kindOf);
  });
  const coherences = lazily(() => {
    const table = tabulateWords(counts, k, words);
    const tops = Array.from(sizes, (_, j) => tellingWords(table, j, COHERENT).map(({ word }) => word));
    return npmi(tops, { X, words });
  });
  return {
    sizes,
    empty: Uint32Array.from(empty),
    get typical() {
      return members().typical;
    },
    get fits() {
      return members().fits;
    },
    get npmi() {
      return coherences();
    },
  };
}

/** Finds something once, when it is first asked for. */
export function lazily<T>(find: () => T): () => T {
  let found: { readonly value: T } | null = null;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}

/** @param cosines of all documents and their prototypes */
function rankMembers(
  lists: readonly number[][],
  cosines: Float64Array,
  kindOf: ArrayLike<number> | undefined,
): Pick<Measures, "typical" | "fits"> {
  const fits = new Float64Array(lists.length * QUANTILES);
  const typical = lists.map((list, j) => {
    const sorted = list.sort((a, b) => cosines[a] - cosines[b] || b - a);
    for (let q = 0; q < QUANTILES && sorted.length > 0; q++) {
      fits[j * QUANTILES + q] = cosines[sorted[Math.round((q * (sorted.length - 1)) / (QUANTILES - 1))]];
    }
    return takeTypical(sorted, kindOf);
  });
  return { typical, fits };
}

function takeTypical(sorted: readonly number[], kindOf: ArrayLike<number> | undefined): number[] {
  const seen = new Set<number>();
  const taken: number[] = [];
  for (let at = sorted.length - 1; at >= 0 && taken.length < TYPICAL; at--) {
    const kind = kindOf ? kindOf[sorted[at]] : sorted[at];
    if (seen.has(kind)) continue;
    seen.add(kind);
    taken.push(sorted[at]);
  }
  return taken;
}

/** Whether a document has nothing that the model sees: none of the words, or a vector of zeros. */
export function isEmpty({ X, vectors }: Pick<Documents, "X" | "vectors">, i: number): boolean {
  const seen = vectors ?? X;
  if (seen.kind === "sparse") return seen.offsets[i] === seen.offsets[i + 1];
  return seen.row(i).every((value) => value === 0);
}

/** The cosine of each document and the prototype of its cluster. @param labels default: those of the model */
export function fitOwn(model: Model, X: Matrix, labels: ArrayLike<number> = model.labels): Float64Array {
  return cosinesToOwn(model.prepare(X), model.W.data as Float64Array, model.k, labels);
}

/**
 * The cosine of each sample and the prototype of its cluster.
 *
 * @param Z n × m, scaled
 * @param W k × m
 */
export function cosinesToOwn(Z: Matrix, W: Float64Array, k: number, labels: ArrayLike<number>): Float64Array {
  const m = W.length / k;
  const lengths = rowLengths(W, k);
  const cosines = new Float64Array(Z.samples);
  for (let i = 0; i < Z.samples; i++) {
    const base = labels[i] * m;
    let dot = 0;
    let own = 0;
    Z.each(i, (f, value) => {
      dot += value * W[base + f];
      own += value * value;
    });
    const length = Math.sqrt(own) * lengths[labels[i]];
    cosines[i] = length > 0 ? dot / length : 0;
  }
  return cosines;
}
