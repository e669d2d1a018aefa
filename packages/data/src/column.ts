import type { Declared } from "./summary.js";

/** A table in memory. */
export interface ColumnTable {
  readonly columns: readonly Column[];
  readonly rows: number;
  /** What to tell the user about the file. */
  readonly notes: readonly string[];
  /** Where a row stands in its file, for messages: "line 7". */
  readonly place: (row: number) => string;
  readonly declared?: Declared | undefined;
}

/** Columns of the same length as a table. */
export function toTable(columns: readonly Column[], rows = countRows(columns)): ColumnTable {
  return {
    columns,
    rows,
    notes: [],
    place: (row) => `row ${row + 1}`,
  };
}

function countRows([first]: readonly Column[]): number {
  return (first.type === "text" ? first.codes : first.numbers).length;
}

/** One column of a table: numbers with NaN for what is missing, or texts by number in a list of the different ones. */
export type Column = NumberColumn | TextColumn;

/** A column of numbers. */
export interface NumberColumn {
  readonly type: "number";
  readonly name: string;
  readonly numbers: Float32Array;
  /** Over the values that are there, before they were rounded to 32 bits; 0 where there is none. */
  readonly mean: number;
  /** What its cells are; names stay texts where these are codes with leading zeros (007), booleans or none at all. */
  readonly written: "number" | "code" | "boolean" | "none";
  /** The column as it is written in the file: for names, classes and categories. */
  readonly spell: () => TextColumn;
  /** Where `spell` reads the whole file: `spellColumns` then reads it once for all columns. */
  readonly file?: { readonly spellings: Spellings; readonly place: number } | undefined;
}

/** The columns of a file as they are written there, by place. */
export interface Spellings {
  read(places: readonly number[], rows: number): ReadonlyMap<number, TextColumn>;
}

/** A column of texts. */
export interface TextColumn {
  readonly type: "text";
  readonly name: string;
  /** A place in `texts`, or NONE. */
  readonly codes: Uint32Array;
  readonly texts: readonly string[];
  /** The texts are lists or objects in JSON. */
  readonly nested?: boolean;
}

/** The code of a missing text. */
export const NONE = 0xffffffff;
/** What is written for a missing value, beside nothing. */
export const MISSING = ["NA", "N/A", "NaN", "nan", "NULL", "null", "?"];
const missing = new Set(["", ...MISSING]);

/** Whether a CSV cell stands for a missing value. */
export function isMissing(text: string): boolean {
  return missing.has(text);
}

/** A column's text in a row, "" where it is missing; numbers as short as they are for people. */
export function textAt(column: Column, row: number): string {
  if (column.type === "text") return column.codes[row] === NONE ? "" : column.texts[column.codes[row]];
  const value = column.numbers[row];
  return Number.isNaN(value) ? "" : formatShort(value);
}

/** 32-bit numbers have seven digits worth showing. */
export function formatShort(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(7)));
}

/** How many rows have no value. */
export function countMissing(column: Column): number {
  let count = 0;
  if (column.type === "text") for (const code of column.codes) count += code === NONE ? 1 : 0;
  else for (const value of column.numbers) count += Number.isNaN(value) ? 1 : 0;
  return count;
}

/** Texts as they come, each different one kept once. */
export class TextEncoding {
  readonly #codes = new Map<string, number>();
  readonly texts: string[] = [];

  /** NONE for null. */
  encode(text: string | null): number {
    if (text === null) return NONE;
    let code = this.#codes.get(text);
    if (code === undefined) {
      code = this.texts.length;
      this.#codes.set(text, code);
      this.texts.push(text);
    }
    return code;
  }
}

/**
 * A column of whatever a JSON or Parquet file held: numbers where all are numbers, else texts.
 *
 * @param doubles numbers are spelled as doubles; by default where one has a fraction
 */
export function toColumn(name: string, values: ArrayLike<unknown>, doubles = false): Column {
  const numbers = new Float32Array(values.length);
  let sum = 0;
  let count = 0;
  let booleans = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value === null || value === undefined) numbers[i] = Number.NaN;
    else if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") {
      const double = Number(value);
      numbers[i] = double;
      if (typeof value === "boolean") booleans++;
      if (!Number.isFinite(double)) continue;
      sum += double;
      count++;
    } else return toTexts(name, values, false);
  }
  return {
    type: "number",
    name,
    numbers,
    mean: count === 0 ? 0 : sum / count,
    written: booleans > 0 && booleans === count ? "boolean" : "number",
    spell: () => toTexts(name, values, doubles),
  };
}

function toTexts(name: string, values: ArrayLike<unknown>, doubles: boolean): TextColumn {
  const encoding = new TextEncoding();
  // A column with fractions is one of doubles, whose whole numbers are written so in the command.
  let point = doubles ? ".0" : "";
  for (let i = 0; i < values.length && point === ""; i++) {
    if (typeof values[i] === "number" && !Number.isInteger(values[i])) point = ".0";
  }
  const codes = Uint32Array.from({ length: values.length }, (_, i) => encoding.encode(spell(values[i], point)));
  const nested = Array.prototype.some.call(values, isNested);
  return { type: "text", name, codes, texts: encoding.texts, ...(nested && { nested }) };
}

function isNested(value: unknown): boolean {
  return typeof value === "object" && value !== null && !(value instanceof Date);
}

function spell(value: unknown, point: string): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "number") return Number.isInteger(value) ? `${value}${point}` : String(value);
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" ? JSON.stringify(value, spellWhole) : String(value);
}

/** JSON knows no 64-bit numbers, which Parquet has. */
function spellWhole(_: string, item: unknown): unknown {
  if (typeof item !== "bigint") return item;
  return Number.isSafeInteger(Number(item)) ? Number(item) : String(item);
}
