import type { TextList } from "./texts.js";

/** Numbers for words, in the order they came, found by the codes of their letters. */
export interface WordTable {
  /** Room for the codes of so many characters. Valid until the next call. */
  codes(length: number): Uint16Array;
  /** Puts the codes of a text there, if it is of ASCII characters alone. */
  foldAscii(text: string): boolean;
  /** Reads the words of the first codes. @returns how many */
  scan(length: number): number;
  /** The numbers of the words that were read last. Valid until the next call. */
  tokens(count: number): Int32Array;
  /** The number of the word that the first codes are, a new one where it has none yet. */
  find(length: number): number;
  /** A number for what is looked up elsewhere. */
  append(): number;
  /** How many words have a number. */
  count(): number;
  /** The words that were read from this number on. */
  spell(first: number): string[];
  /** Counts the words of texts where they are found; null where that is done by `Counts`. */
  readonly tally: Tally | null;
}

/** Counts of words that are taken from time to time. */
export interface Tally {
  /** A word that is not counted. */
  leaveOut(word: number): void;
  /** Counts the words of the first codes. @returns whether the texts must be taken now */
  count(length: number): boolean;
  /** Puts as many of the texts aside as there is room for. @returns how many; 0 where the first is too long */
  put(texts: TextList, from: number, to: number): number;
  /** Counts the words of texts that were put aside. @returns the first that has others than ASCII characters, or `to` */
  countTexts(first: number, to: number): number;
  /** The texts since they were taken last. Valid until the next call. */
  take(): CountedTexts;
  /** How often each word was counted, and in how many texts, since this was asked last. Valid until the next call. */
  takeTotals(): { readonly totals: Uint32Array; readonly holders: Uint32Array };
}

export interface CountedTexts {
  /** The different words of each text that are counted, and how often they occur in it. */
  readonly entries: Uint32Array;
  readonly times: Float32Array;
  /** How many words each text has. */
  readonly lengths: Uint32Array;
  /** Where the entries of each text end. */
  readonly ends: Uint32Array;
}

/** The array, or a copy at least twice as long. */
export function grow<T extends Uint16Array | Uint32Array | Int32Array | Float32Array>(array: T, least: number): T {
  if (array.length >= least) return array;
  const longer = new (array.constructor as new (length: number) => T)(Math.max(least, 2 * array.length));
  longer.set(array as never);
  return longer;
}
