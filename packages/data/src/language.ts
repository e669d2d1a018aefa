/// <reference path="./stopword.d.ts" />
import { isUnspaced, splitWords } from "bonmf";

/** A language, and the words of it that tell nothing. */
export interface Language {
  /** As in "de" (BCP 47), or null where it is not known. */
  readonly code: string | null;
  /** "en": those of the library. "unknown": there is no list. */
  readonly stopWords: "en" | "unknown" | readonly string[];
}

/** Documents that are looked at, and characters of each. */
const DOCUMENTS = 300;
const CHARACTERS = 400;
/** Running text has at least this share of stop words of its own language. */
const LEAST_SHARE = 0.1;
/** Fewer different ones may be names, or words that several languages have. */
const LEAST_WORDS = 4;

/** The language whose stop words are the most frequent in the documents. */
export async function findLanguage(texts: readonly string[]): Promise<Language> {
  const some = drawSome(texts);
  const words = some.flatMap(splitWords);
  let best: string | null = null;
  let most = LEAST_SHARE * words.length;
  const lists = await openLists();
  for (const [code, list] of lists) {
    const known = new Set(list);
    const found = words.filter((word) => known.has(word));
    if (found.length > most && new Set(found).size >= LEAST_WORDS) [best, most] = [code, found.length];
  }
  // Texts without stop words are taken for English ones that have lost theirs.
  if (best === null) return { code: null, stopWords: isLatin(some) ? "en" : "unknown" };
  return { code: best, stopWords: best === "en" ? "en" : lists.get(best)! };
}

/** @param name a code such as "de" or "deu" */
export async function openLanguage(name: string): Promise<Language> {
  const code = canonical(name);
  if (code === "en") return { code, stopWords: "en" };
  return { code, stopWords: (await openLists()).get(code) ?? "unknown" };
}

/** Stop words by the short code of their language. Only texts need them: they are loaded then. */
async function openLists(): Promise<ReadonlyMap<string, readonly string[]>> {
  const found: Readonly<Record<string, unknown>> = await import("stopword");
  const lists = new Map<string, readonly string[]>();
  for (const [key, list] of Object.entries(found)) {
    if (/^[a-z]{3}$/.test(key) && Array.isArray(list)) lists.set(canonical(key), list);
  }
  return lists;
}

function drawSome(texts: readonly string[]): string[] {
  const step = Math.max(1, Math.floor(texts.length / DOCUMENTS));
  return texts.filter((_, i) => i % step === 0).map((text) => text.slice(0, CHARACTERS));
}

/** Stop words, and those of some documents that are made of nothing else: 我们 of 我 and 们. */
export function addCompounds(stopWords: readonly string[], texts: readonly string[]): string[] {
  const known = new Set(stopWords);
  for (const word of new Set(drawSome(texts).flatMap(splitWords))) {
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
  const count = (letters: RegExp) => all.match(letters)?.length ?? 0;
  return 2 * count(/\p{sc=Latin}/gu) >= count(/\p{L}/gu);
}
