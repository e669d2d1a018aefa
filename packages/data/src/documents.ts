import {
  countWordsInThreads,
  describeSegmenter,
  type Sparse,
  STOP_WORDS,
  type Stem,
  type TextList,
  WEB_WORDS,
} from "bonmf";
import { areUnspaced, groupEqualTexts, Texts, takeTexts } from "bonmf/io";
import type { Data, Label, TableOptions, WordRules } from "./data.js";
import { UserError } from "./errors.js";
import { listNames } from "./labels.js";
import { addCompounds, drawSome, findLanguage, type Language, nameLanguage, openLanguage } from "./language.js";
import type { Recipe, TextOptions } from "./recipe.js";
import { noteStemmer, openStem, openStemmer, recordStem } from "./stem.js";

/** Texts with what belongs to them. */
export interface Documents {
  readonly texts: TextList;
  readonly labels: readonly Label[] | null;
  readonly ids: readonly Label[] | null;
  readonly weights: Float64Array | null;
  readonly notes: readonly string[];
}

const MOST_WORDS = 20_000;
const MAX_SHARE = 0.5;
/** Among fewer documents than this a word may occur in one only; and a topic may be most of them, with words that all of it has. */
const FEW = 20;
const MAX_SHARE_OF_FEW = 0.9;

/** Counts the words of documents: for a model those it was fitted on, else those within the usual limits. */
export async function countDocuments(
  { texts, labels, ids, weights, notes }: Documents,
  options: Pick<TableOptions, "like" | "words" | "label" | "threads">,
  column?: string,
): Promise<Data> {
  const { like, label, threads } = options;
  const { X, words, recipe, told } = like
    ? await countKnown(texts, like, threads)
    : await countNew(texts, { ...options.words, threads }, column);
  const empty = countEmpty(X);
  if (empty > 0) {
    const [none, only] = empty === 1 ? ["holds", "does not hold"] : ["hold", "do not hold"];
    const which = words.length === 1 ? `${only} the only word` : `${none} none of the ${words.length} words`;
    told.push(`${empty} of ${texts.length} documents ${which}`);
  }
  return {
    X,
    features: words,
    labels,
    ids,
    weights,
    kind: "text",
    texts,
    recipe: !like && column !== undefined && label !== undefined ? { ...recipe, label } : recipe,
    notes: [...notes, ...told],
  };
}

interface Counted {
  readonly X: Sparse;
  readonly words: readonly string[];
  readonly recipe: Recipe;
  readonly told: string[];
}

interface CountRules extends WordRules, Pick<TableOptions, "threads"> {}

type Like = NonNullable<TableOptions["like"]>;

async function countKnown(texts: TextList, like: Like, threads: number | undefined): Promise<Counted> {
  const { features, recipe } = like;
  if (!features) throw new UserError("the model does not know the words it was fitted on", "fit it on text again");
  const { text } = recipe;
  const { X, words } = await countWordsInThreads(texts, { vocabulary: features, threads, ...(await openStem(text)) });
  const isOther = text?.segmenter !== undefined && text.segmenter !== describeSegmenter();
  const told = "this runtime divides words by another dictionary than the fit's: some of them may not be found";
  return { X, words, recipe, told: [...(isOther ? [told] : []), ...noteStemmer(text)] };
}

/** Limits on words are about different documents: a corpus given twice has the same words. */
async function countNew(all: TextList, rules: CountRules, column?: string): Promise<Counted> {
  const { firsts, kindOf, hashes } = groupEqualTexts(all);
  if (firsts.length === all.length) return countDifferent(all, hashes, rules, column);
  const different = takeTexts(all, firsts);
  const counted = await countDifferent(different, hashes, rules, column);
  return { ...counted, X: counted.X.take(kindOf) };
}

/** @param hashes of the texts */
async function countDifferent(
  texts: TextList,
  hashes: Uint32Array,
  rules: CountRules,
  column?: string,
): Promise<Counted> {
  const few = texts.length < FEW;
  const limit = (maxShare: number) => ({
    minDocuments: rules.minDocuments ?? (few ? 1 : 2),
    maxShare: rules.maxShare ?? maxShare,
    maxWords: rules.maxWords ?? MOST_WORDS,
  });
  const { longest, vocabulary, threads } = rules;
  if (vocabulary && !rules.stem) {
    const { X } = await countWordsInThreads(texts, { vocabulary, threads });
    return { X, words: vocabulary, recipe: recipeOf({ ...limit(MAX_SHARE), stopWords: false }, column), told: [] };
  }
  const some = drawSome(texts, hashes);
  const language = rules.language === undefined ? await findLanguage(some) : await openLanguage(rules.language);
  const stemming = rules.stem ? await chooseStemmer(language) : null;
  const stem = stemming?.stem;
  if (vocabulary) {
    const { X } = await countWordsInThreads(texts, { vocabulary, stopWords: false, threads, ...(stem && { stem }) });
    const kept = stem && { stem: recordStem(stemming.code, stem, vocabulary, []) };
    const recipe = recipeOf({ ...limit(MAX_SHARE), stopWords: false, ...kept }, column);
    return { X, words: vocabulary, recipe, told: [...(stemming?.told ?? [])] };
  }
  const unspaced = areUnspaced(texts);
  const stopWords = addWords(rules.stopWords ?? listStopWords(language, some), rules.moreStopWords);
  // Where the words that tell nothing are not known, the share is all that leaves them out.
  const limits = limit(few && language.stopWords !== "unknown" ? MAX_SHARE_OF_FEW : MAX_SHARE);
  // Lists for scripts without spaces are short.
  const learn = rules.stopWords === undefined && (unspaced || language.stopWords === "unknown");
  const counting = { ...limits, stopWords, learn, threads, ...(longest && { longest }), ...(stem && { stem }) };
  const { X, words, learnt } = await countWordsInThreads(texts, counting);
  const text: TextOptions = {
    ...limits,
    stopWords: stopWords !== false,
    ...(language.code !== null && language.stopWords !== "en" && { language: language.code }),
    ...(longest && longest > 1 && { longest }),
    ...(unspaced && { segmenter: describeSegmenter() }),
    ...(stem && { stem: recordStem(stemming.code, stem, words, listWords(stopWords)) }),
  };
  const told = rules.stopWords === undefined ? noteLanguage(language, learnt) : [];
  return { X, words, recipe: recipeOf(text, column), told: [...told, ...(stemming?.told ?? [])] };
}

interface Stemming {
  readonly code: string;
  /** Undefined where the language has none. */
  readonly stem: Stem | undefined;
  readonly told: readonly string[];
}

async function chooseStemmer({ code: found, stopWords }: Language): Promise<Stemming> {
  const code = found ?? (stopWords === "en" ? "en" : null);
  const stem = code === null ? null : await openStemmer(code);
  if (code !== null && stem) return { code, stem, told: [] };
  const told = code === null ? "the language is not known" : `there is no stemmer of ${nameLanguage(code)}`;
  return { code: code ?? "", stem: undefined, told: [`${told}: words are counted as they are (--stem, --language)`] };
}

function listWords(stopWords: boolean | readonly string[]): Iterable<string> {
  return typeof stopWords === "boolean" ? (stopWords ? STOP_WORDS : []) : stopWords;
}

function addWords(stopWords: boolean | readonly string[], more: readonly string[] = []): boolean | readonly string[] {
  return more.length === 0 ? stopWords : [...listWords(stopWords), ...more];
}

function recipeOf(text: TextOptions, column: string | undefined): Recipe {
  return { kind: "text", text: column === undefined ? text : { ...text, column } };
}

function listStopWords({ stopWords }: Language, some: readonly string[]): boolean | readonly string[] {
  if (stopWords === "en") return true;
  return stopWords === "unknown" ? [...WEB_WORDS] : addCompounds(stopWords, some);
}

function noteLanguage({ code, stopWords, others }: Language, learnt: readonly string[]): string[] {
  if (stopWords === "en") return [];
  if (code !== null && stopWords === "unknown") return [noteUnlisted(code, learnt)];
  const names = code === null ? ["not known"] : [code, ...others].map(nameLanguage);
  const known =
    names.length === 1 ? `the language is ${names[0]}` : `the languages are ${new Intl.ListFormat("en").format(names)}`;
  const words = learnt.length === 1 ? "1 word" : `${learnt.length} words`;
  const left = [
    ...(stopWords === "unknown" ? [] : [others.length === 0 ? "its stop words" : "their stop words"]),
    ...(learnt.length === 0 ? [] : [`${words} spread over the documents as by chance (${listNames(learnt)})`]),
  ];
  if (left.length === 0) return [];
  return [`${known}: ${left.join(" and ")} are left out (--language, --stop-words)`];
}

function noteUnlisted(code: string, learnt: readonly string[]): string {
  const words = learnt.length === 1 ? "1 word" : `${learnt.length} words`;
  const left =
    learnt.length === 0 ? "" : `; ${words} spread over the documents as by chance (${listNames(learnt)}) are left out`;
  return `there is no list of stop words of ${nameLanguage(code)}${left} (--language, --stop-words)`;
}

function countEmpty({ offsets, samples }: Sparse): number {
  let empty = 0;
  for (let i = 0; i < samples; i++) if (offsets[i] === offsets[i + 1]) empty++;
  return empty;
}

/** One after the other. */
export function joinDocuments(parts: readonly Documents[]): Documents {
  const [first] = parts;
  if (parts.length === 1) return first;
  const join = <T>(lists: readonly (readonly T[])[]): T[] => ([] as T[]).concat(...lists);
  return {
    texts: joinTexts(parts.map(({ texts }) => texts)),
    labels: first?.labels ? join(parts.map(({ labels }) => labels ?? [])) : null,
    ids: first?.ids ? join(parts.map(({ ids }) => ids ?? [])) : null,
    weights: first?.weights ? Float64Array.from(parts.flatMap(({ weights }) => [...(weights ?? [])])) : null,
    notes: [...new Set(parts.flatMap(({ notes }) => notes))],
  };
}

function joinTexts(lists: readonly TextList[]): TextList {
  const packed = lists.filter((list) => list instanceof Texts);
  if (packed.length === lists.length) return new Texts(packed.flatMap(({ parts }) => parts));
  return lists.flatMap((list) => [...list]);
}
