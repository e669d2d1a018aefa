import { UserError } from "../../errors.js";
import type { Kind } from "../data.js";
import { type File, readHead } from "../files/bytes.js";
import { estimateRows } from "../files/row-estimate.js";
import type { TableKind } from "../files/sources.js";
import { type CsvGroup, groupCsvFiles, isNumber, mergeTypes, scanCsv } from "./csv-files.js";
import type { Duck } from "./duck.js";
import { quotePaths } from "./sql.js";

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
