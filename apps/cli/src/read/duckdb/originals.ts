import { MISSING } from "bonmf-data";
import { askNearest } from "bonmf-data/nearest";
import { UserError } from "../../errors.js";
import type { TableFormat } from "../../write/format.js";
import type { Cell, Column, Scan } from "../../write/table.js";
import type { ReadOptions } from "../data.js";
import type { File } from "../files/bytes.js";
import type { TableKind } from "../files/sources.js";
import { type Chunk, Duck, quoteName, quoteText } from "./duck.js";
import { translate } from "./errors.js";
import { type Column as Found, openRelation, type Relation } from "./relation.js";

/** The columns of a table as its files have them, for results to be written beside them. */
export interface Originals {
  readonly names: readonly string[];
  /** What `take` returns of each row: lines of text come with all columns in one. */
  readonly columns: readonly Column[];
  /** For Parquet, which DuckDB writes from the files themselves: rows are then empty. */
  readonly scan: Scan | null;
  take(count: number): Promise<Cell[][]>;
  /** The rows that were not taken. */
  rest(): AsyncIterable<Cell[][]>;
  close(): Promise<void>;
}

interface Wanted {
  readonly files: readonly File[];
  readonly kind: TableKind | "sql";
  readonly options: ReadOptions;
  /** Null: all columns. */
  readonly wanted: readonly string[] | null;
  /** What they are written as: CSV takes texts as they stand, the others take types. */
  readonly format: TableFormat;
}

/** Scans the table once more: samples are 32-bit numbers, from which the cells could not be told. */
export async function openOriginals({ files, kind, options, wanted, format }: Wanted): Promise<Originals> {
  const duck = await Duck.open(options.signal, options.memory);
  try {
    const relation = await openRelation(duck, files, kind, options);
    const chosen = chooseColumns(relation, wanted);
    const names = chosen.map(({ name }) => name);
    const from = relation.from(new Map(), true);
    const typed = relation.kind === "csv" && format !== "csv" && format !== "tsv";
    const found = typed ? await checkTypes(duck, relation, chosen, from) : chosen;
    const values = found.map((column) => (typed ? castText(column, relation) : quoteName(column.name)));
    if (format === "parquet") {
      const columns = values.map((value, c) => `${value} as ${quoteName(names[c])}`);
      duck.close();
      return describeScan(names, { columns, from });
    }
    const fields =
      format === "arrow" ? found.map((column, c) => toArrow(column, values[c])) : [toText(found, values, format)];
    const sql = fields.map((field) => field.sql);
    const columns = fields.map(({ column }) => column);
    const explain = (error: unknown) => translate(error, files, options);
    return new OriginalRows(duck, names, columns, duck.stream(sql, from), explain);
  } catch (error) {
    duck.close();
    throw await translate(error, files, options);
  }
}

function chooseColumns({ columns, name }: Relation, wanted: readonly string[] | null): readonly Found[] {
  if (wanted === null) return columns;
  return wanted.map((each) => {
    const found = columns.find((column) => column.name === each);
    if (found) return found;
    const names = columns.map((column) => column.name);
    throw new UserError(
      `${name} has no column ${JSON.stringify(each)} for --columns`,
      askNearest(each, names) ?? `its columns are ${names.slice(0, 8).join(", ")}`,
    );
  });
}

/** The columns of a CSV file; where only the first rows have the type, the column is text. */
async function checkTypes(
  duck: Duck,
  relation: Relation,
  columns: readonly Found[],
  from: string,
): Promise<readonly Found[]> {
  const typed = columns.filter(({ type }) => type !== "VARCHAR");
  if (typed.length === 0) return columns;
  const bad = typed.map((column, c) => {
    const name = quoteName(column.name);
    return `bool_or(${name} is not null and ${castText(column, relation)} is null and not ${isMissing(name)}) as c${c}`;
  });
  const [row] = await duck.ask(`select ${bad.join(", ")} from ${from}`);
  const texts = new Set(typed.filter((_, c) => row[`c${c}`] === true));
  return columns.map((column) => (texts.has(column) ? { ...column, type: "VARCHAR", number: false } : column));
}

function isMissing(name: string): string {
  return `list_contains([${MISSING.map(quoteText).join(", ")}], ${name})`;
}

/** A cell of a CSV file, which is scanned as text, as a value of its type. */
function castText({ name, type, number }: Found, { csvGroups }: Relation): string {
  if (type === "VARCHAR") return quoteName(name);
  const comma = number && csvGroups.some(({ dialect }) => dialect.decimal === ",");
  return `try_cast(${comma ? `replace(${quoteName(name)}, ',', '.')` : quoteName(name)} as ${type})`;
}

/** A column to be written, and the SQL that reads it. */
interface Field {
  readonly column: Column;
  readonly sql: string;
}

/** All columns of a row as the text of its line, made by DuckDB's threads. */
function toText(found: readonly Found[], values: readonly string[], format: "csv" | "tsv" | "jsonl"): Field {
  if (format === "jsonl") {
    const pairs = found.map(({ name, type }, c) => {
      // JSON has no NaN.
      const value = /^(FLOAT|DOUBLE)$/.test(type) ? `if(isfinite(${values[c]}), ${values[c]}, null)` : values[c];
      return `${quoteText(name)}, ${value}`;
    });
    // Without the braces.
    return { column: { name: "", type: "line" }, sql: `(json_object(${pairs.join(", ")})::varchar)[2:-2]` };
  }
  const separator = format === "tsv" ? "\t" : ",";
  const special = quoteText(`["\\r\\n${separator}]|^\\s|\\s$`);
  const cells = values.map((value) => {
    const text = `${value}::varchar`;
    const protect = `'"' || replace(${text}, '"', '""') || '"'`;
    return `case when ${value} is null then '' when ${text} = '' or regexp_matches(${text}, ${special}) then ${protect} else ${text} end`;
  });
  const name = joinNames(found, separator);
  return { column: { name, type: "line" }, sql: `concat_ws(${quoteText(separator)}, ${cells.join(", ")})` };
}

function joinNames(found: readonly Found[], separator: string): string {
  const special = new RegExp(`^$|["\\r\\n${separator}]|^\\s|\\s$`);
  return found.map(({ name }) => (special.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(separator);
}

/** Integers that 64 bits with a sign hold; larger ones are written as texts. */
const INTEGER = /^((U?(TINY|SMALL))?INT|U?INTEGER|BIGINT)$/;
const WIDE = /^(U?BIGINT|U?HUGEINT|BIGNUM)$/;

function toArrow({ name, type, number }: Found, value: string): Field {
  if (INTEGER.test(type)) return { column: { name, type: "integer" }, sql: `${value}::bigint` };
  if (number && type !== "BOOLEAN" && !WIDE.test(type)) {
    return { column: { name, type: "double" }, sql: `${value}::double` };
  }
  return { column: { name, type: "text" }, sql: `${value}::varchar` };
}

function describeScan(names: readonly string[], scan: Scan): Originals {
  return {
    names,
    columns: [],
    scan,
    take: async (count) => Array.from({ length: count }, () => []),
    async *rest() {},
    close: async () => {},
  };
}

/** Hands out the rows of DuckDB's chunks. */
class OriginalRows implements Originals {
  readonly names: readonly string[];
  readonly columns: readonly Column[];
  readonly scan = null;
  readonly #duck: Duck;
  readonly #stream: AsyncGenerator<Chunk, undefined>;
  readonly #explain: (error: unknown) => Promise<unknown>;
  #rows: Cell[][] = [];
  #at = 0;

  constructor(
    duck: Duck,
    names: readonly string[],
    columns: readonly Column[],
    stream: AsyncGenerator<Chunk, undefined>,
    explain: (error: unknown) => Promise<unknown>,
  ) {
    this.#duck = duck;
    this.names = names;
    this.columns = columns;
    this.#stream = stream;
    this.#explain = explain;
  }

  async take(count: number): Promise<Cell[][]> {
    const taken: Cell[][] = [];
    while (taken.length < count) {
      if (this.#at === this.#rows.length && !(await this.#next())) break;
      const to = Math.min(this.#rows.length, this.#at + count - taken.length);
      for (; this.#at < to; this.#at++) taken.push(this.#rows[this.#at]);
    }
    return taken;
  }

  async *rest(): AsyncGenerator<Cell[][]> {
    if (this.#at < this.#rows.length) yield this.#rows.slice(this.#at);
    while (await this.#next()) yield this.#rows;
  }

  async close(): Promise<void> {
    // A stream that is not at its end holds the connection.
    await this.#stream.return(undefined);
    this.#duck.close();
  }

  async #next(): Promise<boolean> {
    try {
      const { value, done } = await this.#stream.next();
      if (done) return false;
      this.#rows = value.chunk.getRows();
      this.#at = 0;
      return true;
    } catch (error) {
      throw await this.#explain(error);
    }
  }
}
