import type { Json } from "@duckdb/node-api";
import { type Dialect, guessDelimiter, MISSING } from "bonmf-data";
import { type File, readHead } from "../files/bytes.js";
import { type Duck, quoteName, quotePaths, quoteText } from "./duck.js";
import type { Column } from "./relation.js";

/** How a CSV file is written, down to its compression. */
export interface FileDialect extends Dialect {
  readonly escape: string;
  readonly header: boolean;
  readonly compression: "gzip" | "auto";
}

/** Files that are written alike, with the same columns in the same order. */
export interface CsvGroup {
  readonly files: readonly File[];
  readonly dialect: FileDialect;
  readonly columns: readonly Column[];
}

/** Rows looked at to find out how a file is written; later surprises are found while reading. */
const SAMPLE = 2048;
const nullstr = `nullstr=['', ${MISSING.map(quoteText).join(", ")}]`;
const EMPTY = "(empty)";

/** Files in their order, neighbours that are written alike together. */
export async function groupCsvFiles(duck: Duck, files: readonly File[]): Promise<CsvGroup[]> {
  const csvGroups: CsvGroup[] = [];
  for (const file of files) {
    const group = await sniff(duck, file);
    const last = csvGroups.at(-1);
    if (last && isAlike(last, group)) {
      const columns = last.columns.map((column, c) => mergeTypes(column, group.columns[c]));
      csvGroups[csvGroups.length - 1] = { ...last, files: [...last.files, file], columns };
    } else csvGroups.push(group);
  }
  return csvGroups;
}

function isAlike(a: CsvGroup, b: CsvGroup): boolean {
  const key = ({ dialect, columns }: CsvGroup) => JSON.stringify([dialect, columns.map(({ name }) => name)]);
  return key(a) === key(b);
}

/** A column is of numbers where it is in every file. */
export function mergeTypes(a: Column, b: Column): Column {
  return a.type === b.type
    ? a
    : { name: a.name, type: a.number && b.number ? "DOUBLE" : "VARCHAR", number: a.number && b.number };
}

async function sniff(duck: Duck, file: File): Promise<CsvGroup> {
  const { bytes, gzip } = await readHead(file);
  const compression = gzip ? "gzip" : "auto";
  const look = (more: Partial<FileDialect>) => ask(duck, file, { compression, ...more });
  const [line] = new TextDecoder()
    .decode(bytes)
    .replace(/^\ufeff/, "")
    .split(/\r?\n/, 1);
  let found = await look({});
  const delimiter = found.columns.length === 1 ? guessDelimiter(line) : undefined;
  if (delimiter !== undefined && delimiter !== found.dialect.delimiter) {
    try {
      found = await look({ delimiter });
    } catch {
      // Rows of different lengths: reading by the first line names the first that differs.
      const columns = [...new Set(splitLine(line, delimiter))].map((name) => ({
        name,
        type: "VARCHAR",
        number: false,
      }));
      return { files: [file], columns, dialect: { ...found.dialect, delimiter, skip: 0, header: true } };
    }
  }
  if (found.dialect.delimiter === ";" && found.columns.some(({ number }) => !number)) {
    const comma = await look({ delimiter: ";", decimal: "," });
    const count = ({ columns }: CsvGroup) => columns.filter(({ number }) => number).length;
    if (count(comma) > count(found)) found = comma;
  }
  const { dialect } = found;
  const header = isHeader(splitLine(line, dialect.delimiter), dialect);
  return header === dialect.header ? found : look({ delimiter: dialect.delimiter, decimal: dialect.decimal, header });
}

function splitLine(line: string, delimiter: string): string[] {
  return line.split(delimiter).map((cell, c) => cell.trim().replace(/^"(.*)"$/, "$1") || `column${c}`);
}

/** Asks DuckDB how a file is written, as far as that is not known. */
async function ask(
  duck: Duck,
  file: File,
  known: Partial<FileDialect> & Pick<FileDialect, "compression">,
): Promise<CsvGroup> {
  const options = [
    quoteText(file.path.replace(/[*?[]/g, "[$&]")),
    `sample_size=${SAMPLE}`,
    nullstr,
    ...(known.compression === "gzip" ? ["compression='gzip'"] : []),
    ...(known.delimiter === undefined ? [] : [`delim=${quoteText(known.delimiter)}`]),
    ...(known.decimal === undefined ? [] : [`decimal_separator=${quoteText(known.decimal)}`]),
    ...(known.header === undefined ? [] : [`header=${known.header}`]),
  ];
  const [row] = await duck.ask(`from sniff_csv(${options.join(", ")})`);
  const clean = (value: Json) => (value === EMPTY ? "" : String(value));
  const dialect: FileDialect = {
    delimiter: clean(row.Delimiter),
    // Quotes may come after the rows that were looked at.
    quote: clean(row.Quote) || '"',
    escape: clean(row.Escape) || clean(row.Quote) || '"',
    comment: clean(row.Comment),
    skip: Number(row.SkipRows),
    header: row.HasHeader === true,
    decimal: known.decimal ?? ".",
    compression: known.compression,
  };
  const columns = (row.Columns as { name: string; type: string }[]).map(({ name, type }) => ({
    name,
    type,
    number: isNumber(type),
  }));
  return { files: [file], dialect, columns };
}

export function isNumber(type: string): boolean {
  return /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|REAL|BIGNUM|BOOLEAN|DECIMAL\(.*\))$/.test(type);
}

/** DuckDB takes numbers for a header where they are written unlike the rest, and for data where pandas counted columns. */
function isHeader(cells: readonly string[], { header, skip }: FileDialect): boolean {
  if (skip > 0 || cells.length < 3 || !cells.every((cell) => /^[+-]?[\d.]+(e[+-]?\d+)?$/i.test(cell))) return header;
  return cells.every((cell, c) => cell === String(c));
}

/**
 * The csvGroups as one table in SQL, its columns as the types say and else text.
 *
 * @param plain without looking for MISSING, which is a fifth faster
 */
export function scanCsv(csvGroups: readonly CsvGroup[], types: ReadonlyMap<string, string>, plain: boolean): string {
  const [first] = csvGroups;
  if (csvGroups.length === 1) return scanGroup(first, types, plain);
  const columns = first.columns.map(({ name }) => quoteName(name)).join(", ");
  return `(${csvGroups.map((group) => `select ${columns} from ${scanGroup(group, types, plain)}`).join(" union all ")})`;
}

function scanGroup({ files, dialect, columns }: CsvGroup, types: ReadonlyMap<string, string>, plain: boolean): string {
  const options = [
    "auto_detect=false",
    `delim=${quoteText(dialect.delimiter)}`,
    `quote=${quoteText(dialect.quote)}`,
    `escape=${quoteText(dialect.escape)}`,
    `comment=${quoteText(dialect.comment)}`,
    `skip=${dialect.skip}`,
    `header=${dialect.header}`,
    `decimal_separator=${quoteText(dialect.decimal)}`,
    ...(dialect.compression === "gzip" ? ["compression='gzip'"] : []),
    plain ? "nullstr=''" : nullstr,
    `columns={${columns.map(({ name }) => `${quoteText(name)}: ${quoteText(types.get(name) ?? "VARCHAR")}`).join(", ")}}`,
  ];
  return `read_csv(${quotePaths(files.map(({ path }) => path))}, ${options.join(", ")})`;
}
