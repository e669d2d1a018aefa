import { foldText } from "./letters.js";
import { PlainTable } from "./plain-table.js";
import { openWasmTable } from "./wasm-table.js";
import { grow, type Tally, type WordTable } from "./word-table.js";
import { type PlacedWords, splitPlaced } from "./words.js";

/** Characters below which WebAssembly is not worth its start, about a millisecond. */
export const FEW = 50_000;

/**
 * Numbers for words, in the order of first occurrence. Words are found and looked up by the codes of their letters, so a text is cut into
 * strings only where it has characters that must be seen together.
 */
export class Lexicon {
  /** The numbers of the words of the text that was read last, in order. */
  tokens = new Int32Array(256);
  /** Whether nothing stands between a token and the one before it, where that was found out: it is for scripts without spaces. */
  touching: readonly boolean[] = [];
  readonly #words: string[] = [];
  readonly #table: WordTable;

  /** @param characters about how many will be read */
  constructor(characters = 0) {
    this.#table = (characters >= FEW ? openWasmTable() : null) ?? new PlainTable();
  }

  /** The words by number. */
  get words(): readonly string[] {
    if (this.#table.count() > this.#words.length) this.#nameNew();
    return this.#words;
  }

  /** What counts the words of texts that were folded; null where that is not done here. */
  get tally(): Tally | null {
    return this.#table.tally;
  }

  /** Finds what the characters of a text are in words. @returns false where they must be seen together */
  fold(text: string): boolean {
    return this.#table.foldAscii(text) || foldText(text, this.#table.codes(text.length));
  }

  /** Reads the words of a text, the same as `splitWords` finds. @returns how many `tokens` there are */
  read(text: string): number {
    const table = this.#table;
    if (this.fold(text)) {
      const count = table.scan(text.length);
      this.tokens = grow(this.tokens, count);
      this.tokens.set(table.tokens(count));
      return count;
    }
    return this.take(splitPlaced(text));
  }

  /** Takes the words of a text. @returns how many `tokens` there are */
  take({ words, touching }: PlacedWords): number {
    this.tokens = grow(this.tokens, words.length);
    this.touching = touching;
    for (let t = 0; t < words.length; t++) this.tokens[t] = this.find(words[t]);
    return words.length;
  }

  /** The number of a word, a new one where it has none yet. */
  find(word: string): number {
    if (this.#table.count() > this.#words.length) this.#nameNew();
    const codes = this.#table.codes(word.length);
    for (let at = 0; at < word.length; at++) codes[at] = word.charCodeAt(at);
    const number = this.#table.find(word.length);
    if (number === this.#words.length) this.#words.push(word);
    return number;
  }

  /** A number for what is looked up elsewhere. */
  append(name: string): number {
    if (this.#table.count() > this.#words.length) this.#nameNew();
    this.#words.push(name);
    return this.#table.append();
  }

  #nameNew(): void {
    for (const word of this.#table.spell(this.#words.length)) this.#words.push(word);
  }
}
