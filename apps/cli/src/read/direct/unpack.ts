import * as zlib from "node:zlib";
import { decodeLz4 } from "../lz4.js";
import type { Machine } from "./machine.js";
import type { Codec } from "./order.js";

type Unpack = (bytes: Uint8Array, options: { maxOutputLength: number }) => Uint8Array;

// ZSTD is in Node from 22.15 on.
const { gunzipSync, brotliDecompressSync, zstdDecompressSync } = zlib as typeof zlib & { zstdDecompressSync?: Unpack };

const OTHERS: Partial<Record<string, Unpack>> = {
  GZIP: gunzipSync,
  BROTLI: brotliDecompressSync,
  LZ4_FRAME: (bytes) => decodeLz4(bytes),
  ...(zstdDecompressSync && { ZSTD: zstdDecompressSync }),
};

export function canUnpack(codec: string): codec is Codec {
  return codec === "UNCOMPRESSED" || codec === "SNAPPY" || OTHERS[codec] !== undefined;
}

/** Unpacks `length` bytes at `from` to the `size` bytes at `to`. */
export function unpack(
  { kernel, bytes }: Machine,
  codec: Codec,
  from: number,
  length: number,
  to: number,
  size: number,
): void {
  if (codec === "SNAPPY") {
    if (kernel.unpackSnappy(from, from + length, to, size) === 0) throw new Error("a page is damaged");
    return;
  }
  const packed = bytes.subarray(from, from + length);
  const plain = size === 0 ? packed : (OTHERS[codec]?.(packed, { maxOutputLength: size }) ?? packed);
  if (plain.length !== size) throw new Error("a page is damaged");
  bytes.set(plain, to);
}
