import * as zlib from "node:zlib";
import { BIGINT, BOOLEAN, DOUBLE, type DuckDBType, type DuckDBValue, FLOAT, UBIGINT, VARCHAR } from "@duckdb/node-api";
import { CompressionType, compressionRegistry, DataType, type Table, tableFromIPC, type Vector } from "apache-arrow";
import { UserError } from "../errors.js";
import { type File, readBytes } from "./bytes.js";
import type { ReadOptions } from "./data.js";
import { decodeLz4 } from "./lz4.js";
import { CHUNK, writeParquet } from "./parquet.js";

compressionRegistry.set(CompressionType.LZ4_FRAME, { decode: decodeLz4 });
// In Node from 22.15 on.
const { zstdDecompressSync } = zlib as { zstdDecompressSync?: (bytes: Uint8Array) => Buffer };
if (zstdDecompressSync) compressionRegistry.set(CompressionType.ZSTD, { decode: zstdDecompressSync });

/** Writes the table of an Arrow file (Feather 2, or a stream) as Parquet. */
export async function arrowToParquet(file: File, path: string, options: ReadOptions): Promise<void> {
  const table = await open(file, options);
  const columns = table.schema.fields.map(({ name, type }) => ({ name, ...convert(type) }));
  const chunks = function* () {
    let done = 0;
    for (const batch of table.batches) {
      for (let start = 0; start < batch.numRows; start += CHUNK) {
        const part = batch.slice(start, Math.min(start + CHUNK, batch.numRows));
        yield columns.map(({ get }, c) => get(part.getChildAt(c) as Vector));
        done += part.numRows;
        options.onProgress?.(done, table.numRows, "rows");
      }
    }
  };
  await writeParquet(path, file.name, columns, chunks(), options);
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
  readonly get: (vector: Vector) => DuckDBValue[];
}

function convert(type: DataType): Column {
  const plain = (vector: Vector) => [...vector];
  if (DataType.isBool(type)) return { type: BOOLEAN, get: plain };
  if (DataType.isInt(type)) {
    if (type.bitWidth === 64) return { type: type.isSigned ? BIGINT : UBIGINT, get: plain };
    return { type: BIGINT, get: (vector) => Array.from(vector, (value) => (value === null ? null : BigInt(value))) };
  }
  if (DataType.isFloat(type)) return { type: type.precision === 2 ? DOUBLE : FLOAT, get: plain };
  if (DataType.isDictionary(type)) return convert(type.dictionary);
  const write = writeText(type);
  return { type: VARCHAR, get: (vector) => Array.from(vector, (value) => (value === null ? null : write(value))) };
}

/** Dates and whatever is nested become text, which is no feature unless the user asks. */
function writeText(type: DataType): (value: unknown) => string {
  if (DataType.isUtf8(type) || DataType.isLargeUtf8(type)) return String;
  if (DataType.isDate(type) || DataType.isTimestamp(type)) return (value) => new Date(Number(value)).toISOString();
  // With the name of the type before it, so that a time or a duration is not taken for a number.
  return (value) => `${type} ${value}`;
}
