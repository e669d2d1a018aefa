import { DataError, OptionError, quote } from "../errors.js";
import { checkKnown, type KnownOptions } from "../known-options.js";
import type { Sparse } from "../matrix/sparse.js";
import { findCommon } from "./common-words.js";
import { Counts } from "./counts.js";
import { findPhrases, findPieces } from "./phrases.js";
import { type Stem, Stems, stemInto } from "./stems.js";
import { STOP_WORDS } from "./stop-words.js";
import type { TextList } from "./texts.js";
import { splitPlaced } from "./words.js";

/** Options of {@link countWords}. */
export interface CountOptions {
  /** Words to leave out: true for English ones ("the", "of", "is" …), or a list of others. Default true. */
  stopWords?: boolean | readonly string[] | undefined;
  /** Whether to leave out words that are spread over 50 texts or more as chance would spread them, too. Default false. */
  learn?: boolean | undefined;
  /** Also counts phrases of up to so many words that occur together more often than chance would have it. Default 1. */
  longest?: number | undefined;
  /** Words in fewer texts are left out. Default 2; 1 for fewer than 20 texts. */
  minDocuments?: number | undefined;
  /** Words in more than this share of the texts are left out. Default 0.5. */
  maxShare?: number | undefined;
  /** The most words to keep: those in the most texts; ties go to the first by code unit. Default 20,000. */
  maxWords?: number | undefined;
  /**
   * Counts words with the same stem as one, called by the form that occurs most: a function such as that of a Snowball stemmer.
   * Stop words are not stemmed. Default: every form is a word.
   */
  stem?: Stem | undefined;
  /**
   * Counts exactly these words, for new texts of an earlier model. Of the other options `stem`, with the stop words that it
   * leaves alone, holds then too: give those of the fit.
   */
  vocabulary?: readonly string[] | undefined;
}

/** Names of the options of `countWords`. */
export const COUNT_OPTIONS: KnownOptions<CountOptions> = {
  stopWords: true,
  learn: true,
  longest: true,
  minDocuments: true,
  maxShare: true,
  maxWords: true,
  stem: true,
  vocabulary: true,
};

/** The result of {@link countWords}. */
export interface WordCounts {
  /** n texts × m words: how often each word occurs. A text without any of the words is a row of zeros. */
  X: Sparse;
  /** m words, sorted by code unit; or the given vocabulary. */
  words: string[];
  /** The stop words that were learnt from the texts, the most frequent first. */
  learnt: string[];
}

const FEW = 20;
const LONGEST = 5;

/**
 * Counts the words of texts, for topic models: `fit(X, { scale: "tfidf", featureNames: words })`. A word is a sequence of
 * letters and digits of any script, with hyphens and apostrophes inside; it is counted in lower case. Where words do not end
 * at spaces, as in Chinese, the runtime's dictionary divides them; single characters that stand together more often than by
 * chance are taken for one word, and so are a word and an ending of one character (服务|器).
 *
 * @param texts n texts
 * @throws DataError when no word is left, OptionError for a bad limit or vocabulary
 *
 * @example
 * ```ts
 * import { countWords } from "bonmf";
 * const { X, words } = countWords(["Cats chase mice.", "The mice fear cats!", "Stocks fell; bonds fell too."], {
 *   maxShare: 0.7,
 * });
 * words; // → ["bonds", "cats", "chase", "fear", "fell", "mice", "stocks"]
 * X.row(2); // → [1, 0, 0, 0, 2, 0, 1]
 * countWords(["Bonds for cats"], { vocabulary: words }).X.row(0); // → [1, 1, 0, 0, 0, 0, 0]
 * ```
 */
export function countWords(texts: Iterable<string>, options: CountOptions = {}): WordCounts {
  const counter = openCounter(options);
  for (const text of texts) counter.take(text);
  return counter.finish();
}

/** Counts texts one by one. */
export interface TextCounter {
  readonly counts: Counts;
  take(text: string): void;
  /** Takes some texts of a list, from one on. @returns the first that it did not take */
  takeSome(texts: TextList, from: number, to: number): number;
  finish(): WordCounts;
}

/** Takes and throws what {@link countWords} does. @param characters about how many the texts have */
export function openCounter(options: CountOptions, characters = 0): TextCounter {
  checkKnown(options, COUNT_OPTIONS, "countWords");
  const { vocabulary, stem, longest = 1 } = options;
  checkStem(stem);
  if (vocabulary) return openKnown(vocabulary, options, characters);
  checkOptions(options);
  const left = listLeft(options.stopWords);
  const stems = stem && new Stems(stem, left);
  const counts = new Counts(left, longest, null, characters);
  return {
    counts,
    take: (text) => counts.addText(text),
    takeSome: (texts, from, to) => counts.addSome(texts, from, to),
    finish: () => finishCount(counts, options, stems),
  };
}

/** @param forms words as they are written, which are counted by their stems where there are any */
function finishCount(forms: Counts, options: CountOptions, stems: Stems | undefined): WordCounts {
  const counts = stems ? forms.group(stems.key) : forms;
  if (counts.samples === 0) throw new DataError("empty", "there are no texts: at least one is needed");
  const minDocuments = options.minDocuments ?? (counts.samples < FEW ? 1 : 2);
  const phrases = findPhrases(counts, minDocuments);
  const pieces = findPieces(counts, phrases);
  const learnt = options.learn ? findCommon(counts).filter((word) => !pieces.has(word)) : [];
  const left = new Set([...learnt, ...pieces]);
  const chosen = chooseWords(counts, { ...options, minDocuments, phrases, left });
  if (stems) return nameStems(counts, chosen, learnt, stems.name(forms));
  // Without a function, texts are sorted by code unit, in a fraction of the time.
  const words = [...chosen.keys()].sort();
  return { X: counts.toSparse(words, chosen), words, learnt };
}

function nameStems(counts: Counts, chosen: Numbers, learnt: readonly string[], name: Stem): WordCounts {
  const named = Array.from(chosen.keys(), (stem) => ({ stem, word: name(stem) }));
  named.sort((a, b) => compare(a.word, b.word));
  return {
    X: counts.toSparse(
      named.map(({ stem }) => stem),
      chosen,
    ),
    words: named.map(({ word }) => word),
    learnt: learnt.map(name),
  };
}

/**
 * What {@link countWords} counts the words of a text as where the vocabulary is known: as the word of it with the same stem, or,
 * without `stem`, as they are. It finds the places of a word in a text again.
 *
 * @param rules those of the count
 *
 * @example
 * ```ts
 * import { countedAs, splitWords } from "bonmf";
 * const name = countedAs(["goals", "match"], { stem: (word) => word.replace(/s$/, "") });
 * splitWords("A goal, two goals").map(name); // → ["goals", "two", "goals"]
 * ```
 */
export function countedAs(vocabulary: readonly string[], rules: Pick<CountOptions, "stem" | "stopWords">): Stem {
  const { stem, stopWords } = rules;
  return stem ? stemInto(vocabulary, stem, listLeft(stopWords)) : (word) => word;
}

/** Words to leave out. */
export function listLeft(stopWords: CountOptions["stopWords"] = true): ReadonlySet<string> {
  if (typeof stopWords === "boolean") return stopWords ? STOP_WORDS : new Set();
  return new Set(stopWords);
}

function openKnown(vocabulary: readonly string[], options: CountOptions, characters: number): TextCounter {
  const known = new Set(vocabulary);
  if (known.size !== vocabulary.length) {
    throw new OptionError("vocabulary", vocabulary, "the vocabulary names a word twice: give each word once");
  }
  const longest = vocabulary.reduce((most, word) => Math.max(most, word.split(" ").length), 1);
  const counts = new Counts(new Set(), longest, known, characters);
  const name = options.stem && countedAs(vocabulary, options);
  const take = (text: string) => {
    if (!name) return counts.addText(text);
    const { words, touching } = splitPlaced(text);
    counts.add({ words: words.map(name), touching });
  };
  return {
    counts,
    take,
    takeSome(texts, from) {
      take(texts.at(from)!);
      return from + 1;
    },
    finish: () => ({ X: counts.toSparse(vocabulary), words: [...vocabulary], learnt: [] }),
  };
}

function checkStem(stem: CountOptions["stem"]): void {
  if (stem === undefined || typeof stem === "function") return;
  throw new OptionError("stem", stem, `stem must be a function from a word to its stem, not ${quote(stem)}`);
}

/** Throws where a limit or a list of stop words cannot be. */
export function checkOptions({ stopWords, longest, minDocuments, maxShare, maxWords }: CountOptions): void {
  for (const [name, value] of Object.entries({ longest, minDocuments, maxWords })) {
    if (value === undefined || (Number.isInteger(value) && value > 0)) continue;
    throw new OptionError(name, value, `${name} must be a whole number, 1 or more, not ${quote(value)}`);
  }
  if (longest !== undefined && longest > LONGEST) {
    throw new OptionError("longest", longest, `phrases have at most ${LONGEST} words, not ${quote(longest)}`);
  }
  if (maxShare !== undefined && !(maxShare > 0 && maxShare <= 1)) {
    throw new OptionError("maxShare", maxShare, `maxShare must be above 0 and at most 1, not ${quote(maxShare)}`);
  }
  if (stopWords === undefined || typeof stopWords === "boolean") return;
  if (!Array.isArray(stopWords) || !stopWords.every((word) => typeof word === "string")) {
    throw new OptionError("stopWords", stopWords, "stopWords must be true, false or an array of words");
  }
}

interface Rules extends CountOptions {
  readonly minDocuments: number;
  readonly phrases: ReadonlySet<string>;
  /** Words to leave out. */
  readonly left: ReadonlySet<string>;
}

/** Words with their numbers. */
type Numbers = ReadonlyMap<string, number>;

/**
 * The words that limits leave.
 *
 * @param words by number
 * @param holders how many of the samples have each word
 */
export function chooseWords(
  { words, holders, samples }: Pick<Counts, "words" | "holders" | "samples">,
  rules: Rules,
): Numbers {
  const { minDocuments, maxShare = 0.5, maxWords = 20_000, phrases, left } = rules;
  const most = Math.max(1, maxShare * samples);
  const isKept = (word: string) => {
    if (!word.includes(" ")) return !left.has(word);
    const parts = word.split(" ");
    return phrases.has(word) && !left.has(parts[0]) && !left.has(parts[parts.length - 1]);
  };
  const kept: number[] = [];
  for (let id = 0; id < words.length; id++) {
    if (holders[id] >= minDocuments && holders[id] <= most && isKept(words[id])) kept.push(id);
  }
  if (kept.length === 0) throw new DataError("empty", explainNone(holders.subarray(0, words.length), samples, rules));
  return new Map(takeMost(kept, words, holders, maxWords).map((id) => [words[id], id]));
}

function explainNone(holders: Uint32Array, samples: number, { minDocuments, maxShare = 0.5 }: Rules): string {
  const found = holders.reduce((count, holding) => count + Number(holding > 0), 0);
  if (found === 0) {
    const where = samples === 1 ? "the text" : `the ${samples} texts`;
    return `there are no words in ${where} but stop words (choose other stopWords)`;
  }
  return (
    `none of the ${found} words in ${samples} texts is left: each is in fewer than ${minDocuments} texts ` +
    `(lower minDocuments) or in more than ${100 * maxShare} % of them (raise maxShare)`
  );
}

/** The words in the most texts; of those in equally many the first by code unit. */
function takeMost(ids: readonly number[], words: readonly string[], holders: Uint32Array, most: number): number[] {
  if (ids.length <= most) return [...ids];
  const inOrder = Uint32Array.from(ids, (id) => holders[id]).sort();
  const least = inOrder[ids.length - most];
  const above = ids.filter((id) => holders[id] > least);
  const equal = new Map(ids.filter((id) => holders[id] === least).map((id) => [words[id], id]));
  const first = [...equal.keys()].sort().slice(0, most - above.length);
  return [...above, ...first.map((word) => equal.get(word)!)];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
