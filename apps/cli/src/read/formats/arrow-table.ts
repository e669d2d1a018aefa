import { open as openFile } from "node:fs/promises";
import * as zlib from "node:zlib";
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
import {
  CompressionType,
  compressionRegistry,
  DataType,
  Precision,
  type RecordBatch,
  RecordBatchReader,
  type Table,
  tableFromIPC,
  type Vector,
} from "apache-arrow";
import { UserError } from "../../errors.js";
import type { ReadOptions } from "../data.js";
import { CHUNK, type Values, writeParquet } from "../duckdb/write-parquet.js";
import { type File, readBytes } from "../files/bytes.js";
import { decodeLz4 } from "./lz4.js";

compressionRegistry.set(CompressionType.LZ4_FRAME, { decode: decodeLz4 });
// In Node from 22.15 on.
const { zstdDecompressSync } = zlib as { zstdDecompressSync?: (bytes: Uint8Array) => Buffer };
if (zstdDecompressSync) compressionRegistry.set(CompressionType.ZSTD, { decode: zstdDecompressSync });

/** Writes the table of an Arrow file (Feather 2, or a stream) as Parquet. */
export async function arrowToParquet(file: File, path: string, options: ReadOptions): Promise<void> {
  const table = await open(file, options);
  const columns = table.schema.fields.map((field, at) => ({ name: field.name, at, ...convert(field.type) }));
  const chunks = function* () {
    let done = 0;
    for (const batch of table.batches) {
      for (const chunk of cut(batch, columns)) {
        yield chunk;
        done += chunk[0].length;
        options.onProgress?.(done, table.numRows, "rows");
      }
    }
  };
  await writeParquet(path, file.name, columns, chunks(), options);
}

/** The same for some of its columns, with one batch of rows in memory at a time. */
export async function columnsToParquet(
  file: File,
  path: string,
  names: readonly string[],
  options: ReadOptions,
): Promise<void> {
  const handle = await openFile(file.path);
  try {
    const reader = await RecordBatchReader.from(handle);
    await reader.open();
    const columns = reader.schema.fields
      .map((field, at) => ({ name: field.name, at, ...convert(field.type) }))
      .filter(({ name }) => names.includes(name));
    const chunks = async function* () {
      for await (const batch of reader) yield* cut(batch, columns);
    };
    await writeParquet(path, file.name, columns, chunks(), options);
  } finally {
    await handle.close();
  }
}

function* cut(batch: RecordBatch, columns: readonly (Column & { readonly at: number })[]): Generator<Values[]> {
  for (let start = 0; start < batch.numRows; start += CHUNK) {
    const part = batch.slice(start, Math.min(start + CHUNK, batch.numRows));
    yield columns.map(({ at, get }) => get(part.getChildAt(at) as Vector));
  }
}

/** DuckDB's name of what a column becomes. */
export function nameType(type: DataType): string {
  return String(convert(type).type);
}

async function open(file: File, options: ReadOptions): Promise<Table> {
  const bytes = await readBytes(file, options);
  try {
    return tableFromIPC(bytes);
  } catch (error) {
    const { message } = error as Error;
    if (message.includes("codec not found")) {
      throw new UserError(
        `${file.name} is compressed with ZSTD, which needs Node 22.15 or newer`,
        'write it with compression="lz4" or "uncompressed", or as Parquet',
        { cause: error },
      );
    }
    throw new UserError(`${file.name} cannot be read as an Arrow file: it is cut short or damaged`, "write it again", {
      cause: error,
    });
  }
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
  if (DataType.isDate(type) || DataType.isTimestamp(type)) return (value) => new Date(Number(value)).toISOString();
  // With the name of the type before it, so that a time or a duration is not taken for a number.
  return (value) => `${type} ${value}`;
}
