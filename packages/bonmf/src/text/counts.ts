import type { Sparse } from "../matrix/sparse.js";
import { pickColumns } from "./counted-rows.js";
import { Lexicon } from "./lexicon.js";
import { Pairs } from "./pairs.js";
import { eachWord, type Stem } from "./stems.js";
import type { TextList } from "./texts.js";
import { grow, type Tally } from "./word-table.js";
import { isEnding, isPiece, isSecond, type PlacedWords, takesEnding } from "./words.js";

/**
 * What is known of a word, found out once: whether phrases may begin and end with it, whether it is counted, whether it is a piece,
 * or the second of two, whether it takes an ending, or is one.
 */
const TAKEN = 1;
const COUNTED = 2;
const PIECE = 4;
const SECOND = 8;
const STEM = 16;
const ENDING = 32;

/** Two pieces, or a word and an ending, with nothing between them. */
export interface Joined {
  readonly parts: readonly [string, string];
  /** How often they do. */
  count: number;
}

/** The counts of some texts as plain data, which can cross to another thread. */
export interface CountsPart {
  /** The words by number, one a line. */
  readonly words: string;
  readonly holders: Uint32Array;
  readonly totals: Uint32Array;
  readonly lengths: Uint32Array;
  readonly offsets: Uint32Array;
  readonly entries: Uint32Array;
  readonly counts: Float32Array;
  readonly joined: readonly (readonly [string, Joined])[];
}

/** How often each word, and each phrase, occurs in each text, before it is known which are kept. */
export class Counts {
  samples = 0;
  /** Parts of words that the dictionary may have divided, by what they are together. See {@link isPiece} and {@link takesEnding}. */
  readonly joined = new Map<string, Joined>();
  readonly #left: ReadonlySet<string>;
  readonly #longest: number;
  readonly #known: ReadonlySet<string> | null;
  /** The number of each word. Phrases are words with spaces between. */
  readonly #lexicon: Lexicon;
  /** Counts words where they are found, for as long as there is nothing but words to count. */
  readonly #tally: Tally | null;
  /** Texts that it has. */
  #tallied = 0;
  /** Whether it has totals. */
  #settled = true;
  #ids: Map<string, number> | null = null;
  /** The number of a phrase by those of all its words but the last, and of the last. */
  readonly #phrases = new Pairs();
  /** How many words of the lexicon have traits. */
  #described = 0;
  #traits = new Uint16Array(1024);
  #holders = new Uint32Array(1024);
  #totals = new Uint32Array(1024);
  /** One more than the entry of each word in the last text that has it. */
  #places = new Uint32Array(1024);
  #lengths = new Uint32Array(1024);
  #offsets = new Uint32Array(1024);
  #stored = 0;
  #entries: Uint32Array;
  #counts: Float32Array;

  /**
   * @param left words that are not counted; a phrase neither begins nor ends with one
   * @param longest phrases have at most so many words
   * @param known counts these alone
   * @param characters about how many the texts have
   */
  constructor(left: ReadonlySet<string>, longest: number, known: ReadonlySet<string> | null = null, characters = 0) {
    this.#lexicon = new Lexicon(characters);
    this.#left = left;
    this.#longest = longest;
    this.#known = known;
    // Room for most texts: memory is taken where something is written, and copies of long arrays are slow.
    this.#entries = new Uint32Array(Math.max(1024, characters >>> 3));
    this.#counts = new Float32Array(this.#entries.length);
    this.#tally = longest === 1 && known === null ? this.#lexicon.tally : null;
    if (this.#tally !== null) for (const word of left) this.#tally.leaveOut(this.#lexicon.find(word));
    for (const phrase of known ?? []) {
      const [first, ...rest] = phrase.split(" ").map((word) => this.#number(word));
      rest.reduce((left, word) => this.#extend(left, word, true), first);
    }
  }

  /** The number of each word that occurs. */
  get ids(): ReadonlyMap<string, number> {
    if (this.#ids !== null) return this.#ids;
    const { words, totals } = this;
    this.#ids = new Map();
    for (let id = 0; id < words.length; id++) if (totals[id] > 0) this.#ids.set(words[id], id);
    return this.#ids;
  }

  /** The words and phrases by number. */
  get words(): readonly string[] {
    return this.#lexicon.words;
  }

  /** Whether anything but single words may be counted. */
  get hasPhrases(): boolean {
    return this.#longest > 1 || this.joined.size > 0;
  }

  /** How many texts contain each word, by number. */
  get holders(): Uint32Array {
    this.#settle();
    return this.#holders;
  }

  /** How often each word occurs in all texts. */
  get totals(): Uint32Array {
    this.#settle();
    return this.#totals;
  }

  /** How many words each text has. */
  get lengths(): Uint32Array {
    this.#settle();
    return this.#lengths.subarray(0, this.samples);
  }

  /** Takes some texts of a list. @returns the first that it did not take */
  addSome(texts: TextList, from: number, to: number): number {
    const tally = this.#tally;
    this.#takeTallied();
    const count = tally === null ? 0 : tally.put(texts, from, to);
    for (let t = 0; t < count; t++) {
      const next = tally!.countTexts(t, count);
      this.#noteTallied(next - t);
      if (next < count) this.addText(texts.at(from + next)!);
      t = next;
    }
    if (count > 0) return from + count;
    this.addText(texts.at(from)!);
    return from + 1;
  }

  /** Takes one text. */
  addText(text: string): void {
    if (this.#tally === null || !this.#lexicon.fold(text)) {
      this.#add(this.#lexicon.read(text));
      return;
    }
    const isFull = this.#tally.count(text.length);
    this.#noteTallied(1);
    if (isFull) this.#takeTallied();
  }

  /** Takes the words of one text. */
  add(words: PlacedWords): void {
    this.#add(this.#lexicon.take(words));
  }

  toPart(): CountsPart {
    this.#settle();
    const { words } = this;
    return {
      words: words.join("\n"),
      holders: this.#holders.slice(0, words.length),
      totals: this.#totals.slice(0, words.length),
      lengths: this.#lengths.slice(0, this.samples),
      offsets: this.#offsets.slice(0, this.samples + 1),
      entries: this.#entries.slice(0, this.#stored),
      counts: this.#counts.slice(0, this.#stored),
      joined: [...this.joined],
    };
  }

  /** Takes texts that were counted elsewhere, after its own. Which numbers words have changes nothing that is counted. */
  append(part: CountsPart): void {
    this.#settle();
    const known = new Map(this.words.map((word, id) => [word, id]));
    const words = part.words === "" ? [] : part.words.split("\n");
    const ids = Uint32Array.from(words, (word) => known.get(word) ?? this.#number(word));
    this.#ids = null;
    for (const [number, id] of ids.entries()) {
      this.#totals[id] += part.totals[number];
      this.#holders[id] += part.holders[number];
    }
    const { entries, counts, lengths, offsets } = part;
    const [first, before] = [this.#stored, this.samples];
    this.#stored += entries.length;
    this.samples += lengths.length;
    this.#entries = grow(this.#entries, this.#stored);
    this.#counts = grow(this.#counts, this.#stored);
    this.#lengths = grow(this.#lengths, this.samples);
    this.#offsets = grow(this.#offsets, this.samples + 1);
    for (let p = 0; p < entries.length; p++) this.#entries[first + p] = ids[entries[p]];
    this.#counts.set(counts, first);
    this.#lengths.set(lengths, before);
    for (let i = 1; i < offsets.length; i++) this.#offsets[before + i] = first + offsets[i];
    for (const [whole, { parts, count }] of part.joined) {
      const own = this.joined.get(whole);
      if (own) own.count += count;
      else this.joined.set(whole, { parts, count });
    }
  }

  /** The same texts, with words of one key counted as one. */
  group(key: Stem): Counts {
    this.#settle();
    const grouped = new Counts(this.#left, this.#longest);
    const ids = new Int32Array(this.words.length);
    for (const [word, id] of this.ids) ids[id] = grouped.#number(eachWord(word, key));
    for (let i = 0; i < this.samples; i++) {
      const first = grouped.#stored;
      for (let p = this.#offsets[i]; p < this.#offsets[i + 1]; p++) {
        grouped.#count(ids[this.#entries[p]], first, this.#counts[p]);
      }
      grouped.#endText(this.#lengths[i]);
    }
    for (const [whole, joined] of this.joined) grouped.joined.set(whole, joined);
    return grouped;
  }

  /** @param length how many tokens the lexicon has of this text */
  #add(length: number): void {
    this.#takeTallied();
    const { tokens, touching } = this.#lexicon;
    const first = this.#stored;
    this.#ids = null;
    this.#describeNew();
    for (let t = 0; t < length; t++) {
      const id = tokens[t];
      const traits = this.#traits[id];
      if ((traits & TAKEN) === 0) continue;
      if ((traits & COUNTED) !== 0) this.#count(id, first);
      if ((traits & (PIECE | STEM)) !== 0 && t + 1 < length && touching[t + 1]) this.#join(id, tokens[t + 1], first);
      if (this.#longest > 1) this.#countPhrases(t, length, first);
    }
    this.#endText(length);
  }

  #noteTallied(texts: number): void {
    this.samples += texts;
    this.#tallied += texts;
    this.#settled = false;
    this.#ids = null;
  }

  /** Texts that were counted elsewhere, with their entries. */
  #takeTallied(): void {
    if (this.#tally === null || this.#tallied === 0) return;
    const { entries, times, lengths, ends } = this.#tally.take();
    const [first, before] = [this.#stored, this.samples - this.#tallied];
    this.#stored += entries.length;
    this.#tallied = 0;
    this.#entries = grow(this.#entries, this.#stored);
    this.#counts = grow(this.#counts, this.#stored);
    this.#lengths = grow(this.#lengths, this.samples);
    this.#offsets = grow(this.#offsets, this.samples + 1);
    this.#entries.set(entries, first);
    this.#counts.set(times, first);
    this.#lengths.set(lengths, before);
    for (let i = 0; i < ends.length; i++) this.#offsets[before + i + 1] = first + ends[i];
  }

  /** Takes all that was counted elsewhere. */
  #settle(): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#takeTallied();
    this.#growWords(this.words.length);
    const { totals, holders } = this.#tally!.takeTotals();
    for (let id = 0; id < totals.length; id++) {
      this.#totals[id] += totals[id];
      this.#holders[id] += holders[id];
    }
  }

  #endText(length: number): void {
    this.#lengths = grow(this.#lengths, this.samples + 1);
    this.#lengths[this.samples++] = length;
    this.#offsets = grow(this.#offsets, this.samples + 1);
    this.#offsets[this.samples] = this.#stored;
  }

  #countPhrases(t: number, length: number, first: number): void {
    const { tokens } = this.#lexicon;
    let phrase = tokens[t];
    for (let next = t + 1; next < length && next < t + this.#longest; next++) {
      phrase = this.#extend(phrase, tokens[next], this.#known === null);
      if (phrase < 0) return;
      const counted = this.#known === null || (this.#traits[phrase] & COUNTED) !== 0;
      if (counted && (this.#traits[tokens[next]] & TAKEN) !== 0) this.#count(phrase, first);
    }
  }

  /** The number of a phrase with one more word; −1 where it has none and `makes` is false. */
  #extend(phrase: number, word: number, makes: boolean): number {
    const known = this.#phrases.get(phrase, word);
    if (known >= 0 || !makes) return known;
    const { words } = this;
    const id = this.#lexicon.append(`${words[phrase]} ${words[word]}`);
    this.#phrases.set(phrase, word, id);
    this.#describeNew();
    return id;
  }

  /** @param first where the entries of this text begin */
  #count(id: number, first: number, times = 1): void {
    this.#totals[id] += times;
    const place = this.#places[id];
    if (place > first) {
      this.#counts[place - 1] += times;
      return;
    }
    if (this.#stored === this.#entries.length) {
      this.#entries = grow(this.#entries, this.#stored + 1);
      this.#counts = grow(this.#counts, this.#stored + 1);
    }
    this.#holders[id]++;
    this.#entries[this.#stored] = id;
    this.#counts[this.#stored] = times;
    this.#places[id] = ++this.#stored;
  }

  /** Two pieces may be one word, or a word and an ending. */
  #join(left: number, right: number, first: number): void {
    const needed = TAKEN | ((this.#traits[left] & PIECE) !== 0 ? SECOND : ENDING);
    if ((this.#traits[right] & needed) !== needed) return;
    const parts = [this.#lexicon.words[left], this.#lexicon.words[right]] as const;
    const whole = parts[0] + parts[1];
    if (this.#known !== null) {
      if (this.#known.has(whole)) this.#count(this.#number(whole), first);
      return;
    }
    this.#count(this.#number(whole), first);
    const known = this.joined.get(whole);
    if (known) known.count++;
    else this.joined.set(whole, { parts, count: 1 });
  }

  #number(word: string): number {
    const id = this.#lexicon.find(word);
    this.#describeNew();
    return id;
  }

  /** Finds out what is to know of the words that the lexicon has learnt. */
  #describeNew(): void {
    const { words } = this;
    for (; this.#described < words.length; this.#described++) {
      const id = this.#described;
      if (id === this.#traits.length) this.#growWords(id + 1);
      const taken = !this.#left.has(words[id]);
      const counted = taken && (this.#known === null || this.#known.has(words[id]));
      this.#traits[id] = (taken ? TAKEN : 0) | (counted ? COUNTED : 0) | describeParts(words[id]);
    }
  }

  #growWords(least: number): void {
    this.#traits = grow(this.#traits, least);
    this.#holders = grow(this.#holders, least);
    this.#totals = grow(this.#totals, least);
    this.#places = grow(this.#places, least);
  }

  /**
   * The counts of the given words, one feature for each.
   *
   * @param ids their numbers
   */
  toSparse(words: readonly string[], ids: ReadonlyMap<string, number> = this.ids): Sparse {
    this.#settle();
    const features = new Int32Array(this.words.length).fill(-1);
    let kept = 0;
    for (const [feature, word] of words.entries()) {
      const id = ids.get(word);
      if (id === undefined) continue;
      features[id] = feature;
      kept += this.#holders[id];
    }
    const rows = { offsets: this.#offsets.subarray(0, this.samples + 1), entries: this.#entries, counts: this.#counts };
    return pickColumns(rows, features, words.length, kept);
  }
}

function describeParts(word: string): number {
  const piece = isPiece(word) ? PIECE | (isSecond(word) ? SECOND : 0) : 0;
  return piece | (takesEnding(word) ? STEM : 0) | (isEnding(word) ? ENDING : 0);
}
