import { chmod, mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolder } from "../datasets/find.js";
import { type DraftOptions, explain, writeWhole } from "../write/file.js";
import { temporaryName } from "../write/leftovers.js";

/** Holds packed samples, and checkpoints of fits from disk. */
export function packFolder(): string {
  return join(cacheFolder(), "packs");
}

const PACK = ".pack";
const CHECKPOINT = ".safetensors";

/** Samples are nobody else's to read, whatever the umask. */
export const PRIVATE: DraftOptions = {
  mode: 0o600,
  remedy: "set XDG_CACHE_HOME to a folder of your own, on a disk with free space",
};

/** @param key null for a pack that is of use to this process only */
export function packPath(key: string | null): string {
  return join(packFolder(), key === null ? temporaryName(PACK) : `${key}${PACK}`);
}

export async function writeCheckpoint(path: string, bytes: Uint8Array): Promise<void> {
  await makePackFolder(path);
  await writeWhole(path, bytes, PRIVATE);
}

/** @param path the file that is to be written there, for messages */
export async function makePackFolder(path: string): Promise<void> {
  const folder = packFolder();
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw explain(error, path, PRIVATE.remedy);
  }
  // An older version made it readable; somebody else's cannot be changed.
  await chmod(folder, 0o700).catch(() => {});
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
