import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import type { ReadOptions } from "../read/data.js";
import { type FoundFile, stampFiles } from "../read/files/sources.js";

/** Increased with every change of the pack format, or of what becomes of a table. */
export const VERSION = 3;

/** Whether what is packed depends on an option of reading. A new option does not compile before that is said here. */
const DECISIVE: { readonly [Name in keyof ReadOptions]-?: boolean } = {
  label: true,
  noLabel: true,
  id: true,
  weight: true,
  features: true,
  exclude: true,
  oneHot: true,
  numbers: true,
  missing: true,
  strict: true,
  text: true,
  documents: true,
  words: true,
  budget: true,
  like: true,
  kind: true,
  sql: true,
  declared: true,
  spool: true,
  member: true,
  table: true,
  width: true,
  sheet: true,
  size: true,
  glance: true,
  threads: false,
  maxBytes: false,
  memory: false,
  signal: false,
  onProgress: false,
};

/**
 * The key of packed samples: the files with sizes, times and a sample of their bytes, how they are read, how they are
 * scaled. Null for a source that cannot be recognised in another run: a pipe, or a query that names no file.
 */
export async function cacheKey(
  sources: readonly FoundFile[],
  given: ReadOptions,
  scaling: string,
): Promise<string | null> {
  const files = await stampFiles(sources, given.sql);
  if (files === null) return null;
  const options = Object.fromEntries(
    Object.entries(given).filter(([name]) => Object.hasOwn(DECISIVE, name) && DECISIVE[name as keyof ReadOptions]),
  );
  const step = Math.ceil(files.length / MOST_FILES);
  const content = files.filter((_, i) => i % step === 0).map(([path, size]) => sampleBytes(path, size));
  return digest({ VERSION, sources: sources.length, files, content, options, scaling });
}

/** Bytes at the start, at the end and in between, so that a key takes milliseconds whatever the size of the files. */
const PIECE = 4096;
const PIECES = 64;
const MOST_FILES = 1000;

/** Times can be set back, and some file systems count them in seconds: then only the bytes tell of a change. */
function sampleBytes(path: string, size: number): string {
  const hash = createHash("sha256");
  const piece = Buffer.alloc(PIECE);
  const file = openSync(path, "r");
  try {
    const last = Math.max(0, size - PIECE);
    const count = Math.min(PIECES, Math.ceil(size / PIECE));
    for (let p = 0; p < count; p++) {
      const at = count === 1 ? 0 : Math.floor((p * last) / (count - 1));
      hash.update(piece.subarray(0, readSync(file, piece, 0, PIECE, at)));
    }
    return hash.digest("hex");
  } finally {
    closeSync(file);
  }
}

export function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 24);
}
