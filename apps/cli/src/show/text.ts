import { stripVTControlCharacters } from "node:util";

const NONE = /\p{Mark}|\p{Format}/u;
const WIDE = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}！-｠]/u;

/** Width on a terminal: East Asian characters and emoji count two, combining characters none. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of stripVTControlCharacters(text)) {
    if (!NONE.test(character)) width += WIDE.test(character) ? 2 : 1;
  }
  return width;
}

/** Breaks at spaces; a word longer than the line gets its own line. */
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

/** Shortens to a width, ending in "…". The text must be without colours. */
export function clip(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = "";
  for (const character of text) {
    if (widthOf(kept) + widthOf(character) > width - 1) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

/** Replaces control characters: names from files could rewrite the screen. */
export function replaceControls(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, "\ufffd");
}
