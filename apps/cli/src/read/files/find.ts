import { createReadStream, type Stats } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { askNearest } from "bonmf-data/nearest";
import { UserError } from "../../errors.js";
import type { ReadOptions } from "../data.js";
import { type File, guard } from "./bytes.js";
import { compare, expandGlob, isGlob } from "./glob.js";
import type { Scratch } from "./scratch.js";

/** A file of a folder the user named, whose names count from there. */
export interface FoundFile extends File {
  /** The path inside that folder; absent for a file that was named itself. */
  readonly inside?: string;
}

/** The files that paths, globs, folders and "-" stand for, in that order; within a glob or folder sorted. */
export async function findFiles(
  sources: readonly string[],
  options: ReadOptions,
  scratch: Scratch,
): Promise<FoundFile[]> {
  if (sources.length === 0)
    throw new UserError("there is no data to read", 'name a file, a folder, or "-" for standard input');
  if (sources.filter((source) => source === "-").length > 1)
    throw new UserError('"-" (standard input) can be read only once');
  const found: FoundFile[] = [];
  for (const source of sources) found.push(...(await find(source, options, scratch)));
  return found;
}

/** The folder each file lies in, as its class, where --label folder asks for it. */
export function readFolders(files: readonly FoundFile[], { label }: ReadOptions): string[] | null {
  if (label === undefined) return null;
  if (label === "folder") return files.map(({ path }) => basename(dirname(resolve(path))));
  throw new UserError(
    `--label ${label}: files have no columns, and their class can only be the folder they lie in`,
    "write --label folder",
  );
}

async function find(source: string, options: ReadOptions, scratch: Scratch): Promise<FoundFile[]> {
  if (source === "-") return [await scratch.keep(process.stdin, "standard input", options)];
  const stats = await look(source);
  if (stats?.isDirectory()) return listFolder(source);
  if (stats?.isFile()) return [{ path: source, name: source }];
  if (stats) return [await scratch.keep(createReadStream(source), source, options)];
  if (!isGlob(source)) throw await missing(source);
  const paths = await expandGlob(source);
  if (paths.length === 0) throw new UserError(`no file is called ${source}`);
  return paths.map((path) => ({ path, name: path }));
}

async function look(path: string): Promise<Stats | undefined> {
  return guard(path, async () => {
    try {
      return await stat(path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG") return undefined;
      throw error;
    }
  });
}

async function listFolder(folder: string): Promise<FoundFile[]> {
  const entries = await guard(folder, () => readdir(folder, { withFileTypes: true, recursive: true }));
  const members = entries
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, name: path, inside: relative(folder, path).replaceAll("\\", "/") }))
    .filter(({ inside }) => !inside.split("/").some((part) => part.startsWith(".")));
  if (members.length === 0) throw new UserError(`${folder} is a folder without files`);
  return members.sort((a, b) => compare(a.inside, b.inside));
}

async function missing(path: string): Promise<UserError> {
  if (/^[a-z][a-z0-9+]+:\/\//i.test(path)) {
    return new UserError(`${path} is an address, and nothing is fetched from the network`, "download it first");
  }
  const folder = dirname(path);
  const names = await readdir(folder).catch(() => []);
  return new UserError(`${path}: there is no such file`, askNearest(basename(path), names));
}
