import { APOSTROPHE, BREAK } from "./letters.js";
import { grow, type WordTable } from "./word-table.js";
import { ELIDED, LONGEST_ELIDED } from "./words.js";

const LETTER_S = 0x73;
/** The hash of no letters. */
const FIRST = 0x811c9dc5 | 0;
const NO_LETTERS = new Uint16Array(0);

/** In TypeScript: for few texts, and where there is no WebAssembly. */
export class PlainTable implements WordTable {
  readonly tally = null;
  #codes = new Uint16Array(1024);
  #tokens = new Int32Array(256);
  #count = 0;
  /** The letters of all words, one word after the other. */
  #letters = new Uint16Array(4096);
  /** Where the letters of each word begin, and where those of the last end. */
  #starts = new Uint32Array(1024);
  #hashes = new Int32Array(1024);
  /** An open-addressing table of numbers plus 1, 0 for none: a power of two, at most half full. */
  #slots = new Int32Array(2048);
  /** How many words are in it. */
  #held = 0;

  codes(length: number): Uint16Array {
    // Two breaks stand behind.
    this.#codes = grow(this.#codes, length + 2);
    return this.#codes;
  }

  foldAscii(): boolean {
    return false;
  }

  tokens(count: number): Int32Array {
    return this.#tokens.subarray(0, count);
  }

  count(): number {
    return this.#count;
  }

  spell(first: number): string[] {
    const starts = this.#starts;
    return Array.from({ length: this.#count - first }, (_, i) =>
      toText(this.#letters.subarray(starts[first + i], starts[first + i + 1])),
    );
  }

  scan(length: number): number {
    const codes = this.#codes.fill(BREAK, length, length + 2);
    this.#tokens = grow(this.#tokens, length);
    let count = 0;
    for (let at = 0; at < length; at++) {
      if (endsWord(codes[at])) continue;
      let from = at;
      let hash = FIRST;
      for (let joiners = 0; ; joiners++) {
        for (; !endsWord(codes[at]); at++) hash = mix(hash, codes[at]);
        // A joiner belongs to the word where another letter follows.
        if (codes[at] === BREAK || endsWord(codes[at + 1])) break;
        const joiner = codes[at++];
        hash = mix(hash, joiner);
        if (joiners > 0 || joiner !== APOSTROPHE || !beginsElided(codes, from, at)) continue;
        from = at;
        hash = FIRST;
      }
      let to = at;
      if (codes[to - 1] === LETTER_S && codes[to - 2] === APOSTROPHE && to - 2 > from) {
        to -= 2;
        hash = this.#hash(from, to);
      }
      if (to - from > 1) this.#tokens[count++] = this.#look(hash, from, to - from);
    }
    return count;
  }

  find(length: number): number {
    return this.#look(this.#hash(0, length), 0, length);
  }

  append(): number {
    return this.#add(0, NO_LETTERS);
  }

  #hash(from: number, to: number): number {
    let hash = FIRST;
    for (let at = from; at < to; at++) hash = mix(hash, this.#codes[at]);
    return hash;
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
    const number = this.#add(hash, codes.subarray(from, from + size));
    this.#slots[slot] = number + 1;
    if (2 * ++this.#held > this.#slots.length) this.#rehash();
    return number;
  }

  #add(hash: number, word: Uint16Array): number {
    const number = this.#count++;
    const start = this.#starts[number];
    this.#letters = grow(this.#letters, start + word.length);
    this.#letters.set(word, start);
    this.#starts = grow(this.#starts, number + 2);
    this.#starts[number + 1] = start + word.length;
    this.#hashes = grow(this.#hashes, number + 1);
    this.#hashes[number] = hash;
    return number;
  }

  #rehash(): void {
    this.#slots = new Int32Array(2 * this.#slots.length);
    const mask = this.#slots.length - 1;
    for (let number = 0; number < this.#count; number++) {
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

/** @param to behind an apostrophe */
function beginsElided(codes: Uint16Array, from: number, to: number): boolean {
  return to - from <= LONGEST_ELIDED && ELIDED.test(toText(codes.subarray(from, to + 1)));
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
