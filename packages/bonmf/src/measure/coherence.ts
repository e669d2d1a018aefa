import { DataError, OptionError, quote } from "../errors.js";
import type { Sparse } from "../matrix/sparse.js";
import { ln } from "../random.js";

/** Documents that coherence is measured on: the words of each in order, or counts of words. */
export type CoherenceDocuments =
  | Iterable<readonly string[]>
  | { readonly X: Sparse; readonly words: readonly string[] };

/** As gensim has it: no logarithm of 0. */
const EPSILON = 1e-12;
/** Words of a window of C_V (Röder, Both and Hinneburg 2015). */
const WINDOW = 110;

/**
 * The coherence of topics by normalised pointwise mutual information (Bouma 2009): the mean over pairs of a topic's words of
 * ln(p(a, b) / (p(a) p(b))) / −ln p(a, b), p being shares of documents. 1: the words always come together; 0: as by chance;
 * −1: never. Gensim's `c_npmi`, with whole documents where no window is given.
 *
 * @param topics lists of words
 * @param documents the words of each document, or `{ X, words }` of `countWords`
 * @param window counts windows of so many consecutive words in place of documents
 * @returns one number a topic; NaN for a topic of fewer than two words
 *
 * @example
 * ```ts
 * import { npmi } from "bonmf";
 * const documents = [["cat", "dog"], ["cat", "dog"], ["tax"], ["tax", "cat"]];
 * npmi([["cat", "dog"], ["cat", "tax"]], documents); // → [0.415…, -0.292…]
 * ```
 */
export function npmi(topics: readonly (readonly string[])[], documents: CoherenceDocuments, window?: number): number[] {
  const { results, total } = countPairs(topics, documents, window);
  return results.map(({ pairs, size }) => {
    let sum = 0;
    for (let a = 0; a < size; a++) {
      for (let b = 0; b < a; b++) sum += pointwise(pairs, size, total, a, b);
    }
    return sum / ((size * (size - 1)) / 2);
  });
}

/**
 * The coherence C_V of topics (Röder, Both and Hinneburg 2015), which agrees best with people's judgement: each word is a vector
 * of its normalised mutual information with all words of the topic, in windows of 110 words; the mean cosine of these vectors
 * and their sum. From 0 to 1. Gensim's `c_v`.
 *
 * @param topics lists of words
 * @param documents the words of each document; of counts, a document is one window
 * @param window the number of words of a window. Default 110
 * @returns one number a topic; NaN for a topic of fewer than two words
 *
 * @example
 * ```ts
 * import { cv } from "bonmf";
 * const documents = [["cat", "dog"], ["cat", "dog"], ["tax"], ["tax", "cat"]];
 * cv([["cat", "dog"]], documents); // → [0.924…]
 * ```
 */
export function cv(
  topics: readonly (readonly string[])[],
  documents: CoherenceDocuments,
  window: number = WINDOW,
): number[] {
  return cvOf(countPairs(topics, documents, window));
}

/** The same, of documents whose words are numbers. @param name the word that a number stands for */
export function cvOfNumbers(
  topics: readonly (readonly string[])[],
  documents: Iterable<ArrayLike<number>>,
  name: (number: number) => string,
): number[] {
  const counter = new PairCounter(topics);
  const known: number[] = [];
  for (const numbers of documents) {
    const words = new Int32Array(numbers.length);
    for (let at = 0; at < numbers.length; at++) {
      const number = numbers[at];
      while (known.length <= number) known.push(counter.numberOf(name(known.length)));
      words[at] = known[number];
    }
    counter.addText(words, WINDOW);
  }
  return cvOf(checkCounted(counter));
}

function cvOf({ results, total }: Pick<PairCounter, "results" | "total">): number[] {
  return results.map(({ pairs, size }) => {
    const vectors = Float64Array.from({ length: size * size }, (_, at) =>
      pointwise(pairs, size, total, Math.floor(at / size), at % size),
    );
    const sum = new Float64Array(size);
    for (let at = 0; at < vectors.length; at++) sum[at % size] += vectors[at];
    let cosines = 0;
    for (let a = 0; a < size; a++) cosines += cosineOf(vectors.subarray(a * size, (a + 1) * size), sum);
    return size < 2 ? Number.NaN : cosines / size;
  });
}

/**
 * The share of different words among the words of all topics: 1 where no topic has a word of another.
 *
 * @example
 * ```ts
 * import { diversity } from "bonmf";
 * diversity([["cat", "dog"], ["cat", "tax"]]); // → 0.75
 * ```
 */
export function diversity(topics: readonly (readonly string[])[]): number {
  const all = topics.flat();
  return all.length === 0 ? Number.NaN : new Set(all).size / all.length;
}

function pointwise(pairs: Float64Array, size: number, total: number, a: number, b: number): number {
  const [both, one, other] = [a * size + b, a * size + a, b * size + b].map((at) => pairs[at] / total);
  // A word that no document has goes with no other, and words that all have with all, as chance would have it. Gensim: −1.
  if (one === 0 || other === 0 || both === 1) return 0;
  return ln((both + EPSILON) / (one * other)) / -ln(both + EPSILON);
}

function cosineOf(u: Float64Array, v: Float64Array): number {
  let [dot, uu, vv] = [0, 0, 0];
  for (let f = 0; f < u.length; f++) {
    dot += u[f] * v[f];
    uu += u[f] * u[f];
    vv += v[f] * v[f];
  }
  return uu > 0 && vv > 0 ? dot / Math.sqrt(uu * vv) : 0;
}

/** How often the words of a topic are in the same document or window. */
interface PairCounts {
  /** size × size; the diagonal has how often each word occurs. */
  readonly pairs: Float64Array;
  readonly size: number;
}

/** Where a word stands in the list of a topic. */
interface Place {
  readonly topic: number;
  readonly at: number;
}

function countPairs(
  topics: readonly (readonly string[])[],
  documents: CoherenceDocuments,
  window: number | undefined,
): Pick<PairCounter, "results" | "total"> {
  if (window !== undefined && !(Number.isInteger(window) && window > 0)) {
    throw new OptionError("window", window, `a window has a whole number of words, 1 or more, not ${quote(window)}`);
  }
  const counter = new PairCounter(topics);
  if ("X" in documents) counter.addCounts(documents.X, documents.words);
  else {
    for (const words of documents) {
      const numbers = Int32Array.from(words, (word) => counter.numberOf(word));
      counter.addText(numbers, window ?? Math.max(1, words.length));
    }
  }
  return checkCounted(counter);
}

function checkCounted(counter: PairCounter): PairCounter {
  if (counter.results.length > 0 && counter.total === 0) {
    throw new DataError("empty", "there are no documents to measure on");
  }
  return counter;
}

/** The number of a word that is in no topic. */
const OTHER = -1;

class PairCounter {
  readonly results: readonly PairCounts[];
  /** How many documents or windows there are. */
  total = 0;
  readonly #numbers = new Map<string, number>();
  /** Of each word: all its places, each with a number of its own. */
  readonly #placesOf: number[][] = [];
  readonly #places: Place[] = [];
  /** Of each topic, the place that a document had last, and of each place the one before it: lists without arrays. */
  readonly #last: Int32Array;
  readonly #before: Int32Array;

  constructor(topics: readonly (readonly string[])[]) {
    this.results = topics.map(({ length }) => ({ pairs: new Float64Array(length * length), size: length }));
    for (const [topic, words] of topics.entries()) {
      for (const [at, word] of words.entries()) {
        const number = this.#numbers.get(word) ?? this.#numbers.size;
        if (number === this.#numbers.size) {
          this.#numbers.set(word, number);
          this.#placesOf.push([]);
        }
        this.#placesOf[number].push(this.#places.length);
        this.#places.push({ topic, at });
      }
    }
    this.#last = new Int32Array(topics.length).fill(-1);
    this.#before = new Int32Array(this.#places.length);
  }

  numberOf(word: string): number {
    return this.#numbers.get(word) ?? OTHER;
  }

  addCounts({ samples, offsets, indices, values }: Sparse, words: readonly string[]): void {
    const numbers = Int32Array.from(words, (word) => this.numberOf(word));
    const found = new Int32Array(this.#numbers.size);
    for (let i = 0; i < samples; i++) {
      let count = 0;
      for (let p = offsets[i]; p < offsets[i + 1]; p++) {
        const number = numbers[indices[p]];
        if (number !== OTHER && values[p] > 0) found[count++] = number;
      }
      this.#add(found, count, 1);
    }
  }

  /**
   * Windows that have the same words are counted together: only the first and the last word of a window change.
   *
   * @param numbers of each word of the text
   */
  addText(numbers: Int32Array, window: number): void {
    const held = new Map<number, number>();
    const take = (at: number, change: number) => {
      const number = numbers[at];
      if (number === OTHER) return;
      const left = (held.get(number) ?? 0) + change;
      if (left === 0) held.delete(number);
      else held.set(number, left);
    };
    const first = Math.min(window, numbers.length);
    for (let at = 0; at < first; at++) take(at, 1);
    let alike = 1;
    for (let end = first; end < numbers.length; end++) {
      if (numbers[end] !== OTHER || numbers[end - window] !== OTHER) {
        this.#add([...held.keys()], held.size, alike);
        alike = 0;
        take(end - window, -1);
        take(end, 1);
      }
      alike++;
    }
    this.#add([...held.keys()], held.size, alike);
  }

  /** @param found so many different words that are in so many documents or windows */
  #add(found: ArrayLike<number>, count: number, times: number): void {
    this.total += times;
    const last = this.#last;
    for (let w = 0; w < count; w++) {
      for (const place of this.#placesOf[found[w]]) {
        const { topic, at } = this.#places[place];
        const { pairs, size } = this.results[topic];
        pairs[at * size + at] += times;
        for (let other = last[topic]; other >= 0; other = this.#before[other]) {
          const { at: beside } = this.#places[other];
          pairs[at * size + beside] += times;
          pairs[beside * size + at] += times;
        }
        this.#before[place] = last[topic];
        last[topic] = place;
      }
    }
    for (let w = 0; w < count; w++) for (const place of this.#placesOf[found[w]]) last[this.#places[place].topic] = -1;
  }
}
