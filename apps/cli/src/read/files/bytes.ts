import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { constants, createGunzip, gunzipSync } from "node:zlib";
import { requireMemory } from "bonmf/io";
import { UserError } from "../../errors.js";
import type { ReadOptions } from "../data.js";

/** A file on disk, and what its user calls it. */
export interface File {
  readonly path: string;
  readonly name: string;
  /** Where a line or row of it, from 1, stands in the file its user knows: "row 7". */
  readonly place?: (at: number) => string;
}

const HEAD = 65_536;
const PIECE = 16 * 2 ** 20;

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** How a file begins: some ten thousand bytes of its content, unpacked where it is gzipped. */
export async function readHead({ path, name }: File): Promise<{ bytes: Uint8Array; gzip: boolean }> {
  const head = new Uint8Array(HEAD);
  const length = await guard(name, async () => {
    const file = await open(path);
    try {
      return (await file.read(head, 0, HEAD, 0)).bytesRead;
    } finally {
      await file.close();
    }
  });
  const bytes = head.subarray(0, length);
  if (!isGzip(bytes)) return { bytes, gzip: false };
  try {
    // Flushing tells the decoder that more may come, so the end of this piece is no error.
    const unpacked = gunzipSync(bytes.subarray(0, HEAD / 4), { finishFlush: constants.Z_SYNC_FLUSH });
    return { bytes: unpacked.subarray(0, HEAD), gzip: true };
  } catch (error) {
    throw describe(error, name);
  }
}

/** The whole content, unpacked where it is gzipped. */
export async function readBytes(file: File, options: ReadOptions): Promise<Uint8Array> {
  const { path, name } = file;
  const { signal, onProgress, budget = Number.POSITIVE_INFINITY } = options;
  return guard(
    name,
    async () => {
      const handle = await open(path);
      try {
        const { size } = await handle.stat();
        requireMemory(size, budget, `${name} has ${size} bytes`);
        const bytes = new Uint8Array(size);
        let done = 0;
        while (done < size) {
          signal?.throwIfAborted();
          const { bytesRead } = await handle.read(bytes, done, Math.min(PIECE, size - done), done);
          if (bytesRead === 0) throw new UserError(`${name} became shorter while it was read`);
          done += bytesRead;
          onProgress?.(done, size, "bytes");
          if (isGzip(bytes)) return await concat(readChunks(file, options), name, budget);
        }
        return bytes;
      } finally {
        await handle.close();
      }
    },
    signal,
  );
}

/** The content in pieces as they come, unpacked where the file is gzipped. */
export async function* readChunks({ path, name }: File, options: ReadOptions): AsyncGenerator<Uint8Array> {
  const { signal, onProgress } = options;
  const { gzip } = await readHead({ path, name });
  const packed = createReadStream(path, { highWaterMark: 2 ** 20 });
  const content = gzip ? packed.pipe(createGunzip({ chunkSize: 2 ** 20 })) : packed;
  // pipe() does not pass errors on.
  packed.on("error", (error) => content.destroy(error));
  try {
    for await (const chunk of content) {
      signal?.throwIfAborted();
      onProgress?.(packed.bytesRead, null, "bytes");
      yield chunk as Uint8Array;
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw describe(error, name);
  } finally {
    packed.destroy();
    content.destroy();
  }
}

/** Decompresses gzipped files to their ends: DuckDB does not notice when one is cut short. */
export async function checkGzip(files: readonly File[], signal: AbortSignal | undefined): Promise<void> {
  for (const file of files) {
    if ((await readHead(file)).gzip) for await (const _ of readChunks(file, { signal }));
  }
}

async function concat(chunks: AsyncIterable<Uint8Array>, name: string, budget: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    length += chunk.length;
    // The pieces and the whole.
    requireMemory(2 * length, budget, `${name} unpacks to ${length} bytes or more`);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Runs what touches a file and turns the system's errors into ours. */
export async function guard<T>(name: string, run: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await run();
  } catch (error) {
    signal?.throwIfAborted();
    throw describe(error, name);
  }
}

function describe(error: unknown, name: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const cause = { cause: error };
  if (code === "ENOENT") return new UserError(`${name}: there is no such file`, undefined, cause);
  if (code === "EACCES" || code === "EPERM") return new UserError(`${name} may not be read: permission denied`);
  if (code === "EISDIR") return new UserError(`${name} is a folder`);
  if (code === "Z_BUF_ERROR") {
    return new UserError(`${name}: the gzip file ends too early: it is cut short`, "download or copy it again", cause);
  }
  if (code?.startsWith("Z_")) {
    return new UserError(`${name}: the gzip file is damaged`, "download or copy it again", cause);
  }
  return error;
}
