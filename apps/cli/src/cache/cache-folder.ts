import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolder } from "../datasets/find.js";

/** Holds packed samples, and checkpoints of fits from disk. */
export function packFolder(): string {
  return join(cacheFolder(), "packs");
}

const PACK = ".pack";
const CHECKPOINT = ".safetensors";

export async function packPath(key: string): Promise<string> {
  const folder = packFolder();
  await mkdir(folder, { recursive: true });
  return join(folder, `${key}${PACK}`);
}

/** @param fit the digest of the fit's options */
export function checkpointPath(key: string, fit: string): string {
  return join(packFolder(), `${key}-${fit}${CHECKPOINT}`);
}

export interface CacheFile {
  readonly path: string;
  readonly what: "pack" | "checkpoint" | "rest";
  readonly bytes: number;
  readonly used: Date;
}

/** Lists all files, oldest first; `rest` is what a killed process left unfinished. */
export async function listCacheFiles(): Promise<CacheFile[]> {
  const folder = packFolder();
  const files: CacheFile[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (!found?.isFile()) continue;
    const what = name.endsWith(PACK) ? "pack" : name.endsWith(CHECKPOINT) ? "checkpoint" : "rest";
    files.push({ path, what, bytes: found.size, used: found.mtime });
  }
  return files.sort((a, b) => a.used.getTime() - b.used.getTime());
}

export async function clearCacheFiles(): Promise<void> {
  await rm(packFolder(), { recursive: true, force: true });
}
