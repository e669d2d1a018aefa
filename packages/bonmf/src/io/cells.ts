import { quote } from "../errors.js";
import type { Precision } from "../matrix/dense.js";
import { parseNumber } from "./number.js";
import { CR, Cursor, count, type FileContent, LF, SPACE } from "./scan.js";

export interface CellsOptions {
  /** One ASCII character. */
  delimiter: string;
  /** The decimal mark; "." by default. */
  decimal?: string | undefined;
  /** What stands around cells that hold the delimiter; '"' by default. */
  quote?: string | undefined;
  /** Lines that begin with this character are passed over; by default none are. */
  comment?: string | undefined;
  /** Lines above the table. */
  skip?: number | undefined;
  /** Whether an empty line is a row with one empty cell, as in files of one column; by default it is passed over. */
  blankRows?: boolean | undefined;
}

/** Walks over the rows and cells of separated text (RFC 4180). */
export class Cells extends Cursor {
  readonly delimiter: string;
  /** The current cell, without the quotes or blanks around it. */
  from = 0;
  to = 0;
  /** Whether it ends its row. */
  last = true;
  /** The cell with its blanks. */
  #left = 0;
  #right = 0;
  #quoted = false;
  readonly #code: number;
  readonly #quote: string;
  readonly #decimal: number;
  readonly #comment: number;
  readonly #skip: number;
  readonly #blankRows: boolean;

  constructor(source: FileContent, name: string, options: CellsOptions) {
    super(source, name);
    const { delimiter, decimal = ".", quote = '"', comment = "", skip = 0, blankRows = false } = options;
    this.delimiter = delimiter;
    this.#code = delimiter.charCodeAt(0);
    this.#quote = quote;
    this.#decimal = decimal.charCodeAt(0);
    this.#comment = comment === "" ? -1 : comment.charCodeAt(0);
    this.#skip = skip;
    this.#blankRows = blankRows;
    this.rewind();
  }

  /** No file of this size has more cells. */
  countMost(): number {
    return count(this.bytes, this.#code) + count(this.bytes, LF) + 1;
  }

  rewind(): void {
    this.at = 0;
    this.line = 0;
    for (let l = 0; l < this.#skip; l++) this.#skipLine();
  }

  get quoted(): boolean {
    return this.#quoted;
  }

  get empty(): boolean {
    return this.from === this.to && !this.#quoted;
  }

  nextRow(): boolean {
    const { bytes } = this;
    this.line++;
    while (this.at < bytes.length) {
      const end = bytes[this.at] === CR ? this.at + 1 : this.at;
      const passed = bytes[this.at] === this.#comment || (bytes[end] === LF && !this.#blankRows);
      if (!passed) return true;
      this.#skipLine();
    }
    return false;
  }

  #skipLine(): void {
    const end = this.bytes.indexOf(LF, this.at);
    this.at = end < 0 ? this.bytes.length : end + 1;
    this.line++;
  }

  step(): void {
    const { bytes } = this;
    const code = this.#code;
    const end = bytes.length;
    let p = this.at;
    this.#left = p;
    while (bytes[p] === SPACE && code !== SPACE) p++;
    this.#quoted = bytes[p] === this.#quote.charCodeAt(0);
    if (this.#quoted) {
      p = this.#stepQuoted(p + 1);
    } else {
      this.from = p;
      while (p < end && bytes[p] !== code && bytes[p] !== LF) p++;
      this.#right = bytes[p] !== code && bytes[p - 1] === CR && p > this.#left ? p - 1 : p;
      let to = p;
      while (to > this.from && (bytes[to - 1] === SPACE || bytes[to - 1] === CR)) to--;
      this.to = to;
    }
    this.last = p >= end || bytes[p] === LF;
    this.at = p + 1;
  }

  /** Takes the cell that begins after the quote at p − 1, and returns where its row goes on. */
  #stepQuoted(p: number): number {
    const { bytes } = this;
    const mark = this.#quote.charCodeAt(0);
    let close = bytes.indexOf(mark, p);
    while (close >= 0 && bytes[close + 1] === mark) close = bytes.indexOf(mark, close + 2);
    if (close < 0) throw this.error("a quoted cell is never closed: add the missing quote, or double one that is text");
    this.from = this.#left = p;
    this.to = this.#right = close;
    let next = close + 1;
    while (bytes[next] === SPACE || bytes[next] === CR) {
      if (bytes[next] === this.#code) break;
      next++;
    }
    if (next < bytes.length && bytes[next] !== this.#code && bytes[next] !== LF) {
      throw this.error(`text follows the closing quote of ${quote(this.text())}: double a quote that is text`);
    }
    this.line += count(bytes.subarray(p, close), LF);
    return next;
  }

  /** @param blanks with the blanks around it */
  text(blanks = false): string {
    const text = blanks ? this.decode(this.#left, this.#right) : this.decode(this.from, this.to);
    return this.#quoted ? text.replaceAll(this.#quote + this.#quote, this.#quote) : text;
  }

  /** NaN where the cell is no number. */
  number(precision: Precision): number {
    return parseNumber(this.bytes, this.from, this.to, precision, this.#decimal);
  }
}
