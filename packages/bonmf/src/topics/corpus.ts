import { DataError, OptionError, quote } from "../errors.js";
import { checkValues, type Matrix, valuesOf } from "../matrix/matrix.js";
import { Sparse } from "../matrix/sparse.js";
import type { WatchOptions } from "../model/options.js";
import { hashTexts } from "../text/equal-texts.js";
import type { Stem } from "../text/stems.js";
import { type TextList, Texts } from "../text/texts.js";
import { type CountOptions, checkOptions, countedAs, countWords } from "../text/word-counts.js";
import { countWordsInThreads } from "./count-texts.js";
import { type Comparison, type Distinct, findDistinct, hashNumber } from "./distinct.js";
import { limitWords } from "./limit-words.js";
import type { Blend, Documents } from "./state.js";

/** Words that are counted already. */
export interface CountedDocuments {
  /** n documents × m words. */
  readonly counts: Sparse;
  /** m words. */
  readonly vocabulary: readonly string[];
  /** The n texts, for sentences, passages and coherence within windows of words. */
  readonly documents?: TextList | undefined;
  /** n vectors, one a document, made by a language model: documents are compared by them too. See `vectorWeight`. */
  readonly vectors?: Matrix | undefined;
}

/** Texts, with vectors. */
export interface TextDocuments {
  readonly documents: TextList;
  readonly vectors?: Matrix | undefined;
}

/** What topics are found in. */
export type DocumentInput = readonly string[] | TextDocuments | CountedDocuments;

/** Documents, counted. */
export interface Corpus {
  /** n × m, in the order given. */
  readonly X: Sparse;
  /** m words, sorted by code unit. */
  readonly words: readonly string[];
  readonly texts: TextList | null;
  /** What the method sees instead of counts. */
  readonly vectors: Matrix | null;
  readonly blend: Blend | null;
  readonly distinct: Distinct;
  /** The rows of different documents, in their order, where they are at hand. */
  readonly different: Sparse | null;
  /** What a word of a text is counted as. */
  readonly countedAs: Stem;
}

interface Watch extends Pick<WatchOptions, "signal" | "threads"> {
  /** How much vectors count. Of 0, documents that differ by their vectors alone are the same. */
  readonly vectorWeight?: number | undefined;
}

/** Counts the words of documents that were not seen before. Limits on words apply to different documents. */
export async function readCorpus(
  input: DocumentInput,
  options: CountOptions,
  { vectorWeight, ...watch }: Watch = {},
): Promise<Corpus> {
  const { documents, counts, vocabulary, vectors } = openInput(input);
  const compared = vectorWeight === 0 ? null : vectors;
  if (vectors) checkVectors(vectors, (counts ?? documents)!);
  if (counts) {
    checkOptions(options);
    const findRows = () => findDistinct(compareRows([counts])).firsts;
    const { X, words } = sortWords(counts, vocabulary!, limitWords(counts, vocabulary!, findRows, options));
    const distinct = findDistinct(compareRows(compared ? [X, compared] : [X]));
    return {
      X,
      words,
      texts: documents,
      vectors,
      blend: null,
      distinct,
      different: null,
      countedAs: countedAs(words, options),
    };
  }
  const texts = documents!;
  const distinct = findDistinct(compareTexts(texts, compared));
  const different = Array.from(distinct.firsts, (i) => texts.at(i)!);
  const { X, words } = await countWordsInThreads(different, { ...options, ...watch });
  const known = options.vocabulary ? sortWords(X, words) : { X, words };
  const own = { vectors, blend: null, distinct, different: known.X, countedAs: countedAs(known.words, options) };
  return { X: known.X.take(distinct.kindOf), words: known.words, texts, ...own };
}

/** Counts known words. */
export function countKnown(
  input: DocumentInput,
  vocabulary: readonly string[],
  { stem, stopWords }: Pick<CountOptions, "stem" | "stopWords">,
): Documents {
  const { documents, counts, vocabulary: own, vectors } = openInput(input);
  if (vectors) checkVectors(vectors, (counts ?? documents)!);
  const X = counts ? moveWords(counts, own!, vocabulary) : countWords(documents!, { vocabulary, stem, stopWords }).X;
  return { X, texts: documents, vectors };
}

interface Opened {
  readonly documents: TextList | null;
  readonly counts: Sparse | null;
  readonly vocabulary: readonly string[] | null;
  readonly vectors: Matrix | null;
}

function openInput(input: DocumentInput): Opened {
  if (isList(input)) {
    checkTexts(input);
    return { documents: input, counts: null, vocabulary: null, vectors: null };
  }
  if (typeof input !== "object" || input === null) {
    throw new OptionError("documents", input, `documents must be an array of texts, not ${quote(input)}`);
  }
  const { documents = null, vectors = null } = input;
  if (documents) checkTexts(documents);
  if (!("counts" in input)) {
    if (documents) return { documents, counts: null, vocabulary: null, vectors };
    throw new OptionError("documents", input, "give texts as { documents }, or counts as { counts, vocabulary }");
  }
  const { counts, vocabulary } = input;
  checkCounts(counts, vocabulary, documents);
  return { documents, counts, vocabulary, vectors };
}

function isList(input: DocumentInput): input is readonly string[] {
  return Array.isArray(input);
}

function checkTexts(texts: TextList): void {
  if (texts.length === 0) throw new DataError("empty", "there are no documents: at least one is needed");
  if (texts instanceof Texts) return;
  const sample = texts.findIndex((text) => typeof text !== "string");
  if (sample < 0) return;
  const value = texts[sample];
  throw new DataError("type", `document ${sample} is ${quote(value)}, not a text`, { sample, value });
}

function checkCounts(counts: Sparse, words: readonly string[], texts: TextList | null): void {
  if (!(counts instanceof Sparse)) {
    throw new OptionError("counts", counts, `counts must be a Sparse matrix, not ${quote(counts)}`);
  }
  checkValues(counts, { signed: false, featureNames: words });
  if (!Array.isArray(words) || words.length !== counts.features || new Set(words).size !== words.length) {
    const message = `the vocabulary must have ${counts.features} different words, one for each column of counts`;
    throw new OptionError("vocabulary", words, message);
  }
  if (texts && texts.length !== counts.samples) {
    throw new DataError("length", `there are ${counts.samples} rows of counts but ${texts.length} documents`);
  }
}

function checkVectors(vectors: Matrix, documents: Sparse | TextList): void {
  const n = "samples" in documents ? documents.samples : documents.length;
  checkValues(vectors, { signed: true });
  if (vectors.samples !== n) {
    throw new DataError("length", `there are ${n} documents but ${vectors.samples} vectors: give one for each`);
  }
}

function compareTexts(texts: TextList, vectors: Matrix | null): Comparison {
  const rows = vectors && compareRows([vectors]);
  const hashes = hashTexts(texts);
  const compare = (i: number, j: number) => {
    const [a, b] = [texts.at(i)!, texts.at(j)!];
    return a < b ? -1 : a > b ? 1 : 0;
  };
  return {
    samples: texts.length,
    hash: (i) => hashes[i],
    compare: rows ? (i, j) => compare(i, j) || rows.compare(i, j) : compare,
  };
}

/** Rows of several matrices side by side. */
export function compareRows(parts: readonly Matrix[]): Comparison {
  return {
    samples: parts[0].samples,
    hash: (i) => parts.reduce((hash, X) => hashRow(X, i, hash), hashNumber(0)),
    compare(i, j) {
      for (const X of parts) {
        const difference = X.kind === "sparse" ? compareSparse(X, i, j) : compareNumbers(X.row(i), X.row(j));
        if (difference !== 0) return difference;
      }
      return 0;
    },
  };
}

function hashRow(X: Matrix, i: number, begun: number): number {
  const sparse = X.kind === "sparse";
  const values = valuesOf(X);
  const [from, to] = sparse ? [X.offsets[i], X.offsets[i + 1]] : [i * X.features, (i + 1) * X.features];
  let hash = begun;
  for (let p = from; p < to; p++) {
    // Counts are whole numbers as a rule; of others a hash needs some digits only.
    if (values[p] !== 0)
      hash = hashNumber(Math.trunc(values[p] * 1024), hashNumber(sparse ? X.indices[p] : p - from, hash));
  }
  return hash;
}

function compareSparse({ offsets, indices, values }: Sparse, i: number, j: number): number {
  const a = offsets[i];
  const b = offsets[j];
  const length = offsets[i + 1] - a;
  if (length !== offsets[j + 1] - b) return length - (offsets[j + 1] - b);
  for (let e = 0; e < length; e++)
    if (indices[a + e] !== indices[b + e]) return indices[a + e] < indices[b + e] ? -1 : 1;
  for (let e = 0; e < length; e++) if (values[a + e] !== values[b + e]) return values[a + e] < values[b + e] ? -1 : 1;
  return 0;
}

function compareNumbers(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) return a.length - b.length;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return a[at] < b[at] ? -1 : 1;
  return 0;
}

/** The columns of some words, in the order of the words. */
function sortWords(
  X: Sparse,
  vocabulary: readonly string[],
  kept: readonly string[] = vocabulary,
): { X: Sparse; words: string[] } {
  const words = [...kept].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return { X: moveWords(X, vocabulary, words), words };
}

/** The columns of other words, in their order; 0 for words that the columns do not have. */
export function moveWords(X: Sparse, from: readonly string[], to: readonly string[]): Sparse {
  if (from.length === to.length && from.every((word, f) => word === to[f])) return X;
  const places = new Map(to.map((word, f) => [word, f]));
  const columns = Int32Array.from(from, (word) => places.get(word) ?? -1);
  const rows = function* (): Generator<[number, number][]> {
    for (let i = 0; i < X.samples; i++) {
      const row: [number, number][] = [];
      X.each(i, (f, value) => {
        if (columns[f] >= 0) row.push([columns[f], value]);
      });
      yield row;
    }
  };
  return Sparse.from(rows(), to.length, X.precision);
}
