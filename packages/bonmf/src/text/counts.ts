import { Sparse } from "../matrix/sparse.js";
import { isPiece } from "./words.js";

/** Two pieces that stand together. */
export interface Joined {
  readonly parts: readonly [string, string];
  /** How often they do. */
  count: number;
}

/** How often each word, and each phrase, occurs in each text, before it is known which are kept. */
export class Counts {
  samples = 0;
  /** The number of each word, in the order of first occurrence. Phrases are words with spaces between. */
  readonly ids = new Map<string, number>();
  /** How many texts contain each word, by number. */
  readonly holders: number[] = [];
  /** How often each word occurs in all texts. */
  readonly totals: number[] = [];
  /** Pieces of words that the dictionary may have divided, by what they are together. See {@link isPiece}. */
  readonly joined = new Map<string, Joined>();
  /** How many words each text has. */
  readonly lengths: number[] = [];
  readonly #takes: (word: string) => boolean;
  readonly #longest: number;
  readonly #known: ReadonlySet<string> | null;
  readonly #offsets: number[] = [0];
  #stored = 0;
  #entries = new Uint32Array(1024);
  #counts = new Float32Array(1024);

  /**
   * @param takes whether a word is counted; a phrase neither begins nor ends with one that is not
   * @param longest phrases have at most so many words
   * @param known counts these alone
   */
  constructor(takes: (word: string) => boolean, longest: number, known: ReadonlySet<string> | null = null) {
    this.#takes = takes;
    this.#longest = longest;
    this.#known = known;
  }

  /** Takes the words of one text. */
  add(words: readonly string[]): void {
    const row = new Map<string, number>();
    const count = (word: string) => {
      if (this.#known === null || this.#known.has(word)) row.set(word, (row.get(word) ?? 0) + 1);
    };
    for (const [i, word] of words.entries()) {
      if (!this.#takes(word)) continue;
      count(word);
      const next = words[i + 1];
      if (next !== undefined && isPiece(word) && isPiece(next) && this.#takes(next)) {
        count(word + next);
        this.#join(word, next);
      }
      let phrase = word;
      for (let j = i + 1; j < words.length && j < i + this.#longest; j++) {
        phrase += ` ${words[j]}`;
        if (this.#takes(words[j])) count(phrase);
      }
    }
    this.lengths.push(words.length);
    this.#store(row);
  }

  #join(left: string, right: string): void {
    if (this.#known !== null) return;
    const known = this.joined.get(left + right);
    if (known) known.count++;
    else this.joined.set(left + right, { parts: [left, right], count: 1 });
  }

  #store(row: ReadonlyMap<string, number>): void {
    if (this.#stored + row.size > this.#entries.length) this.#grow(row.size);
    for (const [word, count] of row) {
      const id = this.ids.get(word) ?? this.ids.size;
      if (id === this.ids.size) this.ids.set(word, id);
      this.holders[id] = (this.holders[id] ?? 0) + 1;
      this.totals[id] = (this.totals[id] ?? 0) + count;
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
