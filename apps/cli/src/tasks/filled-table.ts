import type { Dense } from "bonmf";
import type { Data } from "../read/data.js";
import type { Originals } from "../read/duckdb/originals.js";
import { formatOf, TABLES } from "../write/format.js";
import { formatFloat } from "../write/number.js";
import { type Cell, type Column, openTable, type TableWriter, writeLines } from "../write/table.js";
import { likeliest, type Target, targetsOf } from "./filled-cells.js";

/** Rows that are written at a time. */
const ROWS = 4096;

export interface FilledTable {
  readonly originals: Originals;
  /** X has NaN where a value is missing. */
  readonly data: Data;
  /** The same samples, whole. */
  readonly filled: Dense;
  /** The name of the source, for messages. */
  readonly source: string;
  readonly signal: AbortSignal;
}

/** Writes to a file, or as CSV to `print`. */
export async function openFilled(
  out: string,
  columns: readonly Column[],
  print: (text: string) => Promise<void>,
): Promise<TableWriter> {
  if (out !== "-") return openTable(out, columns, formatOf(out, TABLES));
  const write = async (text: Uint8Array | string) => print(String(text));
  return writeLines({ write, commit: async () => {}, discard: async () => {} }, columns, "csv");
}

/**
 * Writes all columns of a table with the cells of missing values filled.
 *
 * @param open given the columns
 * @returns how many cells were filled
 */
export async function writeFilled(
  { originals, data, filled, source, signal }: FilledTable,
  open: (columns: readonly Column[]) => Promise<TableWriter>,
): Promise<number> {
  const { X, features, recipe, dropped } = data;
  const targets = targetsOf(features ?? [], recipe.categories ?? {}, originals.names, source);
  const isGap = (i: number, at: number) => Number.isNaN(X.at(i, at)) && !Number.isNaN(filled.at(i, at));
  const rows = Array.from({ length: X.samples }, (_, i) => i);
  const isBroken = ({ at, values }: Target) =>
    values === null && rows.some((i) => isGap(i, at) && filled.at(i, at) % 1 !== 0);
  const columns = [...originals.columns];
  // What is filled in need not be whole.
  for (const target of targets) {
    const { name, type } = columns[target.column];
    if (type === "integer" && isBroken(target)) columns[target.column] = { name, type: "double" };
  }
  const table = await open(columns);
  const left = new Set(dropped);
  let cells = 0;
  try {
    for (let i = 0, line = 0; ; ) {
      signal.throwIfAborted();
      const lines = await originals.take(ROWS);
      if (lines.length === 0) break;
      for (const row of lines) {
        for (const [c, cell] of row.entries()) row[c] = numberOf(cell);
        if (left.has(line++)) continue;
        for (const target of targets) {
          if (!isGap(i, target.at)) continue;
          row[target.column] = cellOf(filled, i, target, columns[target.column]);
          cells++;
        }
        i++;
      }
      await table.write(lines);
    }
    await table.commit();
    return cells;
  } catch (error) {
    await table.discard();
    throw error;
  } finally {
    await originals.close();
  }
}

/** 64-bit integers, which DuckDB gives as bigint, as numbers; those too large for one as texts. */
function numberOf(cell: Cell): Cell {
  if (typeof cell !== "bigint") return cell;
  const number = Number(cell);
  return Number.isSafeInteger(number) ? number : String(cell);
}

function cellOf(filled: Dense, i: number, { at, values }: Target, { type }: Column): Cell {
  const text = values === null ? formatFloat(filled.at(i, at)) : likeliest(filled, i, at, values);
  return type === "text" ? text : Number(text);
}
