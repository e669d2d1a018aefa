import { open } from "node:fs/promises";
import { type File, guard, readHead } from "./bytes.js";

const PIECE = 65_536;
const LF = 10;

/** About how many lines files have, from the length of some; null where one cannot be looked into. */
export async function estimateRows(files: readonly File[]): Promise<number | null> {
  let rows = 0;
  for (const file of files) {
    const count = await estimate(file);
    if (count === null) return null;
    rows += count;
  }
  return rows;
}

async function estimate(file: File): Promise<number | null> {
  if (/\.zst$/i.test(file.path)) return null;
  const { bytes, gzip } = await readHead(file);
  const handle = await guard(file.name, () => open(file.path));
  try {
    const { size } = await handle.stat();
    const piece = Buffer.alloc(PIECE);
    if (gzip) {
      // Gzip ends in the length of its content, in 32 bits.
      await handle.read(piece, 0, 4, Math.max(0, size - 4));
      let length = piece.readUInt32LE(0);
      while (length < size) length += 2 ** 32;
      // No gzip is denser: the file is cut short, which reading will say.
      if (length > size * 1100) length = size * 4;
      return Math.ceil((length / bytes.length) * countLines(bytes)) + 1;
    }
    if (size <= bytes.length) return countLines(bytes) + 1;
    let lines = countLines(bytes);
    let seen = bytes.length;
    for (const share of [0.25, 0.5, 0.75, 1]) {
      const { bytesRead } = await handle.read(piece, 0, PIECE, Math.floor((size - PIECE) * share));
      lines += countLines(piece.subarray(0, bytesRead));
      seen += bytesRead;
    }
    return Math.ceil((size / seen) * lines) + 1;
  } finally {
    await handle.close();
  }
}

function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) lines++;
  return lines;
}
