import { type FileHandle, open } from "node:fs/promises";
import type { Call } from "../command.js";
import { UserError } from "../errors.js";
import { bytes } from "../show/text.js";
import { removeTemporary, sweepLeftovers } from "../write/leftovers.js";
import { makePackFolder, packFolder, packPath } from "./cache-folder.js";
import { cacheKey } from "./cache-key.js";
import type { PackOptions } from "./pack.js";
import { describePack, type PackFile } from "./pack-file.js";
import { type Header, isSound, readHeader } from "./pack-header.js";
import { packInProcess } from "./pack-process.js";

export interface CachedPack extends PackFile {
  /** Null for a source that cannot be recognised in another run, such as standard input. */
  readonly key: string | null;
  /** Closes the pack, and removes one without a key. */
  release(): Promise<void>;
}

/** An open file stays readable, even if another process clears the cache. */
interface OpenPack {
  readonly file: FileHandle;
  readonly header: Header;
}

/** Opens the pack of a source; packs it first where there is none, its files have changed, or the pack is damaged. */
export async function openCachedPack(
  { terminal, signal }: Call,
  packing: Omit<PackOptions, "onNote">,
): Promise<CachedPack> {
  const { sources, options, scale, fit, source } = packing;
  const scaling =
    typeof scale === "object"
      ? JSON.stringify([scale.name, scale.state()])
      : JSON.stringify([scale ?? "auto", scale === undefined || scale === "auto" ? fit : null]);
  const key = await cacheKey(sources, options, scaling);
  const path = packPath(key);
  await sweepLeftovers(packFolder());
  const { file, header } = (await openOld()) ?? (await packAnew());
  const release = async () => {
    await file.close();
    if (key === null) await removeTemporary(path);
  };
  try {
    return { ...describePack(file, header), key, release };
  } catch (error) {
    await release();
    throw error;
  }

  async function openOld(): Promise<OpenPack | null> {
    const checking = terminal.progress("checking");
    const found = await openFile(path);
    let sound = false;
    try {
      sound =
        found !== null &&
        (await isSound(found.file, found.header, (done, total) => checking.update(done, total, "bytes"), signal));
      // The time of its last use, for bonmf cache list; a read-only cache has none.
      if (sound) await found?.file.utimes(new Date(), new Date()).catch(() => {});
    } finally {
      checking.end();
      if (!sound) await found?.file.close();
    }
    if (sound || found === null) return found;
    terminal.note("note: the packed samples on disk are damaged: packing them again");
    return null;
  }

  async function packAnew(): Promise<OpenPack> {
    await makePackFolder(path);
    const progress = terminal.progress("packing");
    const shown = new Set<string>();
    const onNote = (note: string) => {
      if (!shown.has(note) && shown.size < 10) terminal.note(`note: ${note}`);
      shown.add(note);
    };
    const onProgress = (done: number, total: number | null, unit: string) => progress.update(done, total, unit);
    try {
      await packInProcess(path, { ...packing, options: { ...options, onProgress }, onNote }, signal);
    } finally {
      progress.end();
    }
    const made = await openFile(path);
    if (made === null) throw new UserError("the packed samples were removed by another process", "run it again");
    const size = await made.file.stat().then(
      (found) => `, ${bytes(found.size)}`,
      () => "",
    );
    terminal.note(`note: ${source} was packed on disk${size}; bonmf cache clear removes it`);
    return made;
  }
}

/** Null where there is no pack, or an incomplete one. */
async function openFile(path: string): Promise<OpenPack | null> {
  const file = await open(path).catch(() => null);
  if (file === null) return null;
  const header = await readHeader(file).catch(() => null);
  if (header !== null) return { file, header };
  await file.close();
  return null;
}
