import { type FileHandle, open } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { type ColumnMetaData, parquetMetadataAsync } from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
import { UserError } from "../../../errors.js";
import type { File } from "../../files/bytes.js";

/** Bytes in which the header of a page ends. */
const HEADER = 65_536;

/**
 * Refuses a Parquet file with a page that its checksum does not fit; DuckDB does not look at them. A file that has none, or
 * that cannot be followed from page to page, is left to DuckDB.
 */
export async function checkSums(files: readonly File[], signal: AbortSignal | undefined): Promise<void> {
  for (const { path, name } of files) {
    const handle = await open(path);
    try {
      const column = await findWrong(handle, signal);
      if (column === undefined) continue;
      throw new UserError(
        `${name} is damaged: the checksum of a page of column ${JSON.stringify(column)} does not fit`,
        "write or download it again",
      );
    } finally {
      await handle.close();
    }
  }
}

/** The column of the first page that is not what its checksum says. */
async function findWrong(handle: FileHandle, signal: AbortSignal | undefined): Promise<string | undefined> {
  const { size } = await handle.stat();
  const slice = async (start: number, end = size) => (await read(handle, start, end - start)).buffer;
  const metadata = await parquetMetadataAsync({ byteLength: size, slice }, { geoparquet: false }).catch(() => null);
  for (const { columns } of metadata?.row_groups ?? []) {
    for (const { meta_data: chunk } of columns) {
      signal?.throwIfAborted();
      if (!chunk) continue;
      const found = await checkChunk(handle, size, chunk).catch(() => "unknown");
      if (found === "wrong") return chunk.path_in_schema.join(".");
      // Writers add checksums to all pages or to none.
      if (found === "none") return undefined;
    }
  }
}

async function checkChunk(handle: FileHandle, most: number, chunk: ColumnMetaData): Promise<"fine" | "wrong" | "none"> {
  const { data_page_offset, dictionary_page_offset, total_compressed_size } = chunk;
  const start = Math.min(Number(data_page_offset), Number(dictionary_page_offset || data_page_offset));
  const end = Math.min(most, start + Number(total_compressed_size));
  for (let at = start; at < end; ) {
    const reader = { view: new DataView((await read(handle, at, Math.min(HEADER, end - at))).buffer), offset: 0 };
    const { crc, compressed_page_size: size } = parquetHeader(reader);
    if (crc === undefined) return "none";
    at += reader.offset;
    if (!(size >= 0 && at + size <= end)) return "none";
    if (crc32(await read(handle, at, size)) !== crc >>> 0) return "wrong";
    at += size;
  }
  return "fine";
}

async function read(handle: FileHandle, at: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length);
  const { bytesRead } = await handle.read(bytes, 0, length, at);
  if (bytesRead < length) throw new Error("the file ends early");
  return bytes;
}
