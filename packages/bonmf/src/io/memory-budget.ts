import { MemoryError } from "../errors.js";

/** What any file may take, and how many times its own size a larger one may. */
const LEAST = 2 ** 29;
const GROWTH = 256;

/**
 * Bytes that reading a file may take where nothing else is said. Files that people have grow less: a value takes a byte
 * or more in text, and a compressor seldom gains more than 1 : 50.
 */
export function allowBytes(fileBytes: number): number {
  return Math.max(LEAST, GROWTH * fileBytes);
}

/**
 * Refuses what a file claims before it is allocated.
 *
 * @param needed bytes
 * @param allowed bytes
 * @param what the file claims: "x.npy claims 5 × 7 values"
 */
export function requireMemory(needed: number, allowed: number, what: string): void {
  if (!(needed <= allowed)) throw new MemoryError(what, needed, allowed);
}
