import { randomBytes } from "node:crypto";
import { rm, stat, utimes } from "node:fs/promises";
import type { Call } from "../command.js";
import { bytes } from "../show/text.js";
import { packPath } from "./cache-folder.js";
import { cacheKey } from "./cache-key.js";
import type { PackOptions } from "./pack.js";
import { openPack, type PackFile } from "./pack-file.js";
import { type Header, isSound, readHeader } from "./pack-header.js";
import { packInProcess } from "./pack-process.js";

export interface CachedPack extends PackFile {
  /** Null for a source that cannot be recognised in another run, such as standard input. */
  readonly key: string | null;
  /** Removes a pack without a key. */
  release(): Promise<void>;
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
  const path = await packPath(key ?? randomBytes(12).toString("hex"));
  const checking = terminal.progress("checking");
  let header = await readHeader(path);
  if (header && !(await isSound(path, header, (done, total) => checking.update(done, total, "bytes"), signal))) {
    header = null;
    terminal.note("note: the packed samples on disk are damaged: packing them again");
  }
  checking.end();
  if (header) await utimes(path, new Date(), new Date());
  else header = await packAnew(path);
  const release = async () => (key === null ? rm(path, { force: true }) : undefined);
  return { ...(await openPack(path, header)), key, release };

  async function packAnew(path: string): Promise<Header> {
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
    const { size } = await stat(path);
    terminal.note(`note: ${source} was packed on disk, ${bytes(size)}; bonmf cache clear removes it`);
    return (await readHeader(path))!;
  }
}
