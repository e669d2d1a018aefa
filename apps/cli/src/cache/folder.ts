import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolder } from "../datasets/find.js";

/** Where samples are packed, and where fits that go on after a kill are kept. */
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

/** @param fit what is being done with the packed samples, in short */
export function checkpointPath(key: string, fit: string): string {
  return join(packFolder(), `${key}-${fit}${CHECKPOINT}`);
}

export interface Kept {
  readonly path: string;
  readonly what: "pack" | "checkpoint" | "rest";
  readonly bytes: number;
  readonly used: Date;
}

/** All that is there, oldest first; what a killed program left half-written is the rest. */
export async function listKept(): Promise<Kept[]> {
  const folder = packFolder();
  const kept: Kept[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (!found?.isFile()) continue;
    const what = name.endsWith(PACK) ? "pack" : name.endsWith(CHECKPOINT) ? "checkpoint" : "rest";
    kept.push({ path, what, bytes: found.size, used: found.mtime });
  }
  return kept.sort((a, b) => a.used.getTime() - b.used.getTime());
}

export async function clearKept(): Promise<void> {
  await rm(packFolder(), { recursive: true, force: true });
}
