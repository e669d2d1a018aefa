import { open, stat } from "node:fs/promises";
import type { Json } from "@duckdb/node-api";
import { type Dialect, guessDelimiter, hasCountedNames, hasIndexName, MISSING, readJson } from "bonmf-data";
import { UserError } from "../../errors.js";
import type { Kind, ReadOptions } from "../data.js";
import { type File, guard, readBytes, readHead } from "../files/bytes.js";
import type { TableKind } from "../files/sources.js";
import { checkColumnNames } from "./column-names.js";
import { type Duck, quoteName, quotePaths, quoteText } from "./duck.js";
import { bracketQuery } from "./statement.js";

/** @property type DuckDB's name */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly number: boolean;
}

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

/** A table that DuckDB can scan, from files or a query. */
export interface Relation {
  readonly kind: Kind;
  /** For messages. */
  readonly name: string;
  readonly files: readonly File[];
  /** How CSV files are written; none for other kinds. */
  readonly csvGroups: readonly CsvGroup[];
  readonly columns: readonly Column[];
  /** The SQL after "from"; CSV columns get these types. `plain`: see scanCsv. */
  readonly from: (types: ReadonlyMap<string, string>, plain?: boolean) => string;
  /** The elements that columns of lists have become, by the name of the list. */
  readonly lists?: ReadonlyMap<string, readonly string[]>;
  /** About how many rows there are; null where that is not known. */
  readonly rows: number | null;
  readonly notes: readonly string[];
}

/** The query, else the files by their kind. With both, the query knows the files as the table `data`. */
export async function openRelation(
  duck: Duck,
  files: readonly File[],
  kind: TableKind | "sql",
  { sql, spool }: Pick<ReadOptions, "sql" | "spool"> = {},
): Promise<Relation> {
  if (sql === undefined) return openFiles(duck, files, kind);
  if (files.length > 0) {
    const { columns, from } = await openFiles(duck, files, kind);
    const types = new Map(columns.map(({ name, type }) => [name, type]));
    await duck.run(`create temp view data as select * from ${from(types)}`);
  }
  const query = await bracketQuery(duck, sql);
  // Asked once: a query that samples, or reads files that grow, gives other rows each time.
  const name = "the query";
  const ask = async () => duck.spool(query, (await describe(duck, query, name)).map(keepWhole), await spool?.place());
  const source = spool?.source ?? (await ask());
  if (spool) spool.source = source;
  const columns = await describe(duck, source, name);
  const [{ rows }] = await duck.ask(`select count(*)::double as rows from ${source}`);
  return { kind: "sql", name, files, csvGroups: [], columns, from: () => source, rows: Number(rows), notes: [] };
}

/** Parquet has no whole numbers of 128 bits, as sums are: they would become doubles. */
function keepWhole({ name, type }: Column): string {
  const column = quoteName(name);
  return type === "HUGEINT" ? `${column}::decimal(38, 0) as ${column}` : column;
}

async function openFiles(duck: Duck, files: readonly File[], kind: Kind): Promise<Relation> {
  for (const file of files) {
    if ((await readHead(file)).bytes.length === 0) throw new UserError(`${file.name} is empty`);
  }
  const name = files.length === 1 ? files[0].name : `${files[0].name} and ${files.length - 1} more`;
  const paths = quotePaths(files.map(({ path }) => path));
  if (kind === "csv") {
    const csvGroups = await groupCsvFiles(duck, files);
    const notes: string[] = [];
    for (const { dialect, files } of csvGroups) {
      if (dialect.skip > 0) notes.push(`${files[0].name}: skipped ${dialect.skip} lines above the table`);
    }
    const columns = joinColumns(csvGroups);
    const from: Relation["from"] = (types, plain = false) => scanCsv(csvGroups, types, plain);
    return { kind, name, files, csvGroups, columns, from, rows: await estimateRows(files), notes };
  }
  const source = kind === "parquet" ? `read_parquet(${paths})` : `read_json(${paths})`;
  const columns = await describe(duck, source, name);
  // Of values that are no objects DuckDB makes one column of this name.
  if (kind === "jsonl" && columns.length === 1 && columns[0].name === "json") await checkObjects(files);
  const rows = kind === "parquet" ? await countRows(duck, paths) : await estimateRows(files);
  return { kind, name, files, csvGroups: [], columns, from: () => source, rows, notes: [] };
}

/** Bytes of a file that is looked through for a value that is no object. */
const MOST_CHECKED = 2 ** 26;

async function checkObjects(files: readonly File[]): Promise<void> {
  for (const file of files) {
    if ((await stat(file.path)).size > MOST_CHECKED) continue;
    readJson(new TextDecoder().decode(await readBytes(file, {})), file.name);
  }
}

async function describe(duck: Duck, source: string, file: string): Promise<Column[]> {
  // With a letter before it: of texts that begin with a byte order mark, DuckDB's interface takes the mark away.
  const rows = await duck.ask(`select '_' || column_name as name, column_type from (describe select * from ${source})`);
  const columns = rows.map(({ name, column_type }) => {
    const type = String(column_type);
    return { name: String(name).slice(1), type, number: isNumber(type) };
  });
  checkColumnNames(columns, file);
  return columns;
}

async function countRows(duck: Duck, paths: string): Promise<number> {
  const [{ rows }] = await duck.ask(`select sum(num_rows)::double as rows from parquet_file_metadata(${paths})`);
  return Number(rows);
}

/** The columns of the first file, which all others must have too. */
function joinColumns(csvGroups: readonly CsvGroup[]): readonly Column[] {
  const [first, ...others] = csvGroups;
  let columns = first.columns;
  for (const group of others) {
    columns = columns.map((column) => {
      const same = group.columns.find(({ name }) => name === column.name);
      if (same) return mergeTypes(column, same);
      throw new UserError(
        `${group.files[0].name} has no column ${JSON.stringify(column.name)}, but ${first.files[0].name} has`,
        "files read together must have the same columns",
      );
    });
  }
  return columns;
}

/** Rows looked at to find out how a file is written; later surprises are found while reading. */
const SAMPLE = 2048;
const nullstr = `nullstr=['', ${MISSING.map(quoteText).join(", ")}]`;
const EMPTY = "(empty)";

/** Files in their order, neighbours that are written alike together. */
async function groupCsvFiles(duck: Duck, files: readonly File[]): Promise<CsvGroup[]> {
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
function mergeTypes(a: Column, b: Column): Column {
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
      const columns = [...new Set(nameCells(splitLine(line, delimiter)))].map((name) => ({
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
  const cells = splitLine(line, dialect.delimiter);
  const header = isHeader(cells, dialect);
  if (header === dialect.header) return header && dialect.skip === 0 ? keepNames(found, nameCells(cells)) : found;
  return look({ delimiter: dialect.delimiter, decimal: dialect.decimal, header });
}

/** A column called NA has a name; DuckDB takes it for a missing one. */
function keepNames(group: CsvGroup, cells: readonly string[]): CsvGroup {
  if (cells.length !== group.columns.length) return group;
  const keys = cells.map((cell) => cell.toLowerCase());
  const isOnce = (c: number) => keys.indexOf(keys[c]) === keys.lastIndexOf(keys[c]);
  const columns = group.columns.map((column, c) =>
    /^column\d+$/.test(column.name) && MISSING.includes(cells[c]) && isOnce(c) ? { ...column, name: cells[c] } : column,
  );
  return { ...group, columns };
}

function splitLine(line: string, delimiter: string): string[] {
  return line.split(delimiter).map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));
}

function nameCells(cells: readonly string[]): string[] {
  return cells.map((cell, c) => cell || `column${c}`);
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
  checkColumnNames(columns, file.name);
  return { files: [file], dialect, columns };
}

export function isNumber(type: string): boolean {
  return /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|REAL|BIGNUM|BOOLEAN|DECIMAL\(.*\))$/.test(type);
}

/**
 * DuckDB takes numbers for a header where they are written unlike the rest, and for data where pandas counted columns; also the
 * names of columns of texts, where that of the index is empty.
 */
function isHeader(cells: readonly string[], { header, skip }: FileDialect): boolean {
  if (skip === 0 && (hasIndexName(cells) || hasCountedNames(cells))) return true;
  if (skip > 0 || cells.length < 3 || !cells.every((cell) => /^[+-]?[\d.]+(e[+-]?\d+)?$/i.test(cell))) return header;
  return cells.every((cell, c) => cell === String(c));
}

/**
 * The csvGroups as one table in SQL, its columns as the types say and else text.
 *
 * @param plain without looking for MISSING, which is a fifth faster
 */
function scanCsv(csvGroups: readonly CsvGroup[], types: ReadonlyMap<string, string>, plain: boolean): string {
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

const PIECE = 65_536;
const LF = 10;

/** About how many lines files have, from the length of some; null where one cannot be looked into. */
async function estimateRows(files: readonly File[]): Promise<number | null> {
  let rows = 0;
  for (const file of files) {
    const count = await estimate(file);
    if (count === null) return null;
    rows += count;
  }
  return rows;
}

async function estimate(file: File): Promise<number | null> {
  if (/\.zst$/i.test(file.path)) return null;
  const { bytes, gzip } = await readHead(file);
  const handle = await guard(file.name, () => open(file.path));
  try {
    const { size } = await handle.stat();
    const piece = Buffer.alloc(PIECE);
    if (gzip) {
      // Gzip ends in the length of its content, in 32 bits.
      await handle.read(piece, 0, 4, Math.max(0, size - 4));
      let length = piece.readUInt32LE(0);
      while (length < size) length += 2 ** 32;
      // No gzip is denser: the file is cut short, which reading will say.
      if (length > size * 1100) length = size * 4;
      return Math.ceil((length / bytes.length) * countLines(bytes)) + 1;
    }
    if (size <= bytes.length) return countLines(bytes) + 1;
    let lines = countLines(bytes);
    let seen = bytes.length;
    for (const share of [0.25, 0.5, 0.75, 1]) {
      const { bytesRead } = await handle.read(piece, 0, PIECE, Math.floor((size - PIECE) * share));
      lines += countLines(piece.subarray(0, bytesRead));
      seen += bytesRead;
    }
    return Math.ceil((size / seen) * lines) + 1;
  } finally {
    await handle.close();
  }
}

function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) lines++;
  return lines;
}
