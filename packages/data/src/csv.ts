import { Cells, isHalfway } from "bonmf/io";
import {
  type Column,
  type ColumnTable,
  isMissing,
  NONE,
  type Spellings,
  type TextColumn,
  TextEncoding,
} from "./column.js";
import { cutHead, type Dialect, detectDialect, splitRows } from "./dialect.js";
import { UserError } from "./errors.js";
import { isTelling } from "./summary.js";

/** Rows, and bytes, from which the types of columns are guessed. */
const SAMPLE_ROWS = 2048;
const SAMPLE_BYTES = 2 ** 22;
const NUMBER = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i;
/** Whether a text is a decimal number, as tables hold them. */
export function isNumber(text: string): boolean {
  return NUMBER.test(text);
}

const BOOLEAN = /^(true|false|t|f|yes|no)$/i;
const TRUE = /^(true|t|yes)$/i;

/** What all values of a column are that are there; "none" where it has none. */
type CellType = "number" | "code" | "boolean" | "text" | "none";

/**
 * Separated text as columns. A column holds numbers if all its cells are numbers or missing; the first rows say so, and
 * one that turns out otherwise is read again as text.
 */
export function readCsv(source: Uint8Array, name: string): ColumnTable {
  const bytes = source[0] === 0xef && source[1] === 0xbb && source[2] === 0xbf ? source.subarray(3) : source;
  const found = detectDialect(bytes);
  const first = readFirst(bytes, found, name);
  // In a file of one column an empty line is a missing value.
  const dialect = { ...found, blankRows: first[0].length === 1 };
  const [top, ...rest] = first;
  const types = top.map((_, c) =>
    typeOf(
      rest.map((row) => row[c] ?? ""),
      found.decimal,
    ),
  );
  const header = isHeader(top, rest.length, types, found);
  const names = header ? nameColumns(top) : countColumns(top.length);
  if (!header) for (const [c, cell] of top.entries()) types[c] = join(types[c], typeOf([cell], found.decimal));
  const file: File = { bytes, name, dialect, names, header };
  const result = readColumns(file, types) ?? readColumns(file, types);
  if (!result) throw new Error("a column changed between two readings");
  const notes = found.skip > 0 ? [`${name}: skipped ${found.skip} lines above the table`] : [];
  return { ...result, notes, place: (row) => `line ${findLine(file, row)}` };
}

interface File {
  readonly bytes: Uint8Array;
  readonly name: string;
  readonly dialect: Dialect;
  readonly names: readonly string[];
  readonly header: boolean;
}

function readFirst(bytes: Uint8Array, dialect: Dialect, name: string): (readonly string[])[] {
  const rows = splitRows(cutHead(bytes, SAMPLE_BYTES), dialect, SAMPLE_ROWS);
  if (rows.length > 0) return rows.map(({ cells }) => cells);
  // The first row is not whole, which says where, or there is none.
  const cursor = new Cells(bytes, name, dialect);
  if (cursor.nextRow()) cursor.step();
  throw new UserError(`${name} is empty`);
}

function typeOf(cells: readonly string[], decimal: Dialect["decimal"]): CellType {
  let type: CellType = "none";
  for (const cell of cells) if (!isMissing(cell)) type = join(type, typeOfCell(cell, decimal));
  return type;
}

function typeOfCell(cell: string, decimal: Dialect["decimal"]): CellType {
  const text = decimal === "," ? (cell.includes(".") ? "" : cell.replace(",", ".")) : cell;
  if (NUMBER.test(text)) return /^\s*\+?0\d/.test(text) ? "code" : "number";
  return BOOLEAN.test(cell) ? "boolean" : "text";
}

function join(a: CellType, b: CellType): CellType {
  if (a === "none" || a === b) return b;
  if (b === "none") return a;
  return a !== "text" && a !== "boolean" && b !== "text" && b !== "boolean" ? "code" : "text";
}

/**
 * The first row holds names where it does not fit the columns below it, or where all of them are texts. Numbers are
 * never names, but for 0, 1, 2 …, as pandas counts columns.
 */
function isHeader(
  top: readonly string[],
  rows: number,
  types: readonly CellType[],
  { decimal, skip }: Dialect,
): boolean {
  const numeric = top.map((cell) => cell.trim()).every((cell) => NUMBER.test(cell));
  if (numeric && top.length >= 3 && skip === 0) return top.every((cell, c) => cell.trim() === String(c));
  if (rows === 0) return top.every((cell) => isMissing(cell) || typeOfCell(cell, decimal) === "text");
  const known = types.map((type) => (type === "none" ? "text" : type));
  if (known.every((type) => type === "text")) return true;
  if (top.every((cell) => cell === "") || hasIndexName(top) || (skip === 0 && hasCountedNames(top))) return true;
  return top.some((cell, c) => {
    if (known[c] === "text" || isMissing(cell)) return false;
    return join(known[c], typeOfCell(cell, decimal)) === "text";
  });
}

/**
 * Whether cells are the names of columns after that of an index, which pandas and R leave empty: different texts. Columns of
 * texts alone do not tell them from values.
 */
export function hasIndexName([first, ...names]: readonly string[]): boolean {
  if (first !== "" || names.length === 0) return false;
  const isText = (cell: string) => !isMissing(cell) && typeOfCell(cell, ".") === "text";
  return names.every(isText) && new Set(names).size === names.length;
}

/** So many columns in a row are not 0, 1, 2 … by chance. */
const COUNTED = 5;

/** Whether cells are 0, 1, 2 … and then names: columns that pandas counted beside some that have names. */
export function hasCountedNames(cells: readonly string[]): boolean {
  const named = cells.findIndex((cell, c) => cell.trim() !== String(c));
  if (named < COUNTED) return false;
  return cells.slice(named).every((cell) => !isMissing(cell) && typeOfCell(cell, ".") === "text");
}

/** A name that occurred before, in whatever case, gets a number. */
function nameColumns(cells: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return cells.map((cell, c) => {
    const name = cell.trim() || `column${String(c).padStart(String(cells.length - 1).length, "0")}`;
    const key = name.toLowerCase();
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    return before === 0 ? name : `${name}_${before}`;
  });
}

/** column0, or column00 where there are more than ten. */
function countColumns(count: number): string[] {
  const digits = String(count - 1).length;
  return Array.from({ length: count }, (_, c) => `column${String(c).padStart(digits, "0")}`);
}

/** Cells that become numbers or texts, row after row. */
interface Sink {
  /** False where the cell is no number. */
  take(cells: Cells, row: number): boolean;
  grow(capacity: number): void;
  finish(rows: number): Column;
}

/**
 * The columns; undefined where some are text after all, which `types` then says. Found all at once, so that there are two
 * readings whatever the number of such columns.
 */
function readColumns(file: File, types: CellType[]): Omit<ColumnTable, "notes" | "place"> | undefined {
  const { names } = file;
  const spellings = new FileSpellings(file, types);
  const sinks = names.map(
    (name, c): Sink => (types[c] === "text" ? new Texts(name) : new Numbers(name, c, types[c], spellings)),
  );
  const cells = openRows(file);
  // Small, because a line may have as many columns as bytes.
  let capacity = 16;
  let rows = 0;
  let again = false;
  for (const sink of sinks) sink.grow(capacity);
  for (; cells.nextRow(); rows++) {
    if (rows === capacity) {
      capacity *= 2;
      for (const sink of sinks) sink.grow(capacity);
    }
    const { line } = cells;
    let c = 0;
    do {
      cells.step();
      if (c < names.length && (!again || types[c] !== "text") && !sinks[c].take(cells, rows)) {
        types[c] = "text";
        again = true;
      }
      c++;
    } while (!cells.last);
    if (c !== names.length) throw ragged(file, line, c);
  }
  if (rows === 0) throw new UserError(`${file.name} has columns but no rows`);
  return again ? undefined : { rows, columns: sinks.map((sink) => sink.finish(rows)) };
}

/** At the first row of data. */
function openRows({ bytes, name, dialect, header }: File): Cells {
  const cells = new Cells(bytes, name, dialect);
  if (header && cells.nextRow()) {
    do cells.step();
    while (!cells.last);
  }
  return cells;
}

function ragged({ name, names }: File, line: number, found: number): UserError {
  return new UserError(
    `${name}, line ${line}: ${found} value${found === 1 ? "" : "s"} where the table has ${names.length} columns`,
    "correct the line, or put values that hold the delimiter in quotes",
  );
}

class Texts implements Sink {
  #codes = new Uint32Array();
  readonly #encoding = new TextEncoding();

  constructor(readonly name: string) {}

  take(cells: Cells, row: number): boolean {
    const text = cells.text(true);
    this.#codes[row] = isMissing(text) ? NONE : this.#encoding.encode(text);
    return true;
  }

  grow(capacity: number): void {
    const codes = new Uint32Array(capacity);
    codes.set(this.#codes);
    this.#codes = codes;
  }

  finish(rows: number): TextColumn {
    return { type: "text", name: this.name, codes: this.#codes.slice(0, rows), texts: this.#encoding.texts };
  }
}

class Numbers implements Sink {
  #numbers = new Float32Array();
  #sum = 0;
  #count = 0;
  readonly #boolean: boolean;

  constructor(
    readonly name: string,
    readonly place: number,
    readonly type: CellType,
    readonly spellings: FileSpellings,
  ) {
    this.#boolean = type === "boolean";
  }

  take(cells: Cells, row: number): boolean {
    const double = this.#boolean ? Number.NaN : cells.number("f64");
    let value = Math.fround(double);
    if (isHalfway(double, value)) value = cells.number("f32");
    if (!Number.isFinite(value) || isForeign(cells)) {
      const text = cells.text(true);
      if (isMissing(text)) value = Number.NaN;
      else if (this.#boolean && BOOLEAN.test(text)) value = TRUE.test(text) ? 1 : 0;
      else return false;
    }
    this.#numbers[row] = value;
    if (Number.isNaN(value)) return true;
    this.#sum += this.#boolean ? value : double;
    this.#count++;
    return true;
  }

  grow(capacity: number): void {
    const numbers = new Float32Array(capacity);
    numbers.set(this.#numbers);
    this.#numbers = numbers;
  }

  finish(rows: number): Column {
    const { spellings, name, place, type } = this;
    const blank = this.#count === 0;
    return {
      type: "number",
      name,
      numbers: this.#numbers.slice(0, rows),
      mean: this.#count === 0 ? 0 : this.#sum / this.#count,
      written: type === "text" ? "none" : type,
      spell: () => (blank ? spellBlank(name, rows) : spellings.readOne(place, rows)),
      file: blank ? undefined : { spellings, place },
    };
  }
}

/** Number() reads 0x1F, 0b1 and 0o7 too, which are texts in a table. */
function isForeign({ bytes, from, to }: Cells): boolean {
  return to - from > 2 && bytes[from] === 48 && bytes[from + 1] > 57 && (bytes[from + 1] | 32) !== 101;
}

function findLine(file: File, row: number): number {
  const cells = openRows(file);
  for (let r = 0; cells.nextRow() && r < row; r++) {
    do cells.step();
    while (!cells.last);
  }
  return cells.line;
}

/** Columns as they are written. */
class FileSpellings implements Spellings {
  readonly #file: File;
  readonly #likely: ReadonlySet<number>;
  #read: ReadonlyMap<number, TextColumn> | undefined;

  constructor(file: File, types: readonly CellType[]) {
    this.#file = file;
    const isLikely = (name: string, c: number) => types[c] === "code" || isTelling(name);
    this.#likely = new Set(file.names.flatMap((name, c) => (isLikely(name, c) ? [c] : [])));
  }

  read(places: readonly number[], rows: number): ReadonlyMap<number, TextColumn> {
    return readTexts(this.#file, places, rows);
  }

  /** Every plan spells codes and columns with telling names, so these are read together. */
  readOne(place: number, rows: number): TextColumn {
    const isLikely = this.#likely.has(place);
    if (isLikely) this.#read ??= this.read([...this.#likely], rows);
    const read = isLikely ? this.#read : this.read([place], rows);
    return read?.get(place) as TextColumn;
  }
}

function readTexts(file: File, places: readonly number[], rows: number): Map<number, TextColumn> {
  const sinks = new Map(places.map((place) => [place, new Texts(file.names[place])]));
  for (const texts of sinks.values()) texts.grow(rows);
  const cells = openRows(file);
  for (let row = 0; cells.nextRow(); row++) {
    let c = 0;
    do {
      cells.step();
      sinks.get(c++)?.take(cells, row);
    } while (!cells.last);
  }
  return new Map([...sinks].map(([place, texts]) => [place, texts.finish(rows)]));
}

function spellBlank(name: string, rows: number): TextColumn {
  return { type: "text", name, codes: new Uint32Array(rows).fill(NONE), texts: [] };
}
