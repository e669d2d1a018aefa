import { BIGINT, DOUBLE, DuckDBDataChunk, DuckDBInstance, type DuckDBValue, FLOAT, VARCHAR } from "@duckdb/node-api";
import { UserError } from "../errors.js";
import { type Draft, explain, openDraft, STDOUT } from "./file.js";
import { makeTemporaryFolder, removeTemporary } from "./leftovers.js";
import { type Cell, type Column, checkNumber, type Scan, type TableWriter } from "./table.js";

// DuckDB's own vector size, the most that one chunk holds.
const CHUNK = 2048;
const types = { integer: BIGINT, float: FLOAT, double: DOUBLE, text: VARCHAR, line: VARCHAR } as const;

/**
 * Collects rows in DuckDB, which moves large tables to a temporary folder, and copies them at the end.
 *
 * @param beside see openTable; missing rows at the end have empty cells
 */
export async function openParquet(
  path: string,
  columns: readonly Column[],
  beside: Scan | null = null,
): Promise<TableWriter> {
  if (path === STDOUT) {
    throw new UserError("Parquet cannot be written to standard output", "name a file, or write CSV or JSON lines");
  }
  const draft = await openDraft(path);
  try {
    return await gather(path, columns, beside, draft);
  } catch (error) {
    await draft.discard();
    throw error;
  }
}

async function gather(
  path: string,
  columns: readonly Column[],
  beside: Scan | null,
  draft: Draft,
): Promise<TableWriter> {
  const spill = await makeTemporaryFolder();
  const instance = await DuckDBInstance.create(":memory:", { temp_directory: spill });
  const connection = await instance.connect();
  const names = distinct(columns.map((column) => column.name));
  const fields = columns.map(({ type }, c) => `"${names[c].replaceAll('"', '""')}" ${types[type]}`);
  await connection.run(`create table rows (${fields.join(", ")})`);
  const appender = await connection.createAppender("rows");
  const kinds = columns.map((column) => types[column.type]);

  let open = true;
  const close = async () => {
    if (!open) return;
    open = false;
    connection.closeSync();
    instance.closeSync();
    await removeTemporary(spill);
  };
  return {
    async write(rows) {
      for (let from = 0; from < rows.length; from += CHUNK) {
        const part = rows.slice(from, from + CHUNK);
        const chunk = DuckDBDataChunk.create(kinds, part.length);
        chunk.setColumns(columns.map((column, c) => part.map((row) => toDuck(row[c], column, path))));
        appender.appendDataChunk(chunk);
      }
      appender.flushSync();
    },
    async commit() {
      try {
        appender.closeSync();
        const target = draft.temporary.replaceAll("'", "''");
        const table = beside ? `(${joinRows(beside)})` : "rows";
        await connection.run(`copy ${table} to '${target}' (format parquet, compression zstd, use_tmp_file false)`);
        await close();
        await draft.commit();
      } catch (error) {
        throw explain(error, path);
      }
    },
    async discard() {
      // Where the copy is still under way.
      if (open) connection.interrupt();
      await close();
      await draft.discard();
    },
  };
}

function joinRows({ columns, from }: Scan): string {
  return `select * from (select ${columns.join(", ")} from ${from}) positional join rows`;
}

function toDuck(value: Cell, column: Column, path: string): DuckDBValue {
  if (value === null) return null;
  if (column.type === "text") return String(value);
  const number = checkNumber(value, column, path);
  return column.type === "integer" ? BigInt(number) : number;
}

/** SQL names ignore case: equal ones get a number. */
function distinct(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let n = 2; seen.has(unique.toLowerCase()); n++) unique = `${name}_${n}`;
    seen.add(unique.toLowerCase());
    return unique;
  });
}
