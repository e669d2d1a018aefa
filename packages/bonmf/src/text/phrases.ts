import { ln } from "../random.js";
import type { Counts } from "./counts.js";
import { isPiece } from "./words.js";

/** Of all phrases together, the chance that one is kept that occurs by chance. */
const LEVEL = 0.01;

/**
 * Phrases, and words that were divided into pieces, that occur more often than their parts would meet by chance: twice the logarithm of the likelihood ratio (Dunning 1993)
 * is beyond what the number of phrases lets expect.
 *
 * @param minDocuments phrases in fewer texts are not looked at
 */
export function findPhrases(counts: Counts, minDocuments: number): ReadonlySet<string> {
  if (!counts.hasPhrases) return new Set();
  const { ids, holders, totals, lengths, joined } = counts;
  const candidates = [...ids].filter(
    ([word, id]) => holders[id] >= minDocuments && (word.includes(" ") || joined.has(word)),
  );
  const all = lengths.reduce((sum, length) => sum + length, 0);
  const least = 2 * ln(Math.max(1, candidates.length) / LEVEL);
  const kept = candidates.filter(([phrase, id]) => {
    const expected = expect(phrase, counts, all);
    const seen = joined.get(phrase)?.count ?? totals[id];
    return seen > expected && 2 * (seen * ln(seen / expected) - (seen - expected)) > least;
  });
  return new Set(kept.map(([phrase]) => phrase));
}

/** How often the phrase would occur if its two likeliest parts met by chance. */
function expect(phrase: string, { ids, totals, joined }: Counts, all: number): number {
  const words = joined.get(phrase)?.parts ?? phrase.split(" ");
  let most = 0;
  for (let cut = 1; cut < words.length; cut++) {
    // Parts that begin or end with a stop word are not counted: as frequent as the phrase, at least.
    const [left, right] = [words.slice(0, cut), words.slice(cut)].map((part) => ids.get(part.join(" ")));
    if (left !== undefined && right !== undefined) most = Math.max(most, (totals[left] * totals[right]) / all);
  }
  if (most > 0) return most;
  const known = words.map((word) => ids.get(word)).filter((id) => id !== undefined);
  return known.reduce((product, id) => product * (totals[id] / all), all);
}

/** A word is left out where this share of it is before an ending; of a piece half is enough. */
const BEFORE_ENDING = 0.8;

/** What is no word: what pieces are together by chance, and pieces that mostly belong to words. */
export function findPieces({ ids, totals, joined }: Counts, kept: ReadonlySet<string>): ReadonlySet<string> {
  const left = new Set<string>();
  const inside = new Map<string, number>();
  for (const [word, { parts, count }] of joined) {
    // The dictionary may know it elsewhere.
    if (!kept.has(word)) {
      if (totals[ids.get(word)!] === count) left.add(word);
      continue;
    }
    for (const part of parts) inside.set(part, (inside.get(part) ?? 0) + count);
  }
  for (const [part, count] of inside) {
    if (count > (isPiece(part) ? 0.5 : BEFORE_ENDING) * totals[ids.get(part)!]) left.add(part);
  }
  return left;
}
