import { open as openFile } from "node:fs/promises";
import * as zlib from "node:zlib";
import { CompressionType, compressionRegistry, type RecordBatch, RecordBatchReader, type Schema } from "apache-arrow";
import { type ByteSource, checkArrow, DENSEST } from "bonmf/io";
import { UserError } from "../../errors.js";
import type { ReadOptions } from "../data.js";
import { readFully } from "../direct/file-bytes.js";
import { type File, guard, isGzip, readBytes } from "../files/bytes.js";
import { checkValues } from "./arrow-values.js";
import { decodeLz4 } from "./lz4.js";

compressionRegistry.set(CompressionType.LZ4_FRAME, { decode: decodeLz4 });
// In Node from 22.15 on.
const { zstdDecompressSync } = zlib as { zstdDecompressSync?: typeof zlib.inflateSync };
if (zstdDecompressSync) {
  const decode = (bytes: Uint8Array) => zstdDecompressSync(bytes, { maxOutputLength: DENSEST.ZSTD * bytes.length });
  compressionRegistry.set(CompressionType.ZSTD, { decode });
}

/** An Arrow file (Feather 2, or a stream) while it is read. */
export interface ArrowFile {
  readonly schema: Schema;
  readonly rows: number;
  /** One is in memory at a time. */
  readonly batches: AsyncIterable<RecordBatch>;
}

/** Opens an Arrow file and closes it after use. Its metadata are checked first, and the values of each batch as it comes. */
export async function useArrow<T>(file: File, options: ReadOptions, use: (arrow: ArrowFile) => Promise<T>): Promise<T> {
  const handle = await guard(file.name, () => openFile(file.path));
  try {
    const { size } = await handle.stat();
    const plain = (at: number, length: number) => {
      const bytes = new Uint8Array(length);
      readFully(handle.fd, bytes, at);
      return bytes;
    };
    const bytes = isGzip(plain(0, Math.min(2, size))) ? await readBytes(file, options) : undefined;
    const source: ByteSource = bytes
      ? { size: bytes.length, read: (at, length) => bytes.subarray(at, at + length) }
      : { size, read: plain };
    const rows = refuseDamaged(file, () => checkArrow(source));
    const reader = await catchDamage(file, async () =>
      (await (bytes ? RecordBatchReader.from(bytes) : RecordBatchReader.from(handle))).open(),
    );
    return await use({ schema: reader.schema, rows, batches: readChecked(file, reader) });
  } finally {
    await handle.close();
  }
}

async function* readChecked(
  file: File,
  batches: AsyncIterable<RecordBatch> | Iterable<RecordBatch>,
): AsyncGenerator<RecordBatch> {
  const iterator = Symbol.asyncIterator in batches ? batches[Symbol.asyncIterator]() : batches[Symbol.iterator]();
  for (;;) {
    const { done, value } = await catchDamage(file, async () => iterator.next());
    if (done) return;
    refuseDamaged(file, () => checkValues(value));
    yield value;
  }
}

/** What the package stumbles over is damage of the file. */
export function refuseDamaged<T>(file: File, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw describeDamage(file, error);
  }
}

async function catchDamage<T>(file: File, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw describeDamage(file, error);
  }
}

function describeDamage(file: File, error: unknown): unknown {
  if (error instanceof UserError || !(error instanceof Error)) return error;
  if (error.message.includes("codec not found")) {
    return new UserError(
      `${file.name} is compressed with ZSTD, which needs Node 22.15 or newer`,
      'write it with compression="lz4" or "uncompressed", or as Parquet',
      { cause: error },
    );
  }
  const message = `${file.name} cannot be read as an Arrow file: it is cut short or damaged`;
  return new UserError(message, "write it again", { cause: error });
}
