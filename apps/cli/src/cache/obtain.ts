import { randomBytes } from "node:crypto";
import { rm, stat, utimes } from "node:fs/promises";
import type { Call } from "../command.js";
import { bytes } from "../show/numbers.js";
import { packApart } from "./apart.js";
import { packPath } from "./folder.js";
import { type Header, isSound, readHeader } from "./header.js";
import { keyOf } from "./key.js";
import { type Opened, openPack } from "./opened.js";
import type { Packing } from "./pack.js";

export interface Obtained extends Opened {
  /** What names the pack; null where the next run cannot know that it is the same. */
  readonly key: string | null;
  /** Removes a pack that nobody could use again. */
  release(): Promise<void>;
}

/** The samples as a pack: the one that is there, if the source is still the same and it is sound, else a new one. */
export async function obtain({ terminal, signal }: Call, packing: Omit<Packing, "onNote">): Promise<Obtained> {
  const { sources, options, scale, source } = packing;
  const scaling = typeof scale === "object" ? JSON.stringify([scale.name, scale.state()]) : String(scale);
  const key = await keyOf(sources, options, scaling);
  const path = await packPath(key ?? randomBytes(12).toString("hex"));
  const checking = terminal.progress("checking");
  let header = await readHeader(path);
  if (header && !(await isSound(path, header, (done, total) => checking.update(done, total, "bytes"), signal))) {
    header = null;
    terminal.note("note: the packed samples on disk are damaged: they are packed again");
  }
  checking.end();
  if (header) await utimes(path, new Date(), new Date());
  else header = await packAnew(path);
  const release = async () => (key === null ? rm(path, { force: true }) : undefined);
  return { ...(await openPack(path, header)), key, release };

  async function packAnew(path: string): Promise<Header> {
    const progress = terminal.progress("packing");
    const told = new Set<string>();
    const onNote = (note: string) => {
      if (!told.has(note) && told.size < 10) terminal.note(`note: ${note}`);
      told.add(note);
    };
    const onProgress = (done: number, total: number | null, unit: string) => progress.update(done, total, unit);
    try {
      await packApart(path, { ...packing, options: { ...options, onProgress }, onNote }, signal);
    } finally {
      progress.end();
    }
    const { size } = await stat(path);
    terminal.note(`note: ${source} was packed on disk, ${bytes(size)}; bonmf cache clear removes it`);
    return (await readHeader(path))!;
  }
}
