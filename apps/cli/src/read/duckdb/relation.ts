import { open } from "node:fs/promises";
import { UserError } from "../../errors.js";
import type { Kind } from "../data.js";
import { type File, guard, readHead } from "../files/bytes.js";
import type { TableKind } from "../files/sources.js";
import { type CsvGroup, groupCsvFiles, isNumber, mergeTypes, scanCsv } from "./csv-files.js";
import { type Duck, quotePaths } from "./duck.js";

/** @property type DuckDB's name */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly number: boolean;
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
  /** About how many rows there are; null where that is not known. */
  readonly rows: number | null;
  readonly notes: readonly string[];
}

/** The query, else the files by their kind. With both, the query knows the files as the table `data`. */
export async function openRelation(
  duck: Duck,
  files: readonly File[],
  kind: TableKind | "sql",
  sql?: string,
): Promise<Relation> {
  if (sql === undefined) return openFiles(duck, files, kind);
  if (files.length > 0) {
    const { columns, from } = await openFiles(duck, files, kind);
    const types = new Map(columns.map(({ name, type }) => [name, type]));
    await duck.run(`create temp view data as select * from ${from(types)}`);
  }
  // A line of its own, as the query may end in a comment.
  const query = `(${sql.trim().replace(/;\s*$/, "")}\n)`;
  const columns = await describe(duck, query);
  return { kind: "sql", name: "the query", files, csvGroups: [], columns, from: () => query, rows: null, notes: [] };
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
  const columns = await describe(duck, source);
  const rows = kind === "parquet" ? await countRows(duck, paths) : await estimateRows(files);
  return { kind, name, files, csvGroups: [], columns, from: () => source, rows, notes: [] };
}

async function describe(duck: Duck, source: string): Promise<Column[]> {
  const rows = await duck.ask(`describe select * from ${source}`);
  return rows.map(({ column_name, column_type }) => {
    const type = String(column_type);
    return { name: String(column_name), type, number: isNumber(type) };
  });
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
