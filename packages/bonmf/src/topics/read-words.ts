import { Lexicon } from "../text/lexicon.js";
import type { Stem } from "../text/stems.js";
import { countCharacters } from "../text/texts.js";
import { isUnspaced, mayJoin } from "../text/words.js";

/**
 * The words of texts by number, as topics count them: after the words of a phrase, and after the parts of a word that the
 * dictionary divided, comes the number of the whole, where it is wanted.
 */
export class WordReader {
  readonly #texts: readonly string[];
  readonly #name: Stem;
  readonly #lexicon: Lexicon;
  readonly #wanted: ReadonlySet<string>;
  /** The most words that a wanted phrase has. */
  readonly #longest: number;
  readonly #joins: boolean;
  /** What each number is counted as. */
  readonly #names: string[] = [];

  /**
   * @param wanted words and phrases
   * @param name what a word of a text is counted as
   */
  constructor(texts: readonly string[], wanted: Iterable<string>, name: Stem) {
    this.#texts = texts;
    this.#name = name;
    this.#lexicon = new Lexicon(countCharacters(texts));
    this.#wanted = new Set(wanted);
    this.#longest = Math.max(1, ...Array.from(this.#wanted, (word) => word.split(" ").length));
    this.#joins = Array.from(this.#wanted).some(isUnspaced);
  }

  /** The numbers of each text; an array lasts until the next. */
  *[Symbol.iterator](): Generator<ArrayLike<number>> {
    for (const text of this.#texts) {
      const length = this.#lexicon.read(text);
      const { tokens, touching } = this.#lexicon;
      yield this.#longest > 1 || (this.#joins && isUnspaced(text))
        ? this.#readWholes(tokens.slice(0, length), touching)
        : tokens.subarray(0, length);
    }
  }

  readonly nameOf = (number: number): string => {
    const names = this.#names;
    while (names.length <= number) {
      const word = this.#lexicon.words[names.length];
      // A whole has no stem.
      names.push(this.#wanted.has(word) ? word : this.#name(word));
    }
    return names[number];
  };

  #readWholes(tokens: Int32Array, touching: readonly boolean[]): number[] {
    const numbers: number[] = [];
    for (let t = 0; t < tokens.length; t++) {
      numbers.push(tokens[t]);
      if (this.#joins && t > 0 && touching[t]) {
        const [left, right] = [this.#lexicon.words[tokens[t - 1]], this.#lexicon.words[tokens[t]]];
        if (mayJoin(left, right) && this.#wanted.has(left + right)) numbers.push(this.#lexicon.find(left + right));
      }
      let phrase = this.nameOf(tokens[t]);
      for (let first = t - 1; first >= 0 && first > t - this.#longest; first--) {
        phrase = `${this.nameOf(tokens[first])} ${phrase}`;
        if (this.#wanted.has(phrase)) numbers.push(this.#lexicon.find(phrase));
      }
    }
    return numbers;
  }
}
