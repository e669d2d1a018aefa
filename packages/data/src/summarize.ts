import { type Column, type ColumnTable, NONE, type NumberColumn, type Spellings, type TextColumn } from "./column.js";
import type { TableOptions } from "./data.js";
import type { Kind } from "./kinds.js";
import { readSpelled, spellingOf } from "./spelling.js";
import {
  blankSummary,
  type ColumnSummary,
  EXAMPLES,
  isCounted,
  MOST_VALUES,
  MOSTLY,
  type NumberSpelling,
  type TableSummary,
  type ValueCount,
} from "./summary.js";

/** A table in memory, with what it is called and where it comes from. */
export interface NamedTable extends ColumnTable {
  readonly name: string;
  readonly kind: Kind;
}

/** What a plan has to know of a table in memory. */
export function summarizeTable(table: NamedTable, options: TableOptions = {}): TableSummary {
  const { kind, name, columns, declared } = table;
  return { kind, name, columns: columns.map((column) => summarizeColumn(column, table, options)), declared };
}

function summarizeColumn(column: Column, { rows, declared }: NamedTable, options: TableOptions): ColumnSummary {
  const said = declared?.types.get(column.name);
  if (column.type === "text") return summarizeTexts(column, rows, said === "date" ? "date" : "text");
  const { written, name } = column;
  // Categories are texts as they are written, also where they are numbers.
  const spread = said === "category" || (Array.isArray(options.oneHot) && options.oneHot.includes(name));
  if (spread || written === "code" || written === "none") return summarizeTexts(column.spell(), rows, "text");
  return summarizeNumbers(column, rows, options);
}

export function spellColumn(column: Column): TextColumn {
  return column.type === "text" ? column : column.spell();
}

/** All columns as they are written: a file is read once, whatever their number. */
export function spellColumns(columns: readonly Column[], rows: number): TextColumn[] {
  const places = new Map<Spellings, number[]>();
  for (const column of columns) {
    if (column.type === "text" || !column.file) continue;
    const { spellings, place } = column.file;
    const wanted = places.get(spellings) ?? [];
    places.set(spellings, wanted);
    wanted.push(place);
  }
  const read = new Map([...places].map(([spellings, wanted]) => [spellings, spellings.read(wanted, rows)]));
  return columns.map((column) => {
    const file = column.type === "number" ? column.file : undefined;
    return (file && read.get(file.spellings)?.get(file.place)) ?? spellColumn(column);
  });
}

function summarizeNumbers(column: NumberColumn, rows: number, options: TableOptions): ColumnSummary {
  const { name, numbers, mean, written } = column;
  const there = numbers.filter((value) => !Number.isNaN(value));
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let whole = true;
  for (const value of there) {
    if (value < min) min = value;
    if (value > max) max = value;
    whole &&= Number.isInteger(value);
  }
  const gone = rows - there.length;
  const values = isCounted(name, options) ? countTexts(column.spell()) : null;
  return {
    ...blankSummary(name, written === "boolean" ? "boolean" : "number"),
    rows,
    missing: gone,
    distinct: values && countDifferent(values, written),
    ...(there.length > 0 && { min, max }),
    mean,
    median: there.length > 0 && (gone > 0 || options.missing === "median") ? findMedian(there) : null,
    whole,
    examples: Array.from(there.slice(0, EXAMPLES), String),
  };
}

/** 1 and 1.0 are the same number. */
function countDifferent(values: ReadonlyMap<string, number>, written: string): number {
  return written === "number" ? new Set([...values.keys()].map(Number)).size : values.size;
}

/** The lower of the two in the middle. */
function findMedian(values: Float32Array): number {
  return values.slice().sort()[Math.floor((values.length - 1) / 2)];
}

function countTexts({ codes, texts }: TextColumn): Map<string, number> {
  const counts = new Uint32Array(texts.length);
  for (const code of codes) if (code !== NONE) counts[code]++;
  return new Map(texts.map((text, code) => [text, counts[code]]));
}

/** The commonest first, texts that are as common by code unit; null where there are too many. */
function listCommon(values: ReadonlyMap<string, number>): ValueCount[] | null {
  if (values.size > MOST_VALUES) return null;
  const counts = [...values].map(([value, count]) => ({ value, count }));
  return counts.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

function summarizeTexts(column: TextColumn, rows: number, type: "text" | "date"): ColumnSummary {
  const values = countTexts(column);
  const sums = { there: 0, plain: 0, point: 0, comma: 0, code: 0, date: 0, length: 0, spaces: 0 };
  let strange: string | null = null;
  for (const [text, count] of values) {
    const found = spellingOf(text);
    sums.there += count;
    for (const key of ["plain", "point", "comma", "code", "date"] as const) if (found[key]) sums[key] += count;
    sums.length += count * [...text].length;
    sums.spaces += count * (text.split(" ").length - 1);
    if (!found.point && !found.comma && (strange === null || text < strange)) strange = text;
  }
  const summary = summarizeSums(column.name, column.nested ? "list" : type, {
    ...sums,
    rows,
    distinct: values.size,
    strange,
  });
  const common = listCommon(values);
  return {
    ...summary,
    common,
    median: summary.numbers && findSpelledMedian(values, summary.numbers.decimal),
    mean: summary.numbers && findSpelledMean(values, summary.numbers.decimal),
    examples: common?.slice(0, EXAMPLES).map(({ value }) => value) ?? column.texts.slice(0, 1),
  };
}

/** What is added up over the texts of a column, in memory or by DuckDB. */
export interface TextSums {
  readonly rows: number;
  /** Rows that have a text. */
  readonly there: number;
  readonly distinct: number;
  /** Texts that are plain numbers, numbers with decimal points or commas, codes (007), dates. */
  readonly plain: number;
  readonly point: number;
  readonly comma: number;
  readonly code: number;
  readonly date: number;
  readonly length: number;
  readonly spaces: number;
  readonly strange: string | null;
}

/** What a text column is, from its sums. */
export function summarizeSums(name: string, type: "text" | "date" | "list", sums: TextSums): ColumnSummary {
  const { rows, there, distinct, date, length, spaces } = sums;
  const share = (count: number) => (there === 0 ? 0 : count / there);
  return {
    ...blankSummary(name, type === "text" && there > 0 && share(date) >= MOSTLY ? "date" : type),
    rows,
    missing: rows - there,
    distinct,
    length: share(length),
    words: there === 0 ? 0 : share(spaces) + 1,
    numbers: type === "text" ? findSpelling(sums) : null,
  };
}

function findSpelling({ there, plain, point, comma, code, strange }: TextSums): NumberSpelling | null {
  if (there === 0 || Math.max(point, comma) === 0) return null;
  const decimal = point >= comma ? "." : ",";
  const share = (decimal === "." ? point : comma) / there;
  return { decimal, share, plain: plain / there, codes: code > 0, strange };
}

function findSpelledMedian(values: ReadonlyMap<string, number>, decimal: "." | ","): number | null {
  const numbers: [value: number, count: number][] = [];
  let all = 0;
  for (const [text, count] of values) {
    const value = readSpelled(text, decimal, "f32");
    if (!Number.isFinite(value)) continue;
    numbers.push([value, count]);
    all += count;
  }
  numbers.sort((a, b) => a[0] - b[0]);
  let left = Math.floor((all - 1) / 2);
  for (const [value, count] of numbers) {
    if (left < count) return value;
    left -= count;
  }
  return null;
}

function findSpelledMean(values: ReadonlyMap<string, number>, decimal: "." | ","): number {
  let sum = 0;
  let all = 0;
  for (const [text, count] of values) {
    const value = readSpelled(text, decimal, "f64");
    if (!Number.isFinite(value)) continue;
    sum += value * count;
    all += count;
  }
  return all === 0 ? 0 : sum / all;
}
