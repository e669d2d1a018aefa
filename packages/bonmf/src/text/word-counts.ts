import { DataError, OptionError, quote } from "../errors.js";
import { checkKnown, type KnownOptions } from "../known-options.js";
import { Sparse } from "../matrix/sparse.js";
import { isStopWord, splitWords } from "./words.js";

/** Options of {@link countWords}. */
export interface CountOptions {
  /** Whether to leave out "the", "of", "is" …; only English stop words are known. Default true. */
  stopWords?: boolean | undefined;
  /** Words in fewer texts are left out. Default 2; 1 for fewer than 20 texts. */
  minDocuments?: number | undefined;
  /** Words in more than this share of the texts are left out. Default 0.5. */
  maxShare?: number | undefined;
  /** The most words to keep: those in the most texts; ties go to the first by code unit. Default 20,000. */
  maxWords?: number | undefined;
  /** Counts exactly these words, for new texts of an earlier model. The other options are then ignored. */
  vocabulary?: readonly string[] | undefined;
}

const COUNT_OPTIONS: KnownOptions<CountOptions> = {
  stopWords: true,
  minDocuments: true,
  maxShare: true,
  maxWords: true,
  vocabulary: true,
};

/** The result of {@link countWords}. */
export interface WordCounts {
  /** n texts × m words: how often each word occurs. A text without any of the words is a row of zeros. */
  X: Sparse;
  /** m words, sorted by code unit; or the given vocabulary. */
  words: string[];
}

const FEW = 20;

/**
 * Counts the words of texts, for topic models: `fit(X, { scale: "tfidf", featureNames: words })`. A word is a sequence of
 * letters and digits of any script, with hyphens and apostrophes inside; it is counted in lower case. Chinese and
 * Japanese texts need spaces between words.
 *
 * @param texts n texts
 * @throws DataError when no word is left, OptionError for a bad limit or vocabulary
 *
 * @example
 * ```ts
 * import { countWords } from "bonmf";
 * const { X, words } = countWords(["Cats chase mice.", "The mice fear cats!", "Stocks fell; bonds fell too."], {
 *   maxShare: 0.7,
 * });
 * words; // → ["bonds", "cats", "chase", "fear", "fell", "mice", "stocks"]
 * X.row(2); // → [1, 0, 0, 0, 2, 0, 1]
 * countWords(["Bonds for cats"], { vocabulary: words }).X.row(0); // → [1, 1, 0, 0, 0, 0, 0]
 * ```
 */
export function countWords(texts: Iterable<string>, options: CountOptions = {}): WordCounts {
  checkKnown(options, COUNT_OPTIONS, "countWords");
  const { vocabulary } = options;
  if (vocabulary) return countKnown(texts, vocabulary);
  checkOptions(options);
  const rows = new Counts((word) => options.stopWords === false || !isStopWord(word));
  for (const text of texts) rows.add(text);
  if (rows.samples === 0) throw new DataError("empty", "there are no texts: at least one is needed");
  const words = chooseWords(rows, options);
  return { X: rows.toSparse(words), words };
}

function countKnown(texts: Iterable<string>, vocabulary: readonly string[]): WordCounts {
  const known = new Set(vocabulary);
  if (known.size !== vocabulary.length) {
    throw new OptionError("vocabulary", vocabulary, "the vocabulary names a word twice: give each word once");
  }
  const rows = new Counts((word) => known.has(word));
  for (const text of texts) rows.add(text);
  return { X: rows.toSparse(vocabulary), words: [...vocabulary] };
}

function checkOptions({ minDocuments, maxShare, maxWords }: CountOptions): void {
  for (const [name, value] of Object.entries({ minDocuments, maxWords })) {
    if (value === undefined || (Number.isInteger(value) && value > 0)) continue;
    throw new OptionError(name, value, `${name} must be a whole number, 1 or more, not ${quote(value)}`);
  }
  if (maxShare !== undefined && !(maxShare > 0 && maxShare <= 1)) {
    throw new OptionError("maxShare", maxShare, `maxShare must be above 0 and at most 1, not ${quote(maxShare)}`);
  }
}

function chooseWords({ ids, holders, samples }: Counts, options: CountOptions): string[] {
  const { minDocuments = samples < FEW ? 1 : 2, maxShare = 0.5, maxWords = 20_000 } = options;
  const most = Math.max(1, maxShare * samples);
  const words = [...ids].filter(([, id]) => holders[id] >= minDocuments && holders[id] <= most);
  if (words.length === 0) {
    throw new DataError(
      "empty",
      `none of the ${ids.size} words in ${samples} texts is left: each is in fewer than ${minDocuments} texts ` +
        `(lower minDocuments) or in more than ${100 * maxShare} % of them (raise maxShare)`,
    );
  }
  return words
    .sort(([a, idA], [b, idB]) => holders[idB] - holders[idA] || compare(a, b))
    .slice(0, maxWords)
    .map(([word]) => word)
    .sort(compare);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Counts all words, before it is known which ones are kept. */
class Counts {
  samples = 0;
  /** The number of each word, in the order of first occurrence. */
  readonly ids = new Map<string, number>();
  /** How many texts contain each word, by number. */
  readonly holders: number[] = [];
  readonly #takes: (word: string) => boolean;
  readonly #offsets: number[] = [0];
  #stored = 0;
  #entries = new Uint32Array(1024);
  #counts = new Float32Array(1024);

  constructor(takes: (word: string) => boolean) {
    this.#takes = takes;
  }

  add(text: string): void {
    const row = new Map<string, number>();
    for (const word of splitWords(text)) if (this.#takes(word)) row.set(word, (row.get(word) ?? 0) + 1);
    if (this.#stored + row.size > this.#entries.length) this.#grow(row.size);
    for (const [word, count] of row) {
      const id = this.ids.get(word) ?? this.ids.size;
      if (id === this.ids.size) this.ids.set(word, id);
      this.holders[id] = (this.holders[id] ?? 0) + 1;
      this.#entries[this.#stored] = id;
      this.#counts[this.#stored++] = count;
    }
    this.samples++;
    this.#offsets.push(this.#stored);
  }

  #grow(need: number): void {
    const length = Math.max(2 * this.#entries.length, this.#stored + need);
    const entries = new Uint32Array(length);
    entries.set(this.#entries);
    const counts = new Float32Array(length);
    counts.set(this.#counts);
    this.#entries = entries;
    this.#counts = counts;
  }

  /** The counts of the given words, one feature for each. */
  toSparse(words: readonly string[]): Sparse {
    const features = new Int32Array(this.ids.size).fill(-1);
    for (const [feature, word] of words.entries()) {
      const id = this.ids.get(word);
      if (id !== undefined) features[id] = feature;
    }
    const offsets = new Uint32Array(this.samples + 1);
    const indices = new Uint32Array(this.#stored);
    const values = new Float32Array(this.#stored);
    let length = 0;
    for (let i = 0; i < this.samples; i++) {
      const row: [number, number][] = [];
      for (let p = this.#offsets[i]; p < this.#offsets[i + 1]; p++) {
        const feature = features[this.#entries[p]];
        if (feature >= 0) row.push([feature, this.#counts[p]]);
      }
      for (const [feature, count] of row.sort((a, b) => a[0] - b[0])) {
        indices[length] = feature;
        values[length++] = count;
      }
      offsets[i + 1] = length;
    }
    return new Sparse(this.samples, words.length, offsets, indices.slice(0, length), values.slice(0, length));
  }
}
