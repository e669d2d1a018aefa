import { isUnspaced, type Stem, splitWords } from "bonmf";
import type { Piece } from "./findings.js";

/** Characters that are shown. */
const LENGTH = 240;
/** Characters of a document that are looked at. */
const SEEN = 50_000;

/** Words as `splitWords` finds them, with what is not seen in them. */
const WORD =
  /[\p{L}\p{N}][\p{L}\p{M}\p{N}\u00ad\u200c\u200d]*(?:['’-][\p{L}\p{N}][\p{L}\p{M}\p{N}\u00ad\u200c\u200d]*)*/gu;
/** Words of a phrase, or pieces of a word, that are counted as one. */
const MOST_PARTS = 3;

/** A place of the text. */
interface Span {
  readonly from: number;
  readonly to: number;
}

interface Word extends Span {
  /** As it is counted. */
  readonly name: string;
}

/** A word with what stands around it: a passage begins and ends between tokens. */
interface Token extends Span {
  readonly word: Span;
  /** What is marked here: the word, or a phrase that it is part of. */
  readonly told: string | null;
}

/** Options of {@link findPassage}. */
export interface PassageOptions {
  /** Characters that are shown, at most. Default 240. */
  readonly length?: number | undefined;
  /** Which of the words a word of the text is. Default: the same. */
  readonly countedAs?: Stem | undefined;
}

const asIs: Stem = (word) => word;

/**
 * The passage of a document that holds the most of some words, which are marked; of several the first. A passage begins and
 * ends between words; "…" says where something is left out.
 */
export function findPassage(
  document: string,
  words: Iterable<string>,
  { length = LENGTH, countedAs = asIs }: PassageOptions = {},
): Piece[] {
  const text = clip(document, SEEN).replace(/\s+/gu, " ").trim();
  if (text === "") return [];
  const tokens = findTokens(text, new Set(words), countedAs);
  const { from, to } = chooseWindow(tokens, length);
  const pieces: Piece[] = [];
  const add = (some: string, marked: boolean) => {
    const last = pieces[pieces.length - 1];
    if (some === "") return;
    if (last?.marked === marked) pieces[pieces.length - 1] = { text: last.text + some, marked };
    else pieces.push({ text: some, marked });
  };
  if (from > 0) add("… ", false);
  for (let t = from; t < to; t++) {
    const { word, told, ...token } = tokens[t];
    if (t > from) add(text.slice(tokens[t - 1].to, token.from), false);
    const shown = clip(text.slice(token.from, token.to), length);
    const [start, end] = told === null ? [shown.length, shown.length] : [word.from - token.from, word.to - token.from];
    add(shown.slice(0, start), false);
    add(shown.slice(start, end), true);
    add(shown.slice(end), false);
  }
  if (to < tokens.length || tokens[to - 1].to - tokens[to - 1].from > length) add(" …", false);
  return pieces;
}

/** The beginning, never half a character. */
export function clip(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
}

/** What stands between two words belongs to the first up to a space, then to the second. */
function findTokens(text: string, marked: ReadonlySet<string>, countedAs: Stem): Token[] {
  const words = findWords(text, countedAs);
  if (words.length === 0) return [{ from: 0, to: text.length, word: { from: 0, to: 0 }, told: null }];
  const told = findTold(words, marked);
  let from = 0;
  return words.map((word, w) => {
    const next = words[w + 1]?.from ?? text.length;
    const space = w + 1 < words.length ? text.slice(word.to, next).indexOf(" ") : -1;
    const token = { from, to: space < 0 ? next : word.to + space, word, told: told[w] };
    from = space < 0 ? token.to : token.to + 1;
    return token;
  });
}

function findWords(text: string, countedAs: Stem): Word[] {
  return Array.from(text.matchAll(WORD), ({ 0: run, index }): Word[] => {
    const words = splitWords(run);
    if (!isUnspaced(run)) return [{ from: index, to: index + run.length, name: countedAs(words[0] ?? "") }];
    const plain = run.toLowerCase();
    let at = 0;
    return words.map((word) => {
      const from = Math.max(at, plain.indexOf(word, at));
      at = Math.min(run.length, from + word.length);
      return { from: index + from, to: index + at, name: countedAs(word) };
    });
  }).flat();
}

/** Of each word what it is marked as: the longest phrase from it on, of several the first. */
function findTold(words: readonly Word[], marked: ReadonlySet<string>): (string | null)[] {
  const told = new Array<string | null>(words.length).fill(null);
  for (let w = 0; w < words.length; w++) {
    for (let parts = Math.min(MOST_PARTS, words.length - w); parts > 0; parts--) {
      const some = words.slice(w, w + parts);
      const name = [joinWords(some), some.map(({ name }) => name).join(" ")].find((name) => marked.has(name));
      if (name === undefined) continue;
      told.fill(name, w, w + parts);
      w += parts - 1;
      break;
    }
  }
  return told;
}

/** As one word where nothing stands between them. */
function joinWords(words: readonly Word[]): string {
  return words.reduce((all, { name, from }, p) => all + (p > 0 && from > words[p - 1].to ? " " : "") + name, "");
}

/** The tokens, as many as fit, with the most different words. */
function chooseWindow(tokens: readonly Token[], length: number): { from: number; to: number } {
  const counts = new Map<string, number>();
  const best = { from: 0, to: 1, words: -1 };
  let to = 0;
  for (let from = 0; from < tokens.length; from++) {
    while (to < tokens.length && (to === from || tokens[to].to - tokens[from].from <= length)) {
      const { told } = tokens[to++];
      if (told !== null) counts.set(told, (counts.get(told) ?? 0) + 1);
    }
    if (counts.size > best.words) Object.assign(best, { from, to, words: counts.size });
    const { told } = tokens[from];
    if (told === null) continue;
    const left = (counts.get(told) ?? 0) - 1;
    if (left > 0) counts.set(told, left);
    else counts.delete(told);
  }
  return best;
}
