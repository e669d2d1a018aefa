import { parseDecimal } from "bonmf/io";

/** Numbers as texts hold them. The patterns are also DuckDB's (RE2): no look-around, no back references. */
export const PLAIN_NUMBER = String.raw`\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*`;
/** Thousands separated by commas, spaces or apostrophes: 1,234.5. */
const GROUPS = (mark: string) => String.raw`\s*[+-]?[1-9]\d{0,2}([${mark} \x{a0}\x{202f}'’]\d{3})+`;
export const POINT_NUMBER = String.raw`${PLAIN_NUMBER}|${GROUPS(",")}(\.\d*)?\s*`;
/** The same with a decimal comma: 1.234,5. */
export const COMMA_NUMBER = String.raw`${GROUPS(".")}(,\d*)?\s*|\s*[+-]?(\d+|\d*,\d+)([eE][+-]?\d+)?\s*`;
/** A number that is a code: 007. */
export const CODE = String.raw`\s*\+?0\d.*`;
const TIME = String.raw`\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?( ?[aApP][mM])?( ?(Z|UTC|[+-]\d{2}:?\d{2}))?`;
const DAY = String.raw`\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d{2})|[A-Za-z]{3,9}\.? \d{1,2},? \d{4}|\d{1,2}\.? [A-Za-z]{3,9}\.?,? \d{4}`;
/** A day, a time, or both. */
export const DATE = String.raw`\s*((${DAY})([T ,]+${TIME})?|${TIME})\s*`;

function compile(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern.replace(/\\x\{(\w+)\}/g, (_, code: string) => `\\u${code.padStart(4, "0")}`)})$`);
}

const plain = compile(PLAIN_NUMBER);
const point = compile(POINT_NUMBER);
const comma = compile(COMMA_NUMBER);
const code = compile(CODE);
const date = compile(DATE);

/** What a text may be. */
export interface Spelling {
  readonly plain: boolean;
  readonly point: boolean;
  readonly comma: boolean;
  readonly code: boolean;
  readonly date: boolean;
}

export function spellingOf(text: string): Spelling {
  const isPlain = plain.test(text);
  return {
    plain: isPlain,
    point: isPlain || point.test(text),
    comma: comma.test(text),
    code: isPlain && code.test(text),
    date: !isPlain && date.test(text),
  };
}

/** The number a text spells, rounded once to 32 bits or to 64; NaN where it is none. */
export function readSpelled(text: string, decimal: "." | ",", precision: "f32" | "f64"): number {
  if (!(decimal === "." ? point : comma).test(text)) return Number.NaN;
  const digits = text.replace(decimal === "." ? /[, \u00a0\u202f'’]/g : /[. \u00a0\u202f'’]/g, "");
  return parseDecimal(digits.replace(",", ".").trim(), precision);
}
