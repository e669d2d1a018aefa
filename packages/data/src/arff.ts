import { type ArffWord, parseDecimal, readArffWord } from "bonmf/io";
import { type ColumnTable, isMissing, toColumn, toTable } from "./column.js";
import { UserError } from "./errors.js";
import { listNames } from "./labels.js";
import { watchNames } from "./names.js";
import type { Declared } from "./summary.js";

/** A column of an ARFF file, by its header. */
export interface ArffAttribute {
  readonly name: string;
  /** Whole: a nominal attribute whose values are whole numbers, as classes often are. */
  readonly type: "number" | "whole" | "text";
  readonly declared: "category" | "date" | null;
  /** The values of a nominal attribute. */
  readonly values: ReadonlySet<string> | null;
}

/** A value of a row; null where it is missing. */
export type ArffValue = number | string | null;

const WHOLE = /^-?(0|[1-9]\d{0,14})$/;
const NUMERIC = /^(numeric|real|integer)\b/i;

/** Reads ARFF line by line: a header of attributes, then rows of values separated by commas. */
export class ArffReader {
  readonly attributes: ArffAttribute[] = [];
  /** Whether rows are written as {index value, …}; then they are not read here. */
  sparse = false;
  rows = 0;
  readonly #name: string;
  readonly #free = watchNames([]);
  #line = 0;
  #inData = false;
  /** The row and line from which on their difference is the same. */
  readonly #jumps: { readonly row: number; readonly line: number }[] = [];

  /** @param name of the file, for messages */
  constructor(name: string) {
    this.#name = name;
  }

  /** The next line: the values of a row, or null where it is none. */
  read(line: string): ArffValue[] | null {
    this.#line++;
    const text = line.trim();
    if (text === "" || text.startsWith("%")) return null;
    if (!this.#inData) {
      this.#readHeader(text);
      return null;
    }
    if (text.startsWith("{")) {
      if (this.rows > 0) throw this.#fail("dense and {sparse} rows are mixed", "write all of them in one way");
      this.sparse = true;
      return null;
    }
    const last = this.#jumps.at(-1);
    if (!last || last.line - last.row !== this.#line - this.rows)
      this.#jumps.push({ row: this.rows, line: this.#line });
    this.rows++;
    return this.#readRow(text);
  }

  /** Checks that the file was whole. */
  finish(): void {
    if (!this.#inData) {
      throw new UserError(`${this.#name}: the file ends without @data: it is cut short, or not an ARFF file`);
    }
    if (this.rows === 0) throw new UserError(`${this.#name} has no samples after @data`);
  }

  /** Where a row stands, from 0. */
  place(row: number): string {
    const { row: first, line } = this.#jumps.findLast((jump) => jump.row <= row) ?? { row: 0, line: 1 };
    return `line ${line + row - first}`;
  }

  /** What the header says beside the types; by convention the last attribute is the class if it is nominal. */
  get declared(): Declared {
    const types = new Map<string, "category" | "date">();
    for (const { name, declared } of this.attributes) if (declared) types.set(name, declared);
    const last = this.attributes.at(-1);
    return { types, ...(last?.declared === "category" && { label: last.name }) };
  }

  #readHeader(text: string): void {
    if (/^@relation\b/i.test(text)) return;
    if (/^@data\b/i.test(text)) {
      if (this.attributes.length === 0) throw this.#fail("there is no @attribute above @data");
      this.#inData = true;
      return;
    }
    const [start] = /^@attribute\s+/i.exec(text) ?? [];
    if (start === undefined)
      throw this.#fail(`${JSON.stringify(text)} is not @relation, @attribute name type, or @data`);
    const name = this.#readWord(text, start.length, " {");
    this.attributes.push(this.#readType(this.#free(name.text), text.slice(name.end).trim()));
  }

  #readType(name: string, type: string): ArffAttribute {
    if (NUMERIC.test(type)) return { name, type: "number", declared: null, values: null };
    if (/^string\b/i.test(type)) return { name, type: "text", declared: null, values: null };
    if (/^date\b/i.test(type)) return { name, type: "text", declared: "date", values: null };
    if (!type.startsWith("{")) {
      throw this.#fail(
        `attribute ${JSON.stringify(name)} has the type ${JSON.stringify(type)}: only numeric, real, integer, string, ` +
          "date and {nominal} are read",
        "remove the attribute",
      );
    }
    const values = new Set<string>();
    for (let at = 1; ; ) {
      const { text, end } = this.#readListed(type, at, ",}");
      if (text !== "") values.add(text);
      if (end >= type.length) throw this.#fail(`the values of attribute ${JSON.stringify(name)} do not end with "}"`);
      at = end + 1;
      if (type[end] === "}") break;
    }
    const whole = values.size > 0 && [...values].every((value) => WHOLE.test(value));
    return { name, type: whole ? "whole" : "text", declared: "category", values };
  }

  #readRow(text: string): ArffValue[] {
    const size = this.attributes.length;
    const values: ArffValue[] = [];
    let count = 0;
    for (let at = 0; ; ) {
      const word = this.#readListed(text, at, ",");
      if (count < size) values.push(this.#readValue(word, this.attributes[count]));
      count++;
      if (word.end >= text.length) break;
      at = word.end + 1;
    }
    if (count === size) return values;
    throw this.#fail(`the row has ${count} values but there are ${size} attributes`);
  }

  #readValue({ text, quoted }: ArffWord, { name, type, values }: ArffAttribute): ArffValue {
    if (!quoted && (text === "" || text === "?" || (type === "number" && isMissing(text)))) return null;
    if (values && !values.has(text)) {
      throw this.#fail(
        `${JSON.stringify(text)} is not a value of attribute ${JSON.stringify(name)}, which declares ` +
          listNames([...values]),
        "correct it or declare it",
      );
    }
    if (type === "text") return text;
    const value = parseDecimal(text, "f64");
    if (Number.isNaN(value)) {
      throw new UserError(
        `${this.#name}, line ${this.#line}, attribute ${JSON.stringify(name)}: ${JSON.stringify(text)} is not a number`,
        "correct it",
      );
    }
    // Columns are doubles, and the matrix rounds them again: in the rare case that goes wrong the single is kept.
    const single = parseDecimal(text, "f32");
    return Math.fround(value) === single ? value : single;
  }

  #readWord(text: string, from: number, stops: string): ArffWord {
    const word = readArffWord(text, from, stops);
    if (!word) throw this.#fail("a quote is opened and not closed");
    return word;
  }

  /** One of several that are separated by commas. */
  #readListed(text: string, from: number, stops: string): ArffWord {
    const word = this.#readWord(text, from, stops);
    if (word.end < text.length && !stops.includes(text[word.end])) throw this.#fail("more follows a value in quotes");
    return word;
  }

  #fail(message: string, hint?: string): UserError {
    return new UserError(`${this.#name}, line ${this.#line}: ${message}`, hint);
  }
}

/** An ARFF file as columns; null where its rows are sparse. */
export function readArffTable(bytes: Uint8Array, name: string): ColumnTable | null {
  const reader = new ArffReader(name);
  const columns: ArffValue[][] = [];
  for (const line of new TextDecoder().decode(bytes).split("\n")) {
    const row = reader.read(line);
    if (reader.sparse) return null;
    for (const [c, value] of row?.entries() ?? []) {
      columns[c] ??= [];
      columns[c].push(value);
    }
  }
  reader.finish();
  const table = toTable(
    reader.attributes.map((attribute, c) => toColumn(attribute.name, columns[c], attribute.type === "number")),
    reader.rows,
  );
  return { ...table, place: (row) => reader.place(row), declared: reader.declared };
}
