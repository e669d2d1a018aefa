import { APOSTROPHE, BREAK, foldText } from "./letters.js";
import { splitWords } from "./words.js";

const LETTER_S = 0x73;
/** The hash of no letters. */
const FIRST = 0x811c9dc5 | 0;
const NO_LETTERS = new Uint16Array(0);

/**
 * Numbers for words, in the order of first occurrence. Words are found and looked up by the codes of their letters, so a text is cut into
 * strings only where it has characters that must be seen together.
 */
export class Lexicon {
  /** The words by number. */
  readonly words: string[] = [];
  /** The numbers of the words of the text that was read last, in order. */
  tokens = new Int32Array(256);
  /** What the characters of a text are in words. */
  #codes = new Uint16Array(1024);
  /** The letters of all words, one word after the other. */
  #letters = new Uint16Array(4096);
  /** Where the letters of each word begin, and where those of the last end. */
  #starts = new Uint32Array(1024);
  #hashes = new Int32Array(1024);
  /** An open-addressing table of numbers plus 1, 0 for none: a power of two, at most half full. */
  #slots = new Int32Array(2048);
  /** How many words are in it. */
  #held = 0;

  /** Reads the words of a text, the same as `splitWords` finds. @returns how many `tokens` there are */
  read(text: string): number {
    this.#codes = grow(this.#codes, text.length + 2);
    this.tokens = grow(this.tokens, text.length);
    if (foldText(text, this.#codes)) {
      this.#codes.fill(BREAK, text.length, text.length + 2);
      return this.#scan(text.length);
    }
    const words = splitWords(text);
    // Normalisation makes one character into as many as 18.
    this.tokens = grow(this.tokens, words.length);
    for (let t = 0; t < words.length; t++) this.tokens[t] = this.find(words[t]);
    return words.length;
  }

  /** The number of a word, a new one where it has none yet. */
  find(word: string): number {
    this.#codes = grow(this.#codes, word.length);
    let hash = FIRST;
    for (let at = 0; at < word.length; at++) {
      this.#codes[at] = word.charCodeAt(at);
      hash = mix(hash, this.#codes[at]);
    }
    return this.#look(hash, 0, word.length);
  }

  /** A number for what is looked up elsewhere. */
  append(name: string): number {
    return this.#add(0, NO_LETTERS, name);
  }

  /** Reads words from `#codes`, behind which two breaks stand. @returns how many */
  #scan(length: number): number {
    const codes = this.#codes;
    const { tokens } = this;
    let count = 0;
    for (let at = 0; at < length; at++) {
      if (endsWord(codes[at])) continue;
      const from = at;
      let hash = FIRST;
      // A joiner belongs to the word where another letter follows.
      for (let code = codes[at]; !endsWord(code) || (code !== BREAK && !endsWord(codes[at + 1])); code = codes[++at]) {
        hash = mix(hash, code);
      }
      let to = at;
      if (codes[to - 1] === LETTER_S && codes[to - 2] === APOSTROPHE && to - 2 > from) {
        to -= 2;
        hash = FIRST;
        for (let p = from; p < to; p++) hash = mix(hash, codes[p]);
      }
      if (to - from > 1) tokens[count++] = this.#look(hash, from, to - from);
    }
    return count;
  }

  /** The number of the word at some place of `#codes`. */
  #look(hash: number, from: number, size: number): number {
    const mask = this.#slots.length - 1;
    const codes = this.#codes;
    const starts = this.#starts;
    const letters = this.#letters;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const number = this.#slots[slot] - 1;
      const start = starts[number];
      if (this.#hashes[number] !== hash || starts[number + 1] - start !== size) continue;
      let at = 0;
      while (at < size && letters[start + at] === codes[from + at]) at++;
      if (at === size) return number;
    }
    const word = codes.subarray(from, from + size);
    const number = this.#add(hash, word, toText(word));
    this.#slots[slot] = number + 1;
    if (2 * ++this.#held > this.#slots.length) this.#rehash();
    return number;
  }

  #add(hash: number, word: Uint16Array, name: string): number {
    const number = this.words.length;
    const start = this.#starts[number];
    this.#letters = grow(this.#letters, start + word.length);
    this.#letters.set(word, start);
    this.#starts = grow(this.#starts, number + 2);
    this.#starts[number + 1] = start + word.length;
    this.#hashes = grow(this.#hashes, number + 1);
    this.#hashes[number] = hash;
    this.words.push(name);
    return number;
  }

  #rehash(): void {
    this.#slots = new Int32Array(2 * this.#slots.length);
    const mask = this.#slots.length - 1;
    for (let number = 0; number < this.words.length; number++) {
      if (this.#starts[number] === this.#starts[number + 1]) continue;
      const hash = this.#hashes[number];
      let slot = (hash ^ (hash >>> 15)) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = number + 1;
    }
  }
}

/** Digits and letters have larger codes than breaks and joiners. */
const FIRST_DIGIT = 0x30;

/** Whether a word ends here, unless another letter follows the joiner that this is. */
function endsWord(code: number): boolean {
  return code < FIRST_DIGIT;
}

/** FNV-1a. */
function mix(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

/** In parts: a function takes only so many arguments. */
function toText(letters: Uint16Array): string {
  let text = "";
  for (let at = 0; at < letters.length; at += 1024) text += String.fromCharCode(...letters.subarray(at, at + 1024));
  return text;
}

/** The array, or a copy at least twice as long. */
export function grow<T extends Uint16Array | Uint32Array | Int32Array | Float32Array>(array: T, least: number): T {
  if (array.length >= least) return array;
  const longer = new (array.constructor as new (length: number) => T)(Math.max(least, 2 * array.length));
  longer.set(array as never);
  return longer;
}
