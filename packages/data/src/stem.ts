/// <reference path="./wink-porter2-stemmer.d.ts" />

import type { CountOptions, Stem } from "bonmf";
import { UserError } from "./errors.js";
import { nameLanguage } from "./language.js";
import type { StemOptions, TextOptions } from "./recipe.js";

/** Snowball's algorithms: Porter2 for English, which the other package has in an older form. */
const ENGLISH = "wink-porter2-stemmer 2.0.1";
const OTHERS = "@orama/stemmers 3.1.18";

type Opener = () => Promise<{ readonly stemmer: Stem }>;

const STEMMERS: ReadonlyMap<string, Opener> = new Map<string, Opener>([
  ["ar", () => import("@orama/stemmers/arabic")],
  ["da", () => import("@orama/stemmers/danish")],
  ["de", () => import("@orama/stemmers/german")],
  ["el", () => import("@orama/stemmers/greek")],
  ["en", async () => ({ stemmer: (await import("wink-porter2-stemmer")).default })],
  ["es", () => import("@orama/stemmers/spanish")],
  ["fi", () => import("@orama/stemmers/finnish")],
  ["fr", () => import("@orama/stemmers/french")],
  ["ga", () => import("@orama/stemmers/irish")],
  ["hi", () => import("@orama/stemmers/indian")],
  ["hu", () => import("@orama/stemmers/hungarian")],
  ["hy", () => import("@orama/stemmers/armenian")],
  ["id", () => import("@orama/stemmers/indonesian")],
  ["it", () => import("@orama/stemmers/italian")],
  ["lt", () => import("@orama/stemmers/lithuanian")],
  ["ne", () => import("@orama/stemmers/nepali")],
  ["nl", () => import("@orama/stemmers/dutch")],
  ["no", () => import("@orama/stemmers/norwegian")],
  ["pt", () => import("@orama/stemmers/portuguese")],
  ["ro", () => import("@orama/stemmers/romanian")],
  ["ru", () => import("@orama/stemmers/russian")],
  ["sr", () => import("@orama/stemmers/serbian")],
  ["sv", () => import("@orama/stemmers/swedish")],
  ["ta", () => import("@orama/stemmers/tamil")],
  ["tr", () => import("@orama/stemmers/turkish")],
]);

/** The languages that have a stemmer, by code. */
export const STEMMED_LANGUAGES: readonly string[] = [...STEMMERS.keys()];

/** The stemmer of a language, only now loaded; null where there is none. */
export async function openStemmer(code: string): Promise<Stem | null> {
  const language = code === "nb" || code === "nn" ? "no" : code;
  return (await STEMMERS.get(language)?.())?.stemmer ?? null;
}

/** Which package has the stemmer of a language. */
export function nameStemmer(code: string): string {
  return code === "en" ? ENGLISH : OTHERS;
}

/** What is kept of stemming for later texts. */
export function recordStem(
  language: string,
  stem: Stem,
  words: readonly string[],
  stopWords: Iterable<string>,
): StemOptions {
  const parts = new Set(words.flatMap((word) => word.split(" ")));
  const stems = new Set([...parts].map(stem));
  const apart = [...new Set(stopWords)].filter(
    (word) => stem(word) !== word && (stems.has(stem(word)) || parts.has(word)),
  );
  return { language, stemmer: nameStemmer(language), apart: apart.sort() };
}

/**
 * How the words of texts were stemmed, as options of `countWords` and of `topics`; none where they were not.
 *
 * @throws UserError for a language that this version does not stem
 */
export async function openStem({ stem }: Partial<TextOptions> = {}): Promise<Pick<CountOptions, "stem" | "stopWords">> {
  if (stem === undefined) return {};
  const own = await openStemmer(stem.language);
  if (own) return { stem: own, stopWords: stem.apart };
  const message = `the model was fitted on stems of ${nameLanguage(stem.language)}, which has no stemmer here`;
  throw new UserError(message, "use the version of bonmf that fitted it");
}

/** What to say where texts are stemmed by another version than that of the fit. */
export function noteStemmer({ stem }: Partial<TextOptions> = {}): string[] {
  if (stem === undefined || stem.stemmer === nameStemmer(stem.language)) return [];
  const [then, now] = [stem.stemmer, nameStemmer(stem.language)];
  return [`words are stemmed by ${now}, those of the fit by ${then}: some of them may not be found`];
}
