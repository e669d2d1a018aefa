import { copyFile, open, stat } from "node:fs/promises";
import { BIGINT, DOUBLE, type DuckDBValue, VARCHAR } from "@duckdb/node-api";
import { askNearest, listNames } from "bonmf-data";
import sqlite from "node-sqlite3-wasm";
import { UserError } from "../../errors.js";
import type { ReadOptions } from "../data.js";
import { quoteName, quoteText } from "../duckdb/duck.js";
import { CHUNK, type Field, writeParquet } from "../duckdb/write-parquet.js";
import type { File } from "../files/bytes.js";
import type { Scratch } from "../files/scratch.js";

type Database = InstanceType<typeof sqlite.Database>;
type Value = number | bigint | string | Uint8Array | null;

/** Writes a table of a SQLite file as Parquet: numbers where all values of a column are, else text. */
export async function sqliteToParquet(
  file: File,
  path: string,
  scratch: Scratch,
  options: ReadOptions,
): Promise<readonly string[]> {
  const database = await openDatabase(file, scratch);
  try {
    const table = chooseTable(database, file.name, options.table);
    const { fields, blobs } = findFields(database, table, file.name);
    await writeParquet(path, file.name, fields, readRows(database, table, fields), options);
    return blobs.length === 0 ? [] : [`${file.name}: left out ${listNames(blobs)}, whose values are bytes`];
  } catch (error) {
    throw explain(error, file.name);
  } finally {
    database.close();
  }
}

/** Where the header says whether the last changes may be in a file of their own. */
const WRITE_AHEAD = 18;

/** Opens it under a name of ours: the reader puts its locks beside the file. */
async function openDatabase(file: File, scratch: Scratch): Promise<Database> {
  const handle = await open(file.path);
  const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, WRITE_AHEAD).finally(() => handle.close());
  let { path } = file;
  if (buffer[0] === 2) {
    const log = await stat(`${file.path}-wal`).catch(() => null);
    if (log && log.size > 0) {
      throw new UserError(
        `${file.name} has changes that are still in ${file.name}-wal`,
        'close the program that uses it, or run sqlite3 FILE "pragma wal_checkpoint(truncate)"',
      );
    }
    // Without such changes it is a plain database but for these two bytes.
    path = await scratch.place(".sqlite");
    await copyFile(file.path, path);
    const copy = await open(path, "r+");
    await copy.write(Uint8Array.of(1, 1), 0, 2, WRITE_AHEAD).finally(() => copy.close());
  } else path = (await scratch.rename(file, ".sqlite")).path;
  try {
    return new sqlite.Database(path, { readOnly: true, fileMustExist: true });
  } catch (error) {
    throw explain(error, file.name);
  }
}

function explain(error: unknown, name: string): unknown {
  if (!(error instanceof sqlite.SQLite3Error)) return error;
  return new UserError(`${name} cannot be read as a SQLite database: ${error.message}`, "copy or make it again", {
    cause: error,
  });
}

function chooseTable(database: Database, file: string, wanted: string | undefined): string {
  const found = ask(
    database,
    "select name, type from sqlite_master where type in ('table', 'view') and name not like 'sqlite!_%' escape '!'",
  );
  const names = found.map(([name]) => String(name));
  if (wanted !== undefined) {
    if (names.includes(wanted)) return wanted;
    const hint = askNearest(wanted, names) ?? `its tables are ${listNames(names)}`;
    throw new UserError(`${file} has no table ${JSON.stringify(wanted)}`, hint);
  }
  const tables = found.flatMap(([name, type]) => (type === "table" ? [String(name)] : []));
  if (tables.length === 1) return tables[0];
  if (tables.length === 0) throw new UserError(`${file} has no tables`);
  throw new UserError(`${file} has ${tables.length} tables: ${listNames(tables)}`, "choose one with --table");
}

/** SQLite has a type for each value, not for each column. */
function findFields(database: Database, table: string, file: string): { fields: Field[]; blobs: string[] } {
  const names = ask(database, `select name from pragma_table_info(${quoteText(table)})`).map(([name]) => String(name));
  const fields: Field[] = [];
  const blobs: string[] = [];
  for (const name of names) {
    const column = quoteName(name);
    const types = ask(database, `select distinct typeof(${column}) from ${quoteName(table)}`).map(([type]) => type);
    if (types.includes("blob")) blobs.push(name);
    else if (types.includes("text")) fields.push({ name, type: VARCHAR });
    else fields.push({ name, type: types.includes("real") ? DOUBLE : BIGINT });
  }
  if (fields.length === 0) throw new UserError(`${file}: the table ${JSON.stringify(table)} has no columns to read`);
  return { fields, blobs };
}

function* readRows(database: Database, table: string, fields: readonly Field[]): Generator<DuckDBValue[][]> {
  let columns: DuckDBValue[][] = fields.map(() => []);
  for (const row of iterate(
    database,
    fields.map(({ name }) => quoteName(name)),
    quoteName(table),
  )) {
    for (const [c, { type }] of fields.entries()) columns[c].push(convert(row[c], type));
    if (columns[0].length < CHUNK) continue;
    yield columns;
    columns = fields.map(() => []);
  }
  if (columns[0].length > 0) yield columns;
}

function convert(value: Value, type: Field["type"]): DuckDBValue {
  if (value === null || value instanceof Uint8Array) return null;
  if (type === VARCHAR) return String(value);
  return type === BIGINT ? BigInt(value) : Number(value);
}

function ask(database: Database, query: string): Value[][] {
  const statement = database.prepare(query);
  try {
    return statement.all().map((row) => Object.values(row) as Value[]);
  } finally {
    statement.finalize();
  }
}

/** Rows by the places of columns: names such as __proto__ would be lost as keys. */
function* iterate(database: Database, columns: readonly string[], table: string): Generator<Value[]> {
  const keys = columns.map((_, c) => `c${c}`);
  const wanted = columns.map((column, c) => `${column} as ${keys[c]}`).join(", ");
  const statement = database.prepare(`select ${wanted} from ${table}`);
  try {
    for (const row of statement.iterate()) yield keys.map((key) => (row as Record<string, Value>)[key]);
  } finally {
    statement.finalize();
  }
}
