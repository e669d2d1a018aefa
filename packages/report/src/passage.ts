import { type Stem, splitWords } from "bonmf";
import type { Piece } from "./findings.js";

/** Characters that are shown. */
const LENGTH = 240;
/** Characters of a document that are looked at. */
const SEEN = 50_000;

interface Token {
  readonly from: number;
  readonly to: number;
  /** Which of the words it is; null: none. */
  readonly word: string | null;
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
    if (last && !marked && !last.marked) pieces[pieces.length - 1] = { text: last.text + some, marked };
    else pieces.push({ text: some, marked });
  };
  if (from > 0) add("… ", false);
  for (let t = from; t < to; t++) {
    const token = tokens[t];
    if (t > from) add(" ", false);
    add(clip(text.slice(token.from, token.to), length), token.word !== null);
  }
  if (to < tokens.length || tokens[to - 1].to - tokens[to - 1].from > length) add(" …", false);
  return pieces;
}

/** The beginning, never half a character. */
function clip(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
}

function findTokens(text: string, words: ReadonlySet<string>, countedAs: Stem): Token[] {
  const tokens: Token[] = [];
  for (let from = 0; from < text.length; ) {
    const space = text.indexOf(" ", from);
    const to = space < 0 ? text.length : space;
    const own = splitWords(text.slice(from, to)).map(countedAs);
    const word = own.find((each) => words.has(each)) ?? null;
    tokens.push({ from, to, word });
    from = to + 1;
  }
  return tokens;
}

/** The tokens, as many as fit, with the most different words. */
function chooseWindow(tokens: readonly Token[], length: number): { from: number; to: number } {
  const counts = new Map<string, number>();
  const best = { from: 0, to: 1, words: -1 };
  let to = 0;
  for (let from = 0; from < tokens.length; from++) {
    while (to < tokens.length && (to === from || tokens[to].to - tokens[from].from <= length)) {
      const { word } = tokens[to++];
      if (word !== null) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    if (counts.size > best.words) Object.assign(best, { from, to, words: counts.size });
    const { word } = tokens[from];
    if (word === null) continue;
    const left = (counts.get(word) ?? 0) - 1;
    if (left > 0) counts.set(word, left);
    else counts.delete(word);
  }
  return best;
}
