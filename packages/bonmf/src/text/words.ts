import { STOP_WORDS } from "./stop-words.js";

// Letters, marks and digits of any script, with apostrophes and hyphens only inside.
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['-][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*/gu;

/** Characters below this are letters of alphabets, where a single one is not a word; ideographs are words. */
const IDEOGRAPHS = "\u2e80";

/** The words of a text, in order: NFKC, lower case, without a possessive 's. Single letters and digits are left out. */
export function splitWords(text: string): string[] {
  const words = text.normalize("NFKC").toLowerCase().replaceAll("’", "'").match(WORD) ?? [];
  return words
    .map((word) => (word.endsWith("'s") ? word.slice(0, -2) : word))
    .filter((word) => word.length > 1 || word >= IDEOGRAPHS);
}

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}
