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
  /** Valid until the next call. */
  letters(word: number): Uint16Array;
}

/** The array, or a copy at least twice as long. */
export function grow<T extends Uint16Array | Uint32Array | Int32Array | Float32Array>(array: T, least: number): T {
  if (array.length >= least) return array;
  const longer = new (array.constructor as new (length: number) => T)(Math.max(least, 2 * array.length));
  longer.set(array as never);
  return longer;
}
