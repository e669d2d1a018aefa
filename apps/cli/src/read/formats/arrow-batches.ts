import { DataType, Precision } from "apache-arrow";
import { MemoryError } from "bonmf";
import { makePlan, type TablePlan } from "bonmf-data";
import type { Data, ReadOptions } from "../data.js";
import { indexColumns } from "../duckdb/column-index.js";
import { ConstantFeatures } from "../duckdb/constant-features.js";
import { Duck, NO_TABLE, quotePaths } from "../duckdb/duck.js";
import { needsTable } from "../duckdb/needs-table.js";
import { readSideColumns, type SideColumns, type TableRows } from "../duckdb/query.js";
import type { Relation } from "../duckdb/relation.js";
import { settle } from "../duckdb/settle.js";
import { summarizeRelation } from "../duckdb/summaries.js";
import { areFinite, budgetOf, finishWhole, RowBuffer } from "../duckdb/table-builder.js";
import type { File } from "../files/bytes.js";
import type { Scratch } from "../files/scratch.js";
import { useArrow } from "./arrow-file.js";
import { arrowToParquet } from "./arrow-table.js";

/**
 * Reads Arrow files of plain numbers straight into the matrix, batch by batch. Null where they must become a table first: to find or
 * fill values, or to say what is wrong with them.
 */
export async function readBatches(
  files: readonly File[],
  options: ReadOptions,
  scratch: Scratch,
): Promise<Data | null> {
  const { oneHot, missing, sql, text, like, signal } = options;
  if (needsTable({ oneHot, missing, sql, text, like }) || like?.recipe.text) return null;
  try {
    const relation = await describe(files, options);
    const { summary } = await summarizeRelation(NO_TABLE, relation, options, false);
    const plan = makePlan(summary, options);
    const matrix = await readMatrix(files, plan, options);
    if (matrix === null) return null;
    const side = await readBeside(files, relation, plan, options, scratch);
    if (side === null) return null;
    const settled = settle({ ...matrix, side }, plan, summary, options);
    return finishWhole(settled.found, settled.plan, relation, options);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof MemoryError) throw error;
    return null;
  }
}

async function describe(files: readonly File[], options: ReadOptions): Promise<Relation> {
  const { fields } = await useArrow(files[0], options, async ({ schema }) => schema);
  const columns = fields.map(({ name, type }) => ({ name, type: String(type), number: isPlain(type) }));
  const [{ name }] = files;
  return { kind: "arrow", name, files, csvGroups: [], columns, from: () => "", rows: null, notes: [] };
}

/** Whether the values of a column are an array of numbers. */
function isPlain(type: DataType): boolean {
  return DataType.isInt(type) || (DataType.isFloat(type) && type.precision !== Precision.HALF);
}

/** Null where a value is missing or not finite, or the files have different types. */
async function readMatrix(
  files: readonly File[],
  { parts, features }: TablePlan,
  options: ReadOptions,
): Promise<Omit<TableRows, "side"> | null> {
  const { signal, onProgress } = options;
  const m = features.length;
  const rows = new RowBuffer(m, 0, true, budgetOf(files[0].name, options));
  const constant = new ConstantFeatures(m);
  let types: string | undefined;
  for (const file of files) {
    const fine = await useArrow(file, options, async ({ schema, batches }) => {
      const find = indexColumns(schema.fields);
      const places = parts.map(({ column }) => find(column));
      const found = places.map((at) => String(schema.fields[at]?.type)).join();
      types ??= found;
      if (found !== types) return false;
      for await (const batch of batches) {
        signal?.throwIfAborted();
        const values = rows.append(batch.numRows);
        for (const [f, at] of places.entries()) {
          const vector = batch.getChildAt(at);
          if (!vector || vector.nullCount > 0 || !copyColumn(vector.toArray(), values, f, m)) return false;
        }
        if (!areFinite(values)) return false;
        constant.update(values);
        onProgress?.(rows.count, null, "rows");
      }
      return true;
    });
    if (!fine) return null;
  }
  if (rows.count === 0) return null;
  onProgress?.(rows.count, rows.count, "rows");
  return { X: rows.toDense(), constant: constant.list().map((f) => features[f]) };
}

/** Writes a column into every m-th place from `first` on; false where that would round twice. */
function copyColumn(
  column: ArrayLike<number> | BigInt64Array | BigUint64Array,
  out: Float32Array,
  first: number,
  m: number,
) {
  if (column instanceof BigInt64Array || column instanceof BigUint64Array) return copyLong(column, out, first, m);
  for (let i = 0, p = first; i < column.length; i++, p += m) out[p] = column[i];
  return true;
}

/** By halves, as a BigInt for each value would take ten times as long. Up to 2⁵³ the sum is exact. */
function copyLong(column: BigInt64Array | BigUint64Array, out: Float32Array, first: number, m: number): boolean {
  const { buffer, byteOffset, length } = column;
  const low = new Uint32Array(buffer, byteOffset, 2 * length);
  const high = column instanceof BigInt64Array ? new Int32Array(buffer, byteOffset, 2 * length) : low;
  for (let i = 0, p = first; i < length; i++, p += m) {
    const value = high[2 * i + 1] * 2 ** 32 + low[2 * i];
    if (!(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) return false;
    out[p] = value;
  }
  return true;
}

/** Label, id and weight, by way of a table; null where a row would be dropped. */
async function readBeside(
  files: readonly File[],
  relation: Relation,
  plan: TablePlan,
  options: ReadOptions,
  scratch: Scratch,
): Promise<SideColumns | null> {
  const { signal } = options;
  const { label, id, weight } = plan;
  const beside = [label, id, weight].filter((name) => name !== undefined);
  if (beside.length === 0) return readSideColumns(null, relation, plan, options);
  const paths: string[] = [];
  for (const file of files) {
    const path = await scratch.place(".parquet");
    await arrowToParquet(file, path, options, beside);
    paths.push(path);
  }
  const duck = await Duck.open(signal);
  try {
    const from = `read_parquet(${quotePaths(paths)})`;
    return await readSideColumns(duck, { ...relation, from: () => from }, plan, options);
  } finally {
    duck.close();
  }
}
