import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { requireMemory } from "bonmf/io";
import { chooseMembers, isArchive, listEntries } from "bonmf-data";
import { UserError } from "../../errors.js";
import type { ReadOptions } from "../data.js";
import { type File, readBytes, readHead } from "./bytes.js";
import { placeMembers } from "./member-paths.js";
import type { Scratch } from "./scratch.js";
import type { FoundFile } from "./sources.js";
import { zlib } from "./zip.js";

/** Unpacks zip archives: their files stand for them, as those of a folder do. */
export async function openArchives(
  files: readonly FoundFile[],
  options: ReadOptions,
  scratch: Scratch,
): Promise<{ files: FoundFile[]; notes: string[] }> {
  const opened: FoundFile[] = [];
  const notes: string[] = [];
  let any = false;
  for (const file of files) {
    // Not every picture of a folder is looked into.
    const zipped = /\.zip$/i.test(file.name) || file.inside === undefined;
    if (!zipped || !(await isZip(file))) {
      opened.push(file);
      continue;
    }
    const members = await unpack(file, options, scratch);
    opened.push(...members.files);
    notes.push(...members.notes);
    any = true;
  }
  if (options.member !== undefined && !any) {
    throw new UserError(`--member is for zip archives, but ${files[0].name} is none`, "omit --member");
  }
  return { files: opened, notes };
}

async function isZip(file: File): Promise<boolean> {
  const { bytes, gzip } = await readHead(file);
  return !gzip && isArchive({ name: file.name, bytes });
}

async function unpack(archive: FoundFile, options: ReadOptions, scratch: Scratch) {
  const { name } = archive;
  const { budget = Number.POSITIVE_INFINITY } = options;
  const entries = new Map(
    listEntries(await readBytes(archive, options), name, zlib, budget).map((entry) => [entry.name, entry]),
  );
  const { paths, notes } = chooseMembers([...entries.keys()], name, options.member);
  const total = paths.reduce((sum, path) => sum + (entries.get(path)?.size ?? 0), 0);
  // Folders for temporary files are often in memory.
  requireMemory(total, budget, `${name} unpacks to ${total} bytes`);
  const folder = await scratch.place();
  // Files at the top of the archive lie in a folder of its name, which may be their class.
  const top = basename(name).replace(/\.zip$/i, "");
  const places = placeMembers(paths.map((inside) => `${top}/${inside}`));
  const files: FoundFile[] = [];
  for (const [i, inside] of paths.entries()) {
    options.signal?.throwIfAborted();
    const path = join(folder, places[i]);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, (await entries.get(inside)?.read()) ?? "");
    // A file alone is read as if it had been named: a text has a document a line.
    files.push({ path, name: `${name}/${inside}`, archived: true, ...(paths.length > 1 && { inside }) });
    options.onProgress?.(files.length, paths.length, "files");
  }
  return { files, notes };
}
