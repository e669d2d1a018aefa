import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  type DuckDBType,
  FLOAT,
  INTEGER,
  LIST,
  listValue,
  SMALLINT,
  TINYINT,
  UBIGINT,
  UINTEGER,
  USMALLINT,
  UTINYINT,
  VARCHAR,
} from "@duckdb/node-api";
import { DataType, Precision, type Vector } from "apache-arrow";
import type { ReadOptions } from "../data.js";
import { CHUNK, type Field, type Values, writeParquet } from "../duckdb/write-parquet.js";
import type { File } from "../files/bytes.js";
import { type ArrowFile, refuseDamaged, useArrow } from "./arrow-file.js";

/**
 * Writes the table of an Arrow file as Parquet, with one batch of rows in memory at a time.
 *
 * @param names the columns to write; by default all
 */
export async function arrowToParquet(
  file: File,
  path: string,
  options: ReadOptions,
  names?: readonly string[],
): Promise<void> {
  await useArrow(file, options, async (arrow) => {
    const { columns, chunks } = readChunks(file, arrow, names, options.onProgress);
    await writeParquet(path, file.name, columns, chunks, options);
  });
}

/** The columns of an Arrow file as DuckDB takes them, some rows at a time. */
export function readChunks(
  file: File,
  { schema, rows, batches }: ArrowFile,
  names?: readonly string[],
  onProgress?: ReadOptions["onProgress"],
): { columns: readonly Field[]; chunks: AsyncIterable<readonly Values[]> } {
  const fields = schema.fields.map((field, at) => ({ field, at }));
  const wanted = fields.filter(({ field }) => names?.includes(field.name) ?? true);
  const columns = refuseDamaged(file, () =>
    wanted.map(({ field, at }) => ({ name: field.name, at, ...convert(field.type) })),
  );
  const chunks = async function* () {
    let done = 0;
    for await (const batch of batches) {
      for (let start = 0; start < batch.numRows; start += CHUNK) {
        const part = batch.slice(start, Math.min(start + CHUNK, batch.numRows));
        yield refuseDamaged(file, () => columns.map(({ at, get }) => get(part.getChildAt(at) as Vector)));
        done += part.numRows;
        onProgress?.(done, rows, "rows");
      }
    }
  };
  return { columns, chunks: chunks() };
}

/** DuckDB's name of what a column becomes. */
export function nameType(type: DataType): string {
  return String(convert(type).type);
}

interface Column {
  readonly type: DuckDBType;
  readonly get: (vector: Vector) => Values;
}

const INTEGERS: Record<number, readonly [signed: DuckDBType, unsigned: DuckDBType]> = {
  8: [TINYINT, UTINYINT],
  16: [SMALLINT, USMALLINT],
  32: [INTEGER, UINTEGER],
  64: [BIGINT, UBIGINT],
};

/** @param coded whether the vectors hold places in a dictionary of that type */
function convert(type: DataType, coded = false): Column {
  const plain = (vector: Vector) => [...vector];
  const raw = (vector: Vector) => (coded || vector.nullCount > 0 ? plain(vector) : (vector.toArray() as Values));
  if (DataType.isBool(type)) return { type: BOOLEAN, get: plain };
  if (DataType.isInt(type)) return { type: INTEGERS[type.bitWidth][type.isSigned ? 0 : 1], get: raw };
  if (DataType.isFloat(type)) {
    return {
      type: type.precision === Precision.DOUBLE ? DOUBLE : FLOAT,
      get: type.precision === Precision.HALF ? plain : raw,
    };
  }
  if (DataType.isDictionary(type)) return convert(type.dictionary, true);
  if (DataType.isList(type) || DataType.isFixedSizeList(type)) {
    const [{ type: element }] = type.children;
    if (DataType.isInt(element) || DataType.isFloat(element)) {
      const get = (vector: Vector) => Array.from(vector, (list) => (list === null ? null : listValue([...list])));
      return { type: LIST(convert(element).type), get };
    }
  }
  const write = writeText(type);
  return { type: VARCHAR, get: (vector) => Array.from(vector, (value) => (value === null ? null : write(value))) };
}

/** Dates and nested values become text, which is not a feature unless the user asks. */
function writeText(type: DataType): (value: unknown) => string {
  if (DataType.isUtf8(type) || DataType.isLargeUtf8(type)) return String;
  if (DataType.isDate(type) || DataType.isTimestamp(type)) return writeDate;
  // With the name of the type before it, so that a time or a duration is not taken for a number.
  return (value) => `${type} ${value}`;
}

/** Years beyond those that a date can have stay numbers. */
function writeDate(value: unknown): string {
  const date = new Date(Number(value));
  return Number.isNaN(date.getTime()) ? `date ${value}` : date.toISOString();
}
