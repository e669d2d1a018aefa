import { ln } from "../random.js";

/** The value of a word that is not in a list. */
export const ABSENT = Number.NEGATIVE_INFINITY;

/** A word of a topic. */
export interface TopicWord {
  readonly word: string;
  /** How often a word of the topic is this one, or how well it tells the topic: see the list it is in. */
  readonly value: number;
}

/** How many documents of each topic have each word. */
export interface WordTable {
  readonly words: readonly string[];
  /** The number of topics. */
  readonly k: number;
  /** k × m. */
  readonly counts: Float64Array;
  /** m: how many documents of all topics have each word. */
  readonly totals: Float64Array;
  /** k: the different words of each document, summed over the documents of each topic. */
  readonly lengths: Float64Array;
}

export function tabulateWords(counts: Float64Array, k: number, words: readonly string[]): WordTable {
  const m = words.length;
  const totals = new Float64Array(m);
  const lengths = new Float64Array(k);
  for (let j = 0; j < k; j++) {
    for (let f = 0; f < m; f++) {
      totals[f] += counts[j * m + f];
      lengths[j] += counts[j * m + f];
    }
  }
  return { words, k, counts, totals, lengths };
}

/** The likeliest words of a topic: their share of its words. */
export function likelyWords({ words, counts, lengths }: WordTable, j: number, most: number): TopicWord[] {
  return rankWords(words, most, (f) => {
    const count = counts[j * words.length + f];
    return count > 0 ? count / lengths[j] : ABSENT;
  });
}

/** The words that tell a topic from the others. */
export function tellingWords(table: WordTable, j: number, most: number): TopicWord[] {
  return rankWords(table.words, most, tellerOf(table, j));
}

/** How well a word tells a topic. A single topic has no others to be told from: its likeliest words do. */
export function tellerOf({ words, k, counts, totals, lengths }: WordTable, j: number): (f: number) => number {
  const all = lengths.reduce((sum, length) => sum + length, 0);
  return (f) => {
    const count = counts[j * words.length + f];
    const value = k === 1 ? count / lengths[j] : tell(count, lengths[j], totals[f], all);
    return value > 0 ? value : ABSENT;
  };
}

/**
 * p ln(p / q), where p is the share of a word among those of some documents, and q that among all words: its part of the divergence
 * between the two (Kullback and Leibler 1951). 0 where the documents have less of it than others.
 */
export function tell(count: number, length: number, total: number, all: number): number {
  // One quotient of whole numbers, so that copies of all documents do not change its last bit.
  const lift = (count * all) / (length * total);
  return lift > 1 ? (count / length) * ln(lift) : 0;
}

/**
 * Words by their relevance (Sievert and Shirley 2014): λ ln p(w | topic) + (1 − λ) ln (p(w | topic) / p(w)).
 *
 * @param lambda from 0, the words that occur nearly nowhere else, to 1, the likeliest
 */
export function relevantWords(table: WordTable, j: number, lambda: number, most: number): TopicWord[] {
  const { words, counts, totals, lengths } = table;
  const all = lengths.reduce((sum, length) => sum + length, 0);
  const countOf = (f: number) => counts[j * words.length + f];
  const rate = (f: number) => {
    if (countOf(f) === 0) return ABSENT;
    const share = countOf(f) / lengths[j];
    return lambda * ln(share) + (1 - lambda) * ln(share / (totals[f] / all));
  };
  return rankWords(words, most, rate, countOf);
}

interface Rated {
  readonly f: number;
  readonly value: number;
}

/** Longer lists are sorted as a whole. */
const SHORT = 64;

/**
 * The words with the largest values; ties go to the more frequent, then to the first by code unit.
 *
 * @param frequency of a word; default: all the same
 */
export function rankWords(
  words: readonly string[],
  most: number,
  rate: (f: number) => number,
  frequency: (f: number) => number = () => 0,
): TopicWord[] {
  const order = (a: Rated, b: Rated) =>
    b.value - a.value || frequency(b.f) - frequency(a.f) || (words[a.f] < words[b.f] ? -1 : 1);
  const best: Rated[] = [];
  let least = ABSENT;
  for (let f = 0; f < words.length; f++) {
    const value = rate(f);
    if (!(value > ABSENT) || value < least) continue;
    const entry = { f, value };
    if (most > SHORT) {
      best.push(entry);
      continue;
    }
    if (best.length === most && order(entry, best[most - 1]) > 0) continue;
    let at = best.length;
    while (at > 0 && order(entry, best[at - 1]) < 0) at--;
    best.splice(at, 0, entry);
    if (best.length > most) best.pop();
    // Most words end here: neither an entry nor a comparison is made for them.
    if (best.length === most) least = best[most - 1].value;
  }
  if (most > SHORT) best.sort(order);
  return best.slice(0, most).map(({ f, value }) => ({ word: words[f], value }));
}

/** Words of a name. */
const NAMED = 3;

/**
 * A name for each topic from its words, those with letters before numbers, no two alike.
 *
 * @param lists k lists of words, the most telling first
 * @param given names that stay, by topic
 */
export function nameTopics(lists: readonly (readonly string[])[], given: readonly (string | null)[]): string[] {
  const used = new Set(given.filter((name) => name !== null));
  return lists.map((words, j) => {
    const kept = given[j];
    if (kept !== null && kept !== undefined) return kept;
    const name = findName(words, used, j);
    used.add(name);
    return name;
  });
}

function findName(words: readonly string[], used: ReadonlySet<string>, j: number): string {
  const different: string[] = [];
  // Numbers alone say little of a topic.
  const ranked = [...words.filter(hasLetters), ...words.filter((word) => !hasLetters(word))];
  for (const word of ranked) if (!different.some((other) => isSame(other, word))) different.push(word);
  for (let length = Math.min(NAMED, different.length); length > 0 && length <= different.length; length++) {
    const name = different.slice(0, length).join(", ");
    if (!used.has(name)) return name;
  }
  // A topic without documents has the number that stands beside it.
  const [base, first] = different.length > 0 ? [different.slice(0, NAMED).join(", "), j + 1] : ["topic", j];
  for (let number = first; ; number++) if (!used.has(`${base} ${number}`)) return `${base} ${number}`;
}

function hasLetters(word: string): boolean {
  return /\p{L}/u.test(word);
}

/** Whether one word says what the other does, as "game" and "games" or a phrase and its part do. */
function isSame(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (long.includes(" ")) return long.split(" ").includes(short) || short === long;
  return short.length > 2 && long.startsWith(short) && long.length - short.length <= 3;
}
