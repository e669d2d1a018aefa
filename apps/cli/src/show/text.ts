import { stripVTControlCharacters } from "node:util";

const NONE = /\p{Mark}|\p{Format}/u;
const WIDE = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}！-｠]/u;

/** Columns that a text takes on a terminal; wide East Asian characters and emoji take two, accents and joiners none. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of stripVTControlCharacters(text)) {
    if (!NONE.test(character)) width += WIDE.test(character) ? 2 : 1;
  }
  return width;
}

/** Breaks at spaces; a word longer than the line keeps a line for itself. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** Cuts what is too wide, with "…" for the rest. The text must be without colours. */
export function clip(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = "";
  for (const character of text) {
    if (widthOf(kept) + widthOf(character) > width - 1) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

/** Names from files may hold control characters, which could rewrite the screen. */
export function tame(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, "\ufffd");
}
