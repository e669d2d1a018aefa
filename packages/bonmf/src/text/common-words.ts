import type { Counts } from "./counts.js";

/** Fewer texts do not tell how words are spread. */
const LEAST_TEXTS = 50;
/** Words in fewer texts than this share are no stop words. */
const LEAST_SHARE = 0.05;
/** Where chance would put a word twice into fewer texts, how it is spread tells nothing: short texts repeat no word. */
const LEAST_REPEATS = 5;
/** A word is spread as by chance where it is in this share of the texts that chance would put it in. */
const SPREAD = 0.9;

/**
 * Words that are spread over the texts as chance would spread them: those of the language, not of a subject (Church and Gale
 * 1995, who compare the number of texts with that of a Poisson distribution). The most frequent first.
 */
export function findCommon({ ids, holders, totals, lengths, samples }: Counts): string[] {
  if (samples < LEAST_TEXTS) return [];
  const all = lengths.reduce((sum, length) => sum + length, 0);
  const shares = new Map<number, number>();
  for (const length of lengths) shares.set(length, (shares.get(length) ?? 0) + 1);
  // In an order that the texts do not change.
  const sorted = [...shares].sort(([a], [b]) => a - b);
  const found: { word: string; total: number }[] = [];
  for (const [word, id] of ids) {
    if (word.includes(" ") || holders[id] < LEAST_SHARE * samples) continue;
    const total = totals[id];
    let [absent, once] = [0, 0];
    for (const [length, texts] of sorted) {
      const share = length / all;
      const others = texts * power(1 - share, total - 1);
      absent += (1 - share) * others;
      once += total * share * others;
    }
    const held = samples - absent;
    if (held - once >= LEAST_REPEATS && holders[id] >= SPREAD * held) found.push({ word, total });
  }
  return found.sort((a, b) => b.total - a.total || (a.word < b.word ? -1 : 1)).map(({ word }) => word);
}

/** By multiplications alone, so that every runtime finds the same words. @param exponent a whole number */
function power(base: number, exponent: number): number {
  let result = 1;
  for (let square = base, left = exponent; left > 0; square *= square, left = Math.floor(left / 2)) {
    if (left % 2 === 1) result *= square;
  }
  return result;
}
