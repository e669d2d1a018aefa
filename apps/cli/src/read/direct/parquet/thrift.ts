/**
 * What a field may be: a number, a truth value, a text in UTF-8, bytes, a struct, a list of one of these, a number that
 * stands for a name, or anything.
 */
type Kind = "i16" | "i32" | "i64" | "byte" | "bool" | "text" | "any" | Names | Struct | readonly [Kind];

/** The numbers that stand for names. */
type Names = ReadonlySet<number>;

interface Struct {
  /** By number, from 1. */
  readonly fields: ReadonlyMap<number, Kind>;
  readonly required: readonly number[];
}

const REQUIRED = Symbol("required");
type Field = Kind | readonly [typeof REQUIRED, Kind];
const must = (kind: Kind): Field => [REQUIRED, kind];

function struct(...fields: readonly Field[]): Struct {
  const kinds = new Map<number, Kind>();
  const required: number[] = [];
  for (const [f, field] of fields.entries()) {
    const needed = Array.isArray(field) && field[0] === REQUIRED;
    kinds.set(f + 1, needed ? field[1] : (field as Kind));
    if (needed) required.push(f + 1);
  }
  return { fields: kinds, required };
}

const count = (names: number): Names => new Set(Array.from({ length: names }, (_, n) => n));
const TYPE = count(8);
const CODEC = count(8);
const REPETITION = count(3);
const CONVERTED = count(22);
const PAGE_TYPE = count(4);
// There is no encoding 1.
const ENCODING: Names = new Set([0, 2, 3, 4, 5, 6, 7, 8, 9]);

// github.com/apache/parquet-format, src/main/thrift/parquet.thrift
const PAIR = struct(must("text"), "text");
const TIME = struct(must("bool"), must("any"));
const DECIMAL = struct(must("i32"), must("i32"));
const WHOLE = struct(must("byte"), must("bool"));
const LOGICAL = struct("any", "any", "any", "any", DECIMAL, "any", TIME, TIME, "any", WHOLE);
const COLUMN = struct(TYPE, "i32", REPETITION, must("text"), "i32", CONVERTED, "i32", "i32", "i32", LOGICAL);
const COUNT = struct(must(PAGE_TYPE), must(ENCODING), must("i32"));
const CHUNK_DATA = struct(
  must(TYPE),
  must([ENCODING]),
  must(["text"]),
  must(CODEC),
  must("i64"),
  must("i64"),
  must("i64"),
  [PAIR],
  must("i64"),
  "i64",
  "i64",
  "any",
  [COUNT],
  "i64",
  "i32",
);
const CHUNK = struct("text", must("i64"), CHUNK_DATA, "i64", "i32", "i64", "i32");
const SORTED = struct(must("i32"), must("bool"), must("bool"));
const GROUP = struct(must([CHUNK]), must("i64"), must("i64"), [SORTED], "i64", "i64", "i16");

/** The footer of a file. */
export const FILE = struct(must("i32"), must([COLUMN]), must("i64"), must([GROUP]), [PAIR], "text");

const PAGE_1 = struct(must("i32"), must(ENCODING), must(ENCODING), must(ENCODING));
const DICTIONARY = struct(must("i32"), must(ENCODING), "bool");
const PAGE_2 = struct(must("i32"), must("i32"), must("i32"), must(ENCODING), must("i32"), must("i32"), "bool");

/** The header of a page. */
export const PAGE = struct(must(PAGE_TYPE), must("i32"), must("i32"), "i32", PAGE_1, "any", DICTIONARY, PAGE_2);

/** Types of the compact protocol. */
const [TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT] = Array.from(
  { length: 12 },
  (_, t) => t + 1,
);
const WIRES = { i16: I16, i32: I32, i64: I64, byte: BYTE, text: BINARY };
const DEEPEST = 32;

/**
 * Checks that bytes are such a struct in Thrift's compact protocol: known fields have their types, none that must be there is
 * missing, texts are UTF-8. The package that reads them is more lenient than DuckDB.
 */
export function checkThrift(bytes: Uint8Array, shape: Struct): void {
  new Walk(bytes).struct(shape, 0);
}

class Walk {
  readonly #bytes: Uint8Array;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  struct(shape: Struct | undefined, depth: number): void {
    if (depth > DEEPEST) throw new Error("metadata are nested without end");
    const seen = new Set<number>();
    for (let id = 0; ; ) {
      const head = this.#byte();
      if (head === 0) break;
      id = head >> 4 === 0 ? this.#signed() : id + (head >> 4);
      if (seen.has(id)) throw new Error("metadata have a field twice");
      seen.add(id);
      this.#value(shape?.fields.get(id) ?? "any", head & 15, depth + 1, false);
    }
    if (shape?.required.some((id) => !seen.has(id))) throw new Error("metadata lack a field");
  }

  /** @param listed truth values have a byte in lists, and are told by their type elsewhere */
  #value(kind: Kind, type: number, depth: number, listed: boolean): void {
    if (!fits(kind, type)) throw new Error("metadata have a field of another type");
    if (type === TRUE || type === FALSE) {
      if (listed) this.#byte();
    } else if (type === BYTE) this.#byte();
    else if (type === I16 || type === I32 || type === I64) {
      const value = this.#signed();
      if (kind instanceof Set && !kind.has(value)) throw new Error(`${value} is not known`);
    } else if (type === DOUBLE) this.#skip(8);
    else if (type === BINARY) {
      const from = this.#skip(this.#number());
      if (kind === "text") this.#decoder.decode(this.#bytes.subarray(from, this.#at));
    } else if (type === LIST || type === SET) this.#list(Array.isArray(kind) ? kind[0] : "any", depth);
    else if (type === MAP) this.#map(depth);
    else if (type === STRUCT) this.struct(typeof kind === "object" && "fields" in kind ? kind : undefined, depth);
    else throw new Error("metadata have an unknown type");
  }

  #list(kind: Kind, depth: number): void {
    const head = this.#byte();
    const size = head >> 4 === 15 ? this.#number() : head >> 4;
    for (let i = 0; i < size; i++) this.#value(kind, head & 15, depth + 1, true);
  }

  #map(depth: number): void {
    const size = this.#number();
    const types = size === 0 ? 0 : this.#byte();
    for (let i = 0; i < size; i++) {
      this.#value("any", types >> 4, depth + 1, true);
      this.#value("any", types & 15, depth + 1, true);
    }
  }

  #byte(): number {
    return this.#bytes[this.#skip(1)];
  }

  /** Goes past so many bytes; returns where they begin. */
  #skip(count: number): number {
    const from = this.#at;
    this.#at += count;
    if (!(this.#at <= this.#bytes.length)) throw new Error("metadata end early");
    return from;
  }

  /** A number of variable length; exact up to 2⁵³. */
  #number(): number {
    let value = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = this.#byte();
      value += (byte & 127) * unit;
      if (byte < 128) return value;
      if (unit > 2 ** 63) throw new Error("metadata have a number without end");
    }
  }

  /** Zigzag: 0, −1, 1, −2 … */
  #signed(): number {
    const value = this.#number();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}

function fits(kind: Kind, type: number): boolean {
  if (kind === "any") return true;
  if (kind === "bool") return type === TRUE || type === FALSE;
  if (kind instanceof Set) return type === I32;
  if (typeof kind === "string") return type === WIRES[kind];
  return type === (Array.isArray(kind) ? LIST : STRUCT);
}
