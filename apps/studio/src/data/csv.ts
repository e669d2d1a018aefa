import { type Column, isMissing, Texts } from "./column.js";

const QUOTE = 34;
const LF = 10;
const CR = 13;
const SPACE = 32;
const SNIFF_ROWS = 1000;

/**
 * Comma-, tab-, semicolon- or bar-separated text as columns. A column holds numbers if all its cells are numbers or
 * missing; the first rows say so, and one that turns out otherwise is read again as text.
 */
export function readCsv(bytes: Uint8Array, name: string): Column[] {
  const body = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
  const delimiter = guessDelimiter(body);
  const first = splitRows(body, delimiter, SNIFF_ROWS);
  if (first.length === 0) throw new Error(`${name} is empty`);
  const header = first[0].some((cell) => !isMissing(cell) && !isNumber(cell));
  const names = header ? nameColumns(first[0]) : countColumns(first[0].length);
  const texts = new Set<number>();
  for (const row of header ? first.slice(1) : first) {
    for (const [c, cell] of row.entries()) if (!isMissing(cell) && !isNumber(cell)) texts.add(c);
  }
  for (;;) {
    const result = new Reader(body, delimiter, names, texts, name).read(header);
    if (typeof result !== "number") return result;
    texts.add(result);
  }
}

function isNumber(text: string): boolean {
  return text.trim() !== "" && Number.isFinite(Number(text));
}

/** Twins get a number, as two columns cannot be told apart otherwise. */
function nameColumns(cells: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return cells.map((cell, c) => {
    const name = cell.trim() || `column${c}`;
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    return before === 0 ? name : `${name}_${before}`;
  });
}

/** The names that the command gives: column0, or column00 where there are more than ten. */
function countColumns(count: number): string[] {
  const digits = String(count - 1).length;
  return Array.from({ length: count }, (_, c) => `column${String(c).padStart(digits, "0")}`);
}

function guessDelimiter(bytes: Uint8Array): number {
  const lines = new TextDecoder().decode(bytes.subarray(0, 65_536)).split(/\r?\n/).slice(0, 20);
  const whole = lines.length > 1 ? lines.slice(0, -1) : lines;
  const count = (mark: string) => (whole[0] ?? "").replace(/"[^"]*"/g, "").split(mark).length;
  const marks = [",", "\t", ";", "|"];
  return marks.reduce((best, mark) => (count(mark) > count(best) ? mark : best)).charCodeAt(0);
}

/** The first rows as texts. */
function splitRows(bytes: Uint8Array, delimiter: number, most: number): string[][] {
  const cells = new Cells(bytes, delimiter);
  const rows: string[][] = [];
  while (rows.length < most && cells.nextRow()) {
    const row: string[] = [];
    do {
      cells.step();
      row.push(cells.text());
    } while (!cells.last);
    rows.push(row);
  }
  return rows;
}

class Reader {
  readonly #cells: Cells;

  constructor(
    bytes: Uint8Array,
    delimiter: number,
    readonly names: readonly string[],
    readonly texts: ReadonlySet<number>,
    readonly name: string,
  ) {
    this.#cells = new Cells(bytes, delimiter);
  }

  /** The columns, or the place of one that is text after all. */
  read(header: boolean): Column[] | number {
    const cells = this.#cells;
    const { names } = this;
    let room = 1024;
    const books = names.map((_, c) => (this.texts.has(c) ? new Texts() : null));
    const arrays = books.map((book) => (book ? new Uint32Array(room) : new Float32Array(room)));
    let rows = 0;
    for (let line = 0; cells.nextRow(); line++) {
      if (line === 0 && header) {
        do cells.step();
        while (!cells.last);
        continue;
      }
      if (rows === room) {
        room *= 2;
        for (const [c, array] of arrays.entries()) {
          const more = books[c] ? new Uint32Array(room) : new Float32Array(room);
          more.set(array);
          arrays[c] = more;
        }
      }
      let c = 0;
      do {
        cells.step();
        const book = books[c];
        if (c >= names.length) throw this.#ragged(rows, c + 1);
        if (book) arrays[c][rows] = book.encode(cells.text());
        else {
          const value = cells.number();
          if (Number.isNaN(value) && !isMissing(cells.text())) return c;
          arrays[c][rows] = value;
        }
        c++;
      } while (!cells.last);
      if (c !== names.length) throw this.#ragged(rows, c);
      rows++;
    }
    if (rows === 0) throw new Error(`${this.name} has a header but no rows`);
    return names.map((name, c) => finish(name, arrays[c].slice(0, rows), books[c]));
  }

  #ragged(row: number, found: number): Error {
    return new Error(
      `${this.name}, row ${row + 1}: it has ${found} cells, but the first row has ${this.names.length}: ` +
        "quote a cell that holds the separator",
    );
  }
}

function finish(name: string, array: Uint32Array | Float32Array, book: Texts | null): Column {
  if (array instanceof Uint32Array) return { type: "text", name, codes: array, texts: book?.texts ?? [] };
  return { type: "number", name, numbers: array };
}

const decoder = new TextDecoder();

/** Walks over rows and cells; blank lines are passed over. */
class Cells {
  last = true;
  #at = 0;
  #from = 0;
  #to = 0;
  #quoted = false;

  constructor(
    readonly bytes: Uint8Array,
    readonly delimiter: number,
  ) {}

  nextRow(): boolean {
    const { bytes } = this;
    for (;;) {
      const end = bytes[this.#at] === CR ? this.#at + 1 : this.#at;
      if (bytes[end] !== LF) return this.#at < bytes.length;
      this.#at = end + 1;
    }
  }

  step(): void {
    const { bytes, delimiter } = this;
    let p = this.#at;
    while (bytes[p] === SPACE && delimiter !== SPACE) p++;
    this.#quoted = bytes[p] === QUOTE;
    if (this.#quoted) {
      let close = bytes.indexOf(QUOTE, p + 1);
      while (close >= 0 && bytes[close + 1] === QUOTE) close = bytes.indexOf(QUOTE, close + 2);
      if (close < 0) throw new Error("a quoted cell is never closed: add the missing quote");
      this.#from = p + 1;
      this.#to = close;
      p = close + 1;
      while (p < bytes.length && bytes[p] !== delimiter && bytes[p] !== LF) p++;
    } else {
      this.#from = p;
      while (p < bytes.length && bytes[p] !== delimiter && bytes[p] !== LF) p++;
      this.#to = p;
      while (this.#to > this.#from && bytes[this.#to - 1] <= SPACE) this.#to--;
    }
    this.last = p >= bytes.length || bytes[p] === LF;
    this.#at = p + 1;
  }

  text(): string {
    const text = decoder.decode(this.bytes.subarray(this.#from, this.#to));
    return this.#quoted ? text.replaceAll('""', '"') : text;
  }

  /** NaN where the cell is no number. Plain decimals of up to 15 digits take the short way, which rounds the same. */
  number(): number {
    const { bytes } = this;
    const negative = bytes[this.#from] === 45;
    let whole = 0;
    let decimals = -1;
    let digits = 0;
    let p = negative ? this.#from + 1 : this.#from;
    for (; p < this.#to; p++) {
      const digit = bytes[p] - 48;
      if (digit >= 0 && digit <= 9) {
        whole = whole * 10 + digit;
        digits++;
        if (decimals >= 0) decimals++;
      } else if (bytes[p] === 46 && decimals < 0) decimals = 0;
      else break;
    }
    if (p === this.#to && digits > 0 && digits <= 15) {
      const value = decimals > 0 ? whole / 10 ** decimals : whole;
      return negative ? -value : value;
    }
    const text = this.text().trim();
    return text === "" ? Number.NaN : Number(text);
  }
}
