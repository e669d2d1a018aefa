import type { Style } from "../command.js";
import { escapeControls, markColour, stripColours } from "./escape.js";

const NONE = /\p{Mark}|\p{Format}/u;
const WIDE = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}！-｠]/u;

/** Width on a terminal: East Asian characters and emoji count two, combining characters none. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of stripColours(text)) {
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

interface Stream {
  readonly isTTY?: boolean;
}

/** Colours on terminals unless NO_COLOR is set; FORCE_COLOR forces them, FORCE_COLOR=0 disables them. */
export function hasColours(stream: Stream, env: NodeJS.ProcessEnv): boolean {
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "") return env.FORCE_COLOR !== "0";
  return stream.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";
}

/** Colours as `toTerminal` prints them. */
export function makeStyle(colours: boolean): Style {
  const paint = (open: number, close: number) => (text: string) =>
    colours && text !== "" ? `${markColour(String(open))}${text}${markColour(String(close))}` : text;
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    good: paint(32, 39),
    bad: paint(31, 39),
    accent: paint(36, 39),
  };
}

/** 1234567 → "1,234,567". */
export function count(value: number): string {
  // Loading the rules of a language takes 10 ms.
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ",");
}

/** 0.1234 → "12.3 %". */
export function percent(share: number, digits = 1): string {
  return Number.isFinite(share) ? `${(share * 100).toFixed(digits).replace(/^-(?=[0.]+$)/, "")} %` : "–";
}

/** "1 sample", "1,234 samples". */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** 83.2 → "1 min 23 s", 0.045 → "45 ms". */
export function duration(seconds: number): string {
  if (seconds < 0.9995) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

const SIZES = ["B", "kB", "MB", "GB", "TB"];

/** 12345 → "12.3 kB". */
export function bytes(value: number): string {
  let size = value;
  let unit = 0;
  for (; size >= 999.5 && unit < SIZES.length - 1; unit++) size /= 1000;
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${SIZES[unit]}`;
}

/** Four significant digits, with an exponent only for tiny numbers. */
export function decimal(value: number): string {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size >= 10_000) return count(value);
  return value !== 0 && size < 0.001 ? value.toExponential(2) : String(Number(value.toPrecision(4)));
}

export interface Column {
  readonly title: string;
  /** Align right, as for numbers. */
  readonly right?: boolean;
}

/** Formats aligned columns with titles, two spaces apart; each row is one line. */
export function table(columns: readonly Column[], given: readonly (readonly string[])[], style: Style): string {
  const rows = given.map((row) => row.map(escapeControls));
  const widths = columns.map(({ title }, c) => Math.max(widthOf(title), ...rows.map((row) => widthOf(row[c]))));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, c) => {
        const gap = " ".repeat(widths[c] - widthOf(cell));
        return columns[c].right ? gap + cell : cell + gap;
      })
      .join("  ")
      .trimEnd();
  const titles = line(columns.map(({ title }) => title));
  return [style.dim(titles), ...rows.map(line)].join("\n");
}
