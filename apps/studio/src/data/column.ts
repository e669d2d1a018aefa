/** One column of a table: numbers with NaN for what is missing, or texts by number in a list of the different ones. */
export type Column = NumberColumn | TextColumn;

export interface NumberColumn {
  readonly type: "number";
  readonly name: string;
  readonly numbers: Float32Array;
}

export interface TextColumn {
  readonly type: "text";
  readonly name: string;
  /** A place in `texts`, or NONE. */
  readonly codes: Uint32Array;
  readonly texts: readonly string[];
}

export const NONE = 0xffffffff;
/** What is written for a missing value, beside nothing; the command reads these the same way. */
const MISSING = new Set(["", "NA", "N/A", "NaN", "nan", "NULL", "null", "?"]);

export function isMissing(text: string): boolean {
  return MISSING.has(text);
}

export function textAt(column: Column, row: number): string {
  if (column.type === "text") return column.codes[row] === NONE ? "" : column.texts[column.codes[row]];
  const value = column.numbers[row];
  return Number.isNaN(value) ? "" : formatNumber(value);
}

/** Short for people: 32-bit numbers have seven digits worth showing. */
export function formatNumber(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(7)));
}

export function countMissing(column: Column): number {
  let missing = 0;
  if (column.type === "text") for (const code of column.codes) missing += code === NONE ? 1 : 0;
  else for (const value of column.numbers) missing += Number.isNaN(value) ? 1 : 0;
  return missing;
}

/** Texts as they come, each different one kept once. */
export class Texts {
  readonly #codes = new Map<string, number>();
  readonly texts: string[] = [];

  encode(text: string): number {
    if (isMissing(text)) return NONE;
    let code = this.#codes.get(text);
    if (code === undefined) {
      code = this.texts.length;
      this.#codes.set(text, code);
      this.texts.push(text);
    }
    return code;
  }
}

/** A column of whatever a JSON or Parquet file held: numbers where all are numbers, else texts. */
export function toColumn(name: string, values: ArrayLike<unknown>): Column {
  const numbers = new Float32Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value === null || value === undefined) numbers[i] = Number.NaN;
    else if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") {
      numbers[i] = Number(value);
    } else return toTexts(name, values);
  }
  return { type: "number", name, numbers };
}

function toTexts(name: string, values: ArrayLike<unknown>): TextColumn {
  const texts = new Texts();
  const codes = Uint32Array.from({ length: values.length }, (_, i) => texts.encode(spell(values[i])));
  return { type: "text", name, codes, texts: texts.texts };
}

function spell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
