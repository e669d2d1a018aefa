import { Sparse } from "../matrix/sparse.js";
import { isPiece } from "./words.js";

/** More different words than a text can have. */
const SPAN = 2 ** 27;

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
  /** The entry of each word in the last text that has it, by number. */
  readonly #places: number[] = [];
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
    const first = this.#stored;
    for (let i = 0; i < words.length; i++) {
      const word = words[i];
      if (!this.#takes(word)) continue;
      this.#count(word, first);
      const next = words[i + 1];
      if (next !== undefined && isPiece(word) && isPiece(next) && this.#takes(next)) {
        this.#count(word + next, first);
        this.#join(word, next);
      }
      if (this.#longest > 1) this.#countPhrases(words, i, first);
    }
    this.lengths.push(words.length);
    this.samples++;
    this.#offsets.push(this.#stored);
  }

  #countPhrases(words: readonly string[], i: number, first: number): void {
    let phrase = words[i];
    for (let j = i + 1; j < words.length && j < i + this.#longest; j++) {
      phrase += ` ${words[j]}`;
      if (this.#takes(words[j])) this.#count(phrase, first);
    }
  }

  /** @param first where the entries of this text begin */
  #count(word: string, first: number): void {
    let id = this.ids.get(word);
    if (id === undefined) {
      if (this.#known !== null && !this.#known.has(word)) return;
      id = this.ids.size;
      this.ids.set(word, id);
      this.holders.push(0);
      this.totals.push(0);
      this.#places.push(-1);
    }
    this.totals[id]++;
    const place = this.#places[id];
    if (place >= first) {
      this.#counts[place]++;
      return;
    }
    if (this.#stored === this.#entries.length) this.#grow();
    this.holders[id]++;
    this.#places[id] = this.#stored;
    this.#entries[this.#stored] = id;
    this.#counts[this.#stored++] = 1;
  }

  #join(left: string, right: string): void {
    if (this.#known !== null) return;
    const known = this.joined.get(left + right);
    if (known) known.count++;
    else this.joined.set(left + right, { parts: [left, right], count: 1 });
  }

  #grow(): void {
    const entries = new Uint32Array(2 * this.#entries.length);
    entries.set(this.#entries);
    const counts = new Float32Array(entries.length);
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
    // A feature and the place of its count in the 53 bits of one number: typed arrays are sorted quickly.
    const keys = new Float64Array(this.#longestRow());
    let length = 0;
    for (let i = 0; i < this.samples; i++) {
      let kept = 0;
      for (let p = this.#offsets[i]; p < this.#offsets[i + 1]; p++) {
        const feature = features[this.#entries[p]];
        if (feature >= 0) keys[kept++] = feature * SPAN + p - this.#offsets[i];
      }
      keys.subarray(0, kept).sort();
      for (let at = 0; at < kept; at++) {
        indices[length] = Math.floor(keys[at] / SPAN);
        values[length++] = this.#counts[this.#offsets[i] + (keys[at] % SPAN)];
      }
      offsets[i + 1] = length;
    }
    return Sparse.trust(this.samples, words.length, offsets, indices.slice(0, length), values.slice(0, length));
  }

  #longestRow(): number {
    let most = 0;
    for (let i = 0; i < this.samples; i++) most = Math.max(most, this.#offsets[i + 1] - this.#offsets[i]);
    return most;
  }
}
