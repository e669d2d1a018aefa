import { createHash } from "node:crypto";
import type { ReadOptions } from "../read/data.js";
import { type FoundFile, stampFiles } from "../read/files/sources.js";

/** Increased with every change of the pack format, or of what becomes of a table. */
export const VERSION = 2;

/**
 * The key of packed samples: the files with sizes and times, how they are read, how they are scaled. Null for a source
 * that cannot be recognised in another run: a pipe, or a query that names no file.
 */
export async function cacheKey(
  sources: readonly FoundFile[],
  { signal: _, onProgress: __, memory: ___, ...options }: ReadOptions,
  scaling: string,
): Promise<string | null> {
  const files = await stampFiles(sources, options.sql);
  return files && digest({ VERSION, sources: sources.length, files, options, scaling });
}

export function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 24);
}
