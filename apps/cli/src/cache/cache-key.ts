import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { ReadOptions } from "../read/data.js";
import { isGlob } from "../read/files/glob.js";
import { Scratch } from "../read/files/scratch.js";
import { findFiles } from "../read/files/sources.js";

/** Increased with every change of the pack format. */
export const VERSION = 1;

/**
 * The key of packed samples: the files with sizes and times, how they are read, how they are scaled. Null for a source
 * that cannot be recognised in another run: a pipe, or a query that names no file.
 */
export async function cacheKey(
  sources: readonly string[],
  { signal: _, onProgress: __, memory: ___, ...options }: ReadOptions,
  scaling: string,
): Promise<string | null> {
  const files = await listFiles(sources, options.sql);
  return files && digest({ VERSION, sources: sources.length, files, options, scaling });
}

/** A file's path, size and modification time. */
export type FileStamp = readonly [path: string, size: number, time: number];

/** All files that will be read; null where a source is not a file, or a query names none. */
export async function listFiles(sources: readonly string[], sql: string | undefined): Promise<FileStamp[] | null> {
  const named = [...sources, ...(await filesInQuery(sql))];
  const found = await Promise.all(named.map(filesOf));
  return named.length === 0 || found.includes(null) ? null : found.flatMap((files) => files ?? []);
}

export function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 24);
}

async function filesOf(source: string): Promise<FileStamp[] | null> {
  const found = await stat(source).catch(() => null);
  if (source === "-" || (found && !found.isFile() && !found.isDirectory())) return null;
  const paths = found?.isFile() ? [source] : (await findFiles([source], {}, new Scratch())).map(({ path }) => path);
  return Promise.all(
    paths.map(async (path) => {
      const { size, mtimeMs } = await stat(path);
      return [resolve(path), size, mtimeMs] as const;
    }),
  );
}

/** Quoted strings of a query that are names of files. */
async function filesInQuery(sql: string | undefined): Promise<string[]> {
  const found: string[] = [];
  for (const [, text] of (sql ?? "").matchAll(/['"]([^'"]+)['"]/g)) {
    const files = isGlob(text) ? await filesOf(text).catch(() => null) : await stat(text).catch(() => null);
    if (files !== null) found.push(text);
  }
  return found;
}
