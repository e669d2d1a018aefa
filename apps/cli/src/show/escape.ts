/** Colours of ours carry it until they are printed. No file knows it, so none can bring a colour of its own. */
const KEY = crypto.randomUUID();
const COLOUR = new RegExp(`(\\x1b${KEY}\\[[\\d;]+m)`);

/** What rewrites a screen, forges lines or turns their direction, and halves of characters. */
const CONTROL = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
const SHORT = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

/** Longer lines are cut in the middle: a name from a file can have any length. */
const LONGEST = 4000;

/** A colour code, as "1" or "38;5;240", in a text that is not printed yet. */
export function markColour(code: string): string {
  return `\x1b${KEY}[${code}m`;
}

export function stripColours(text: string): string {
  return replaceParts(text, keep, () => "");
}

/** One line with its control characters as visible escapes; colours of ours stay. */
export function escapeControls(line: string): string {
  return replaceParts(line, escapeAll, keep);
}

/** Lines as a terminal may have them: the only way there for what may hold names from files. */
export function toTerminal(text: string): string {
  const print = (line: string) => replaceParts(shorten(line), escapeAll, (colour) => colour.replace(KEY, ""));
  return text.split("\n").map(print).join("\n");
}

/** JSON without control characters in its strings: the same to programs, harmless on a terminal. */
export function escapeJson(json: string): string {
  return json.replace(CONTROL, (character) => (character === "\n" ? character : escapeUnicode(character)));
}

function replaceParts(text: string, plain: (part: string) => string, colour: (part: string) => string): string {
  // The parts between colours and, at odd places, the colours.
  const parts = text.split(COLOUR);
  return parts.map((part, i) => (i % 2 === 0 ? plain(part) : colour(part))).join("");
}

function keep(part: string): string {
  return part;
}

function escapeAll(part: string): string {
  return part.replace(CONTROL, (character) => SHORT.get(character) ?? escapeUnicode(character));
}

function escapeUnicode(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function shorten(line: string): string {
  const text = line.length > LONGEST ? stripColours(line) : "";
  const more = text.length - LONGEST;
  if (more <= 0) return line;
  const half = LONGEST / 2;
  return `${text.slice(0, half)}… (${more.toLocaleString("en-US")} more characters) …${text.slice(-half)}`;
}
