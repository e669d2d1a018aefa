import type { DuckDBValue } from "@duckdb/node-api";
import { UserError } from "../errors.js";
import type { Draft } from "./file.js";
import { formatOf, TABLES, type TableFormat } from "./format.js";
import { formatDouble, formatFloat } from "./number.js";
import { openText } from "./text.js";

export type Value = string | number | null;
/** A value, or a 64-bit integer that is passed on as it is. */
export type Cell = DuckDBValue;

/** Columns in DuckDB's SQL that Parquet is written from, beside those that are written row by row. */
export interface Scan {
  readonly columns: readonly string[];
  readonly from: string;
}

export interface Column {
  readonly name: string;
  /** "float" has 32 bits; "line" is text with several columns in it, as CSV or JSON lines have them. */
  readonly type: "integer" | "float" | "double" | "text" | "line";
}

/** How text is written. */
export interface TextOptions {
  /** CSV and TSV without cells that spreadsheets would run as formulas. */
  readonly spreadsheetSafe?: boolean;
}

/** A table written in parts; the file appears when complete. */
export interface TableWriter {
  /** @param rows one array a row, with a value for each column */
  write(rows: readonly (readonly Cell[])[]): Promise<void>;
  commit(): Promise<void>;
  discard(): Promise<void>;
}

/**
 * Opens a table for writing: CSV, TSV, JSON lines (each also as .gz), Parquet or Arrow, by its name or `format`.
 *
 * @param beside for Parquet: columns that come first, row i of them beside row i of those written
 */
export async function openTable(
  path: string,
  columns: readonly Column[],
  format: TableFormat = formatOf(path, TABLES),
  beside: Scan | null = null,
  options: TextOptions = {},
): Promise<TableWriter> {
  // Loaded only if needed: they load slowly.
  if (format === "parquet") return (await import("./parquet.js")).openParquet(path, columns, beside);
  if (format === "arrow") return (await import("./arrow.js")).openArrow(path, columns);
  return writeLines(await openText(path), columns, format, options);
}

/** Writes lines of text to a draft. */
export async function writeLines(
  draft: Pick<Draft, "write" | "commit" | "discard">,
  columns: readonly Column[],
  format: "csv" | "tsv" | "jsonl",
  { spreadsheetSafe = false }: TextOptions = {},
): Promise<TableWriter> {
  const separator = format === "tsv" ? "\t" : ",";
  const line = format === "jsonl" ? lineOfObject(columns) : lineOfCells(columns, separator);
  const defuse = spreadsheetSafe && format !== "jsonl" ? (await import("bonmf-data")).defuseFormulas : null;
  const put = (text: string) => draft.write(defuse ? defuse(text, separator) : text);
  if (format !== "jsonl") await put(line(columns.map((column) => column.name)));
  return {
    write: (rows) => put(rows.map(line).join("")),
    commit: () => draft.commit(),
    discard: () => draft.discard(),
  };
}

/** The narrowest type that holds all the values. */
export function typeOf(values: Iterable<Value>): "integer" | "double" | "text" {
  let type: "integer" | "double" = "integer";
  for (const value of values) {
    if (typeof value === "string") return "text";
    if (value !== null && !Number.isSafeInteger(value)) type = "double";
  }
  return type;
}

/** @throws UserError for a value that does not fit the column's type, which the first part determined */
export function checkNumber(value: Cell, column: Column, path: string): number {
  if (typeof value === "number" && (column.type !== "integer" || Number.isSafeInteger(value))) return value;
  throw new UserError(
    `${path}: column ${column.name} has ${column.type} values in its first rows, but also ${JSON.stringify(String(value))}`,
    "write .csv or .jsonl, which take mixed columns",
  );
}

type Line = (row: readonly Cell[]) => string;

function lineOfCells(columns: readonly Column[], separator: string): Line {
  const special = new RegExp(`["\\r\\n${separator}]|^\\s|\\s$`);
  const cell = (value: Cell, column: number): string => {
    if (value === null) return "";
    if (typeof value === "number") return columns[column].type === "float" ? formatFloat(value) : formatDouble(value);
    const text = String(value);
    if (columns[column].type === "line") return text;
    // Some readers distinguish an empty string in quotes from a missing value.
    return text === "" || special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return (row) => `${row.map(cell).join(separator)}\n`;
}

function lineOfObject(columns: readonly Column[]): Line {
  const names = columns.map((column) => JSON.stringify(column.name));
  const cell = (value: Cell, column: number): string => {
    if (typeof value !== "number" || columns[column].type !== "float" || !Number.isFinite(value)) {
      return JSON.stringify(value);
    }
    return formatFloat(value);
  };
  const pair = (value: Cell, column: number) =>
    columns[column].type === "line" ? String(value) : `${names[column]}:${cell(value, column)}`;
  return (row) => `{${row.map(pair).join(",")}}\n`;
}
