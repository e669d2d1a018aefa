import { FormatError, OptionError, quote } from "../errors.js";
import type { Precision } from "../matrix/dense.js";
import { parseNumber } from "./number.js";

/** The content of a text file, as bytes (UTF-8) or as a string. */
export type FileContent = Uint8Array | string;

export const TAB = 9;
export const LF = 10;
export const CR = 13;
export const SPACE = 32;
export const PERCENT = 37;
export const COMMA = 44;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** UTF-8 bytes without a byte-order mark. */
export function toBytes(source: FileContent, name: string): Uint8Array {
  const bytes = typeof source === "string" ? new TextEncoder().encode(source) : source;
  if (!(bytes instanceof Uint8Array)) {
    throw new OptionError("source", source, `${name}: a reader takes a Uint8Array or a string, not ${quote(source)}`);
  }
  const start = (bytes[0] << 8) | bytes[1];
  if (start === 0x1f8b) throw new FormatError(`${name}: the file is gzip-compressed: decompress it first`);
  if (start === 0xfffe || start === 0xfeff) throw new FormatError(`${name}: the file is UTF-16: save it as UTF-8`);
  return start === 0xefbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/** Spaces, tabs and ends of lines; other control characters are part of a word. */
export function isBlank(byte: number): boolean {
  return byte === SPACE || (byte >= TAB && byte <= CR);
}

/** How often a byte occurs: an upper bound on what the file can hold, so arrays are allocated once. */
export function count(bytes: Uint8Array, byte: number): number {
  let total = 0;
  for (let p = 0; p < bytes.length; p++) if (bytes[p] === byte) total++;
  return total;
}

/** A position in a file that can say where it is. */
export class Cursor {
  readonly bytes: Uint8Array;
  readonly name: string;
  /** The current line, from 1. */
  line = 0;
  /** Where the next step begins. */
  protected at = 0;

  constructor(source: FileContent, name: string) {
    this.bytes = toBytes(source, name);
    this.name = name;
  }

  /** "iris.csv, line 3". */
  where(): string {
    return `${this.name}, line ${this.line || 1}`;
  }

  error(message: string): FormatError {
    return new FormatError(`${this.where()}: ${message}`);
  }

  decode(from: number, to: number): string {
    try {
      return decoder.decode(this.bytes.subarray(from, to));
    } catch {
      throw this.error("the text is not UTF-8: save the file as UTF-8");
    }
  }
}

/** Walks over the lines that are not blank, and over the words of each. */
export class Lines extends Cursor {
  /** The current line without the blanks around it. */
  from = 0;
  to = 0;
  /** The current word. */
  start = 0;
  stop = 0;
  #next = 0;

  next(): boolean {
    const { bytes } = this;
    while (this.#next < bytes.length) {
      const end = bytes.indexOf(LF, this.#next);
      this.from = this.#next;
      this.to = end < 0 ? bytes.length : end;
      this.#next = this.to + 1;
      this.line++;
      while (this.from < this.to && isBlank(bytes[this.from])) this.from++;
      while (this.from < this.to && isBlank(bytes[this.to - 1])) this.to--;
      this.at = this.from;
      if (this.from < this.to) return true;
    }
    return false;
  }

  /** Ends the current line at the first such byte. */
  cut(byte: number): void {
    for (let p = this.from; p < this.to; p++) if (this.bytes[p] === byte) this.to = p;
  }

  /** Steps to the next run of bytes that are not blank; false at the end of the line. */
  word(): boolean {
    const { bytes, to } = this;
    let p = this.at;
    while (p < to && isBlank(bytes[p])) p++;
    this.start = p;
    while (p < to && !isBlank(bytes[p])) p++;
    this.stop = p;
    this.at = p;
    return this.start < p;
  }

  /** The current line as text. */
  text(): string {
    return this.decode(this.from, this.to);
  }

  /** The current word as text. */
  token(): string {
    return this.decode(this.start, this.stop);
  }

  /** The current word as a number. */
  number(precision: Precision = "f64"): number {
    return parseNumber(this.bytes, this.start, this.stop, precision);
  }
}
