import type { FileHandle } from "node:fs/promises";
import { crc32 } from "node:zlib";
import type { ScaleName, Scaler } from "bonmf";
import { restoreScaler } from "bonmf/engine";
import type { Kind, Recipe } from "../read/data.js";
import type { Column } from "../write/table.js";
import { VERSION } from "./cache-key.js";

/** The description of a pack, at the end of its file. */
export interface Header {
  readonly version: number;
  /** The name of the source, for messages. */
  readonly source: string;
  readonly kind: Kind;
  readonly recipe: Recipe;
  readonly names: readonly string[] | null;
  readonly samples: number;
  /** After the scaler. */
  readonly features: number;
  readonly layout: "dense" | "sparse";
  readonly part: number;
  readonly starts: readonly number[];
  readonly scaler: StoredScaler;
  /** Why --scale auto chose it. */
  readonly scaleReason?: string | undefined;
  /** The offset of n 64-bit numbers; null where samples have no weights. */
  readonly weights: number | null;
  /** The offset of n 32-bit indices into `classes`. */
  readonly labels: { readonly at: number; readonly classes: readonly (string | number)[] } | null;
  /** Lines of JSON, each a list of ids. */
  readonly ids: { readonly at: number; readonly bytes: number; readonly type: Column["type"] } | null;
  /** One for each BLOCK of bytes before the header. */
  readonly checksums: readonly number[];
}

interface StoredScaler {
  readonly name: ScaleName;
  readonly features: number;
  readonly state: Readonly<Record<string, string>>;
}

export const MAGIC = Buffer.from("BONMFPAK");
export const BLOCK = 2 ** 22;
/** Bytes at the end: length of the header, its checksum, MAGIC. */
const TAIL = 16;

export function writeHeader(header: Header): Buffer {
  const text = Buffer.from(JSON.stringify(header));
  const tail = Buffer.alloc(TAIL);
  tail.writeUInt32LE(text.length, 0);
  tail.writeUInt32LE(crc32(text), 4);
  MAGIC.copy(tail, 8);
  return Buffer.concat([text, tail]);
}

/** Returns null where the file is incomplete or of another version. */
export async function readHeader(file: FileHandle): Promise<Header | null> {
  const { size } = await file.stat();
  const tail = await readAt(file, size - TAIL, TAIL);
  if (tail === null || !tail.subarray(8).equals(MAGIC)) return null;
  const length = tail.readUInt32LE(0);
  const text = await readAt(file, size - TAIL - length, length);
  if (text === null || crc32(text) !== tail.readUInt32LE(4)) return null;
  const header = JSON.parse(text.toString()) as Header;
  return header.version === VERSION ? header : null;
}

async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer | null> {
  if (at < 0) return null;
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, at);
  return bytesRead === length ? buffer : null;
}

/** Compares all blocks with their checksums. */
export async function isSound(
  file: FileHandle,
  { checksums }: Header,
  onProgress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const block = Buffer.alloc(BLOCK);
  const { size } = await file.stat();
  for (const [b, checksum] of checksums.entries()) {
    signal.throwIfAborted();
    const at = b * BLOCK;
    const { bytesRead } = await file.read(block, 0, BLOCK, at);
    onProgress(at + bytesRead, size);
    // The header follows in the last block.
    const own = b < checksums.length - 1 ? bytesRead : Math.min(bytesRead, (await headerStart(file, size)) - at);
    if (crc32(block.subarray(0, own)) !== checksum) return false;
  }
  return true;
}

async function headerStart(file: FileHandle, size: number): Promise<number> {
  const tail = await readAt(file, size - TAIL, TAIL);
  return size - TAIL - (tail?.readUInt32LE(0) ?? 0);
}

export function storeScaler(scaler: Scaler): StoredScaler {
  const state = Object.entries(scaler.state()).map(([name, { buffer, byteOffset, byteLength }]) => [
    name,
    Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength).toString("base64"),
  ]);
  return { name: scaler.name, features: scaler.features, state: Object.fromEntries(state) };
}

export function loadScaler({ name, features, state }: StoredScaler): Scaler {
  const arrays = Object.entries(state).map(([key, text]) => {
    const bytes = Uint8Array.from(Buffer.from(text, "base64"));
    return [key, new Float64Array(bytes.buffer)];
  });
  return restoreScaler(name, features, Object.fromEntries(arrays));
}
