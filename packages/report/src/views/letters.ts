/** Characters as wide as two letters: those of East Asia, and emoji. */
const WIDE =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u303f\u30fc\uff01-\uff60]|\p{Emoji_Presentation}/u;
/** Characters that take no room of their own. */
const NARROW = /[\p{Mn}\p{Me}\p{Cf}]/u;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;

/** About how many letters would fill the room that a text takes in a plot. */
export function widthOf(text: string): number {
  let width = 0;
  for (const letter of text) width += WIDE.test(letter) ? 2 : NARROW.test(letter) ? 0 : 1;
  return width;
}

/** A text that is at most so many letters wide. */
export function shorten(text: string, most: number): string {
  if (widthOf(text) <= most) return text;
  let short = "";
  let width = 1;
  for (const letter of text) {
    width += widthOf(letter);
    if (width > most) break;
    short += letter;
  }
  return `${short.replace(/[\s,]+$/u, "")}…`;
}

/** For a sentence in which a name from the right to the left must not move what stands beside it. */
export function isolate(name: string): string {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}
