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
  const known: (readonly Place[] | null)[] = [];
  for (const numbers of documents) {
    const places = new Array<readonly Place[] | null>(numbers.length);
    for (let at = 0; at < numbers.length; at++) {
      const number = numbers[at];
      while (known.length <= number) known.push(counter.placesOf(name(known.length)));
      places[at] = known[number];
    }
    counter.addText(places, WINDOW);
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

/** Where a word stands in the lists of topics. */
type Place = readonly [topic: number, at: number];

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
      const places = words.map((word) => counter.placesOf(word));
      counter.addText(places, window ?? Math.max(1, words.length));
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

class PairCounter {
  readonly results: readonly PairCounts[];
  /** How many documents or windows there are. */
  total = 0;
  readonly #places = new Map<string, Place[]>();
  /** The places of the present words, by topic. */
  readonly #present: number[][];

  constructor(topics: readonly (readonly string[])[]) {
    this.results = topics.map(({ length }) => ({ pairs: new Float64Array(length * length), size: length }));
    this.#present = topics.map(() => []);
    for (const [topic, words] of topics.entries()) {
      for (const [at, word] of words.entries()) {
        const known = this.#places.get(word);
        if (known) known.push([topic, at]);
        else this.#places.set(word, [[topic, at]]);
      }
    }
  }

  /** Null for a word of no topic. */
  placesOf(word: string): readonly Place[] | null {
    return this.#places.get(word) ?? null;
  }

  addCounts({ samples, offsets, indices, values }: Sparse, words: readonly string[]): void {
    const places = words.map((word) => this.placesOf(word));
    const found: (readonly Place[])[] = [];
    for (let i = 0; i < samples; i++) {
      found.length = 0;
      for (let p = offsets[i]; p < offsets[i + 1]; p++) {
        const place = places[indices[p]];
        if (place !== null && values[p] > 0) found.push(place);
      }
      this.#add(found, 1);
    }
  }

  /**
   * Windows that have the same words are counted together: only the first and the last word of a window change.
   *
   * @param places of each word of the text
   */
  addText(places: readonly (readonly Place[] | null)[], window: number): void {
    const held = new Map<readonly Place[], number>();
    const take = (at: number, change: number) => {
      const place = places[at];
      if (place === null) return;
      const left = (held.get(place) ?? 0) + change;
      if (left === 0) held.delete(place);
      else held.set(place, left);
    };
    const first = Math.min(window, places.length);
    for (let at = 0; at < first; at++) take(at, 1);
    let alike = 1;
    for (let end = first; end < places.length; end++) {
      if (places[end] !== null || places[end - window] !== null) {
        this.#add([...held.keys()], alike);
        alike = 0;
        take(end - window, -1);
        take(end, 1);
      }
      alike++;
    }
    this.#add([...held.keys()], alike);
  }

  /** @param found the places of the words that are in so many documents or windows */
  #add(found: readonly (readonly Place[])[], times: number): void {
    this.total += times;
    if (found.length === 0) return;
    const touched: number[] = [];
    for (const places of found) {
      for (const [topic, at] of places) {
        if (this.#present[topic].push(at) === 1) touched.push(topic);
      }
    }
    for (const topic of touched) {
      const present = this.#present[topic];
      const { pairs, size } = this.results[topic];
      for (let p = 0; p < present.length; p++) {
        const row = present[p] * size;
        for (let q = 0; q < present.length; q++) pairs[row + present[q]] += times;
      }
      present.length = 0;
    }
  }
}
