/// <reference path="./stopword.d.ts" />

import { isUnspaced, STOP_WORDS, splitWords, type TextList, WEB_WORDS } from "bonmf";
import { CHINESE_STOP_WORDS } from "./chinese-stop-words.js";
import { GERMAN_STOP_WORDS } from "./german-stop-words.js";
import { MORE_STOP_WORDS } from "./more-stop-words.js";

/** A language, and the words of it that tell nothing. */
export interface Language {
  /** As in "de" (BCP 47), or null where it is not known. */
  readonly code: string | null;
  /** "en": those of the library. "unknown": there is no list. */
  readonly stopWords: "en" | "unknown" | readonly string[];
  /** Further languages that many documents are in; `stopWords` has theirs too. */
  readonly others: readonly string[];
}

/** Documents that are looked at, and characters of each. */
const DOCUMENTS = 300;
const CHARACTERS = 400;
/** Running text has at least this share of stop words of its own language. */
const LEAST_SHARE = 0.1;
/** Fewer different ones may be names, or words that several languages have. */
const LEAST_WORDS = 4;

/** Another language than the first has at least this share of the documents, else those in it are quotations. */
const LEAST_DOCUMENTS = 0.05;
/** And at least so many documents, since the language of a single short text is often mistaken. */
const LEAST_OTHERS = 5;

/** Texts of any language quote English: it is another language where this share of all words, and so many, are its stop words. */
const LEAST_ENGLISH = 0.01;
const LEAST_ENGLISH_WORDS = 20;

/** The language whose stop words are the most frequent in some documents, with the stop words of others that many are in. */
export async function findLanguage(some: readonly string[]): Promise<Language> {
  const lists = await openLists();
  const divided = some.map(splitWords);
  const all = divided.flat();
  const known = findLists(all, lists);
  const found = findBest(all, known, lists.keys());
  if (found === null && !isLatin(some)) return { code: null, stopWords: "unknown", others: [] };
  // Texts without stop words are taken for English ones that have lost theirs.
  const code = found ?? "en";
  const documents = new Map<string, number>();
  for (const words of divided) {
    const own = findBest(words, known, lists.keys());
    if (own !== null && isOther(words, own, code, known)) documents.set(own, (documents.get(own) ?? 0) + 1);
  }
  const others = [...documents]
    .filter(([, count]) => count >= Math.max(LEAST_OTHERS, LEAST_DOCUMENTS * some.length))
    .map(([other]) => other);
  if (code !== "en" && !others.includes("en") && quotesEnglish(all, known, code)) others.push("en");
  if (code === "en" && others.length === 0) return { code: found, stopWords: "en", others };
  return {
    code,
    stopWords: [code, ...others].flatMap((each) => [...new Set(lists.get(each)!), ...listOwn(each)]),
    others,
  };
}

/** The languages that a word is a stop word of. */
type Lists = ReadonlyMap<string, readonly string[]>;

/** The lists that some words are in, word by word: texts have fewer words than lists. */
function findLists(words: readonly string[], lists: ReadonlyMap<string, readonly string[]>): Lists {
  const known = new Map(words.map((word): [string, string[]] => [word, []]));
  for (const [code, list] of lists) {
    for (const word of list) {
      const codes = known.get(word);
      // A list may have a word twice.
      if (codes && codes[codes.length - 1] !== code) codes.push(code);
    }
  }
  return known;
}

/** Short texts of one language have words of its neighbours: another has at least twice as many that are not this one's. */
function isOther(words: readonly string[], other: string, code: string, lists: Lists): boolean {
  const count = (one: string, less: string) =>
    words.filter((word) => lists.get(word)!.includes(one) && !lists.get(word)!.includes(less)).length;
  return other !== code && count(other, code) >= 2 * count(code, other);
}

function quotesEnglish(words: readonly string[], lists: Lists, code: string): boolean {
  const found = words.filter((word) => {
    const own = lists.get(word)!;
    return own.includes("en") && !own.includes(code);
  });
  return found.length >= LEAST_ENGLISH * words.length && new Set(found).size >= LEAST_ENGLISH_WORDS;
}

/** The language that most words are stop words of, or null; of equal ones the first. */
function findBest(words: readonly string[], lists: Lists, codes: Iterable<string>): string | null {
  const found = new Map(Array.from(codes, (code): [string, string[]] => [code, []]));
  for (const word of words) for (const code of lists.get(word)!) found.get(code)!.push(word);
  let best: string | null = null;
  let most = LEAST_SHARE * words.length;
  for (const [code, own] of found) {
    if (own.length <= most || new Set(own).size < LEAST_WORDS) continue;
    [best, most] = [code, own.length];
  }
  return best;
}

/** @param name a code such as "de" or "deu" */
export async function openLanguage(name: string): Promise<Language> {
  const code = canonical(name);
  if (code === "en") return { code, stopWords: "en", others: [] };
  const list = (await openLists()).get(code);
  return { code, stopWords: list ? [...list, ...listOwn(code)] : "unknown", others: [] };
}

/** Single letters of Hiragana are particles, or ends that the dictionary leaves of verbs. */
const HIRAGANA = Array.from({ length: 0x56 }, (_, i) => String.fromCharCode(0x3041 + i));

/** Stop words that the lists lack. They do not tell which language a text is in. */
function listOwn(code: string): Iterable<string> {
  if (code === "en") return STOP_WORDS;
  return [...(OWN.get(code) ?? []), ...WEB_WORDS];
}

const OWN: ReadonlyMap<string, readonly string[]> = new Map([
  ["de", GERMAN_STOP_WORDS],
  ["ja", HIRAGANA],
  ["zh", CHINESE_STOP_WORDS],
]);

/** Stop words by the short code of their language. Only texts need them: they are loaded then. */
async function openLists(): Promise<ReadonlyMap<string, readonly string[]>> {
  const found: Readonly<Record<string, unknown>> = await import("stopword");
  const lists = new Map<string, readonly string[]>();
  for (const [key, list] of Object.entries(found)) {
    if (!/^[a-z]{3}$/.test(key) || !Array.isArray(list)) continue;
    const code = canonical(key);
    lists.set(code, [...list, ...(MORE_STOP_WORDS.get(code) ?? [])]);
  }
  return lists;
}

/** How some documents begin, the same ones in whatever order they come: those with the lowest hashes. */
export function drawSome(texts: TextList, hashes: Uint32Array): string[] {
  const most = findLowest(hashes, DOCUMENTS)[DOCUMENTS - 1] ?? Number.POSITIVE_INFINITY;
  const some: string[] = [];
  for (let i = 0; i < texts.length; i++) if (hashes[i] <= most) some.push(texts.at(i)!.slice(0, CHARACTERS));
  return some;
}

/** The lowest numbers, rising: few others are looked at twice. */
function findLowest(numbers: Uint32Array, count: number): Uint32Array {
  const lowest = numbers.slice(0, count).sort();
  for (let i = count; i < numbers.length; i++) {
    let at = count - 1;
    if (numbers[i] >= lowest[at]) continue;
    for (; at > 0 && lowest[at - 1] > numbers[i]; at--) lowest[at] = lowest[at - 1];
    lowest[at] = numbers[i];
  }
  return lowest;
}

/** Stop words, and those of some documents that are made of nothing else: 我们 of 我 and 们. */
export function addCompounds(stopWords: readonly string[], some: readonly string[]): string[] {
  const known = new Set(stopWords);
  for (const word of new Set(some.flatMap(splitWords))) {
    if (isUnspaced(word) && [...word].every((letter) => known.has(letter))) known.add(word);
  }
  return [...known];
}

/** "German" for "de". */
export function nameLanguage(code: string): string {
  return new Intl.DisplayNames(["en"], { type: "language" }).of(code) ?? code;
}

/** The short code of a language. */
function canonical(code: string): string {
  return new Intl.Locale(code).language;
}

/** Whether most letters are. */
function isLatin(texts: readonly string[]): boolean {
  const all = texts.join("");
  // Letters one by one are slow to find, and most texts have few others.
  const plain = all.replace(/[^A-Za-z]+/g, "").length;
  const others = all.replace(/[\0-\x7f]+/g, "");
  const count = (letters: RegExp) => plain + (others.match(letters)?.length ?? 0);
  return 2 * count(/\p{sc=Latin}/gu) >= count(/\p{L}/gu);
}
