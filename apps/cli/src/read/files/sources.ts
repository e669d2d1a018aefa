import { createReadStream, type Stats } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { type Declared, detectKind, isPage, isPicture, isProse } from "bonmf-data";
import { askNearest } from "bonmf-data/nearest";
import { UserError } from "../../errors.js";
import type { Kind, ReadOptions } from "../data.js";
import { type File, guard, readHead } from "./bytes.js";
import { compare, expandGlob, isGlob } from "./glob.js";
import type { Scratch } from "./scratch.js";

/** A file that was found for what the user named. */
export interface FoundFile extends File {
  /** The path inside a folder that the user named; absent for a file that was named itself. */
  readonly inside?: string;
  /** Whether it comes from a zip archive. */
  readonly archived?: true;
  /** Standard input or a pipe, which can be read only once. */
  readonly stream?: true;
  /** In bytes, of a file that was named itself. */
  readonly size?: number;
}

/** A path, a glob, a folder or "-" for standard input; or a file that was already found. */
export type Named = string | FoundFile;

/** The files that names stand for, in that order; within a glob or folder sorted. */
export async function findFiles(names: readonly Named[]): Promise<FoundFile[]> {
  if (names.length === 0)
    throw new UserError("there is no data to read", 'name a file, a folder, or "-" for standard input');
  if (names.filter((name) => name === "-").length > 1)
    throw new UserError('"-" (standard input) can be read only once');
  const found: FoundFile[] = [];
  for (const name of names) found.push(...(typeof name === "string" ? await find(name) : [name]));
  return found;
}

/** Copies streams into files, so that their kind can be seen before they are read. */
export async function keepStreams(
  files: readonly FoundFile[],
  options: ReadOptions,
  scratch: Scratch,
): Promise<FoundFile[]> {
  const kept: FoundFile[] = [];
  for (const file of files) {
    const { path, name, stream } = file;
    const open = () => (path === "-" ? process.stdin : createReadStream(path));
    kept.push(stream ? await scratch.keep(open(), name, options) : file);
  }
  return kept;
}

/** A file's path and size, the times of its last modification and change, and its number on its disk. */
type FileStamp = readonly [path: string, size: number, mtime: number, ctime: number, inode: number];

/** All files that will be read, and those that a query names; null where one is a stream, or there is none. */
export async function stampFiles(files: readonly FoundFile[], sql: string | undefined): Promise<FileStamp[] | null> {
  const all = [...files, ...(await filesInQuery(sql))];
  if (all.length === 0 || all.some(({ stream }) => stream)) return null;
  return Promise.all(
    all.map(async ({ path }) => {
      const { size, mtimeMs, ctimeMs, ino } = await stat(path);
      return [resolve(path), size, mtimeMs, ctimeMs, ino] as const;
    }),
  );
}

/** The files that quoted strings of a query name. */
async function filesInQuery(sql = ""): Promise<FoundFile[]> {
  const texts = Array.from(sql.matchAll(/['"]([^'"]+)['"]/g), ([, text]) => text).filter((text) => text !== "-");
  return (await Promise.all(texts.map((text) => find(text).catch(() => [])))).flat();
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

async function find(name: string): Promise<FoundFile[]> {
  if (name === "-") return [{ path: name, name: "standard input", stream: true }];
  const stats = await look(name);
  if (stats?.isDirectory()) return listFolder(name);
  if (stats?.isFile()) return [{ path: name, name, size: stats.size }];
  if (stats) return [{ path: name, name, stream: true }];
  if (!isGlob(name)) throw await missing(name);
  const paths = await expandGlob(name);
  if (paths.length === 0) throw new UserError(`no file is called ${name}`);
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
  const members: Required<Pick<FoundFile, "path" | "name" | "inside">>[] = [];
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const inside = relative(folder, path).replaceAll("\\", "/");
    if (inside.split("/").some((part) => part.startsWith("."))) continue;
    if (entry.isFile() || (entry.isSymbolicLink() && (await leadsToFile(path, folder)))) {
      members.push({ path, name: path, inside });
    }
  }
  if (members.length === 0) throw new UserError(`${folder} is a folder without files`);
  return members.sort((a, b) => compare(a.inside, b.inside));
}

/** Who hands over a folder does not mean the files that links in it lead to, elsewhere on the machine. */
async function leadsToFile(link: string, folder: string): Promise<boolean> {
  const target = await realpath(link).catch(() => null);
  if (target === null) throw new UserError(`${link} is a link that leads nowhere`, "remove it");
  const way = relative(await realpath(folder), target);
  if (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)) return (await stat(target)).isFile();
  throw new UserError(
    `${link} is a link that leads out of ${folder}, to ${target}`,
    "links out of a folder are not followed: remove it, or put the file in its place",
  );
}

async function missing(path: string): Promise<UserError> {
  if (/^[a-z][a-z0-9+]+:\/\//i.test(path)) {
    return new UserError(`${path} is an address, and nothing is fetched from the network`, "download it first");
  }
  const folder = dirname(path);
  const names = await readdir(folder).catch(() => []);
  return new UserError(`${path}: there is no such file`, askNearest(basename(path), names));
}

/** Files of one kind. */
export interface Source {
  readonly kind: Kind;
  /** What DuckDB reads it as, if it does. */
  readonly table?: TableKind | "sql";
  /** What the header says of the columns. */
  readonly declared?: Declared;
  readonly files: readonly FoundFile[];
  readonly notes: readonly string[];
}

/** Tables that DuckDB reads. */
export type TableKind = "csv" | "jsonl" | "parquet";

const ENDINGS: Record<TableKind, string> = { csv: ".csv", jsonl: ".jsonl", parquet: ".parquet" };

export function isTable(kind: Kind): kind is TableKind {
  return Object.hasOwn(ENDINGS, kind);
}

/** Finds out what the files are; of folders, takes the pictures or the texts. */
export async function identifyFiles(members: readonly FoundFile[], options: ReadOptions): Promise<Source> {
  const files = chooseMembers(members, options);
  const kind = options.kind ?? (await agree(files, options));
  const mixed =
    kind === "text" && files.find(({ inside }) => (inside === undefined) !== (files[0].inside === undefined));
  if (mixed) {
    throw new UserError(
      `${files[0].name} and ${mixed.name}: a folder has one document a file, a file one a line`,
      "read them one at a time",
    );
  }
  return { kind, files, notes: describe(kind, files, members.length - files.length) };
}

const PAPERS = /^(readme|licen[cs]e|copying|notice|changelog)\b/i;

function chooseMembers(members: readonly FoundFile[], { kind }: ReadOptions): readonly FoundFile[] {
  const inside = members.filter((member) => member.inside !== undefined && !PAPERS.test(basename(member.path)));
  const pictures = inside.filter(({ path }) => isPicture(path));
  const prose = findProse(inside, kind === "text" || pictures.length === 0);
  if (kind === undefined && pictures.length > 0 && prose.length > 0) {
    throw new UserError(
      `there are pictures (${pictures[0].name}) and texts (${prose[0].name}) together`,
      "choose with --kind images or --kind text",
    );
  }
  const wanted =
    { images: pictures, text: prose }[kind as string] ?? (kind === undefined ? [...pictures, ...prose] : []);
  const chosen = new Set(wanted.length > 0 ? wanted : inside);
  return chosen.size === 0 ? members : members.filter((member) => member.inside === undefined || chosen.has(member));
}

/** Pages are about the data where there are some of another kind. @param pages whether pages may be documents */
function findProse(inside: readonly FoundFile[], pages: boolean): FoundFile[] {
  const prose = inside.filter(({ path }) => isProse(path));
  const both = inside.filter(({ path }) => isProse(path) || isPage(path));
  return pages && (prose.length > 0 || both.length === inside.length) ? both : prose;
}

function describe(kind: Kind, files: readonly FoundFile[], passed: number): string[] {
  const notes: string[] = [];
  if (passed > 0) notes.push(`${passed} other file${passed === 1 ? "" : "s"} in the folder passed over`);
  if (kind === "text" && files.length > 9 && files[0].inside === undefined) {
    notes.push(`${files.length} files were read as one document a line; name their folder to have one a file`);
  }
  return notes;
}

/** The kind all files have. */
async function agree(files: readonly FoundFile[], options: ReadOptions): Promise<Kind> {
  let first: Kind | undefined;
  for (const file of files) {
    options.signal?.throwIfAborted();
    const kind = await guess(file, options);
    first ??= kind;
    if (kind === first) continue;
    throw new UserError(
      `${files[0].name} is ${first} but ${file.name} is ${kind}: only files of one kind are read together`,
      `if they are the same, say so with --kind ${first}`,
    );
  }
  return first as Kind;
}

/** Where lines could be a table or prose, a model knows which it was fitted on. */
async function guess(file: FoundFile, { like }: ReadOptions): Promise<Kind> {
  if (file.inside !== undefined && isPicture(file.path)) return "images";
  if (file.inside !== undefined && (isProse(file.path) || isPage(file.path))) return "text";
  const kind = detectKind({ ...file, ...(await readHead(file)) });
  const known = like?.recipe.kind;
  if (known === "text" && kind === "csv" && isProse(file.path) && like?.recipe.text?.column === undefined)
    return "text";
  if (known !== undefined && isTable(known) && kind === "text") return "csv";
  return kind;
}

/** Gives a table the ending that DuckDB goes by, where its name has another: what came in a stream, or is gzipped. */
export async function nameTable(file: FoundFile, kind: TableKind, scratch: Scratch): Promise<FoundFile> {
  const { gzip } = await readHead(file);
  const streamed = file.path !== file.name && file.inside === undefined;
  if (!streamed && (!gzip || /\.gz$/i.test(file.path))) return file;
  return scratch.rename(file, `${ENDINGS[kind]}${gzip ? ".gz" : ""}`);
}
