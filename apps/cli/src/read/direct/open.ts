import { stat } from "node:fs/promises";
import type { Dense } from "bonmf";
import type { TablePlan } from "bonmf-data";
import type { ReadOptions } from "../data.js";
import type { Duck } from "../duckdb/duck.js";
import type { Relation } from "../duckdb/relation.js";
import type { TableRows } from "../duckdb/side-columns.js";
import type { File } from "../files/bytes.js";
import type { TableKind } from "../files/sources.js";

/** Reads a table of plain numbers in threads; null where DuckDB has to read it. */
export interface DirectReader {
  /** Memory for the matrix, which DuckDB's rows may use where this reader gave up. */
  readonly room: Dense | null;
  /** Reads without starting DuckDB. */
  readAlone?(): Promise<{ found: TableRows; relation: Relation; plan: TablePlan } | null>;
  read(relation: Relation, plan: TablePlan, duck: Duck): Promise<TableRows | null>;
  close(): Promise<void>;
}

/** Bytes of files below which DuckDB has made a table before threads have started. */
const LEAST_BYTES = 4 * 2 ** 20;

/** Starts threads where the files are large enough for them. */
export async function openDirect(
  kind: TableKind | "sql",
  files: readonly File[],
  options: ReadOptions,
): Promise<DirectReader | null> {
  if (kind !== "csv" && kind !== "parquet") return null;
  let bytes = 0;
  for (const { path } of files) bytes += (await stat(path)).size;
  if (bytes < LEAST_BYTES) return null;
  if (kind === "csv") return (await import("./csv/reader.js")).CsvReader.open(files, bytes, options);
  return (await import("./parquet/reader.js")).ParquetReader.open(files, bytes, options);
}
