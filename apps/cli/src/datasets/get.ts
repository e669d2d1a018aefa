import { createHash } from "node:crypto";
import { mkdir, readFile, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { UserError } from "../errors.js";
import { explain, writeWhole } from "../write/file.js";
import { build, type Match, verify } from "./build.js";
import { lookUp } from "./catalogue.js";
import { type DownloadOptions, download } from "./download.js";
import type { Entry, Origin, Part } from "./entry.js";
import { dataFolders, findFile, openmlId, openmlPath } from "./find.js";

export interface GetOptions extends Pick<DownloadOptions, "signal" | "pause" | "patience"> {
  /** Replaces an address, for mirrors and tests. */
  readonly locate?: ((url: string) => string) | undefined;
  readonly onProgress?: ((what: string, done: number, total: number | null) => void) | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

export interface FetchedFile {
  readonly path: string;
  /** The file was already on this machine. */
  readonly cached: boolean;
  readonly verified: Match | "checksum";
}

/** Downloads the files of a dataset that are missing, and verifies all of them. */
export async function getDataset(name: string, options: GetOptions = {}): Promise<FetchedFile[]> {
  const id = openmlId(name);
  if (id !== null) return [await getOpenml(id, options)];
  const fetched: FetchedFile[] = [];
  const parts = new Map<string, string>();
  try {
    for (const entry of lookUp(name).files) fetched.push(await getEntry(entry, parts, options));
  } finally {
    // An incomplete download is kept, to be continued.
    if (fetched.length === lookUp(name).files.length)
      for (const path of parts.values()) await rm(path, { force: true });
  }
  return fetched;
}

async function getEntry(entry: Entry, parts: Map<string, string>, options: GetOptions): Promise<FetchedFile> {
  const here = findFile(entry.path, options.env);
  if (here !== null) return { path: here, cached: true, verified: await checkFile(entry, here) };
  const text = await fetchText(entry, parts, options);
  const verified = verify(entry, text);
  const path = join(dataFolders(options.env)[0], entry.path);
  await makeFolder(dirname(path));
  await writeWhole(path, await promisify(gzip)(text, { level: 9 }));
  return { path, cached: false, verified };
}

/** Tries its own addresses, then OpenML. */
async function fetchText({ origin }: Entry, parts: Map<string, string>, options: GetOptions): Promise<string> {
  try {
    const files = [];
    for (const part of origin.parts) files.push(await readFile(await fetchPart(part, parts, options)));
    return build(origin, files);
  } catch (error) {
    options.signal?.throwIfAborted();
    if (origin.openml === undefined || !(error instanceof UserError)) throw error;
    const path = await fetchOpenml(origin.openml, options).catch(() => null);
    if (path === null) throw error;
    const text = build(asArff(origin), [await readFile(path)]);
    await rm(path, { force: true });
    return text;
  }
}

/** OpenML has the class in the last column. */
function asArff(origin: Origin): Origin {
  if (origin.form !== "rows") return origin;
  const { columns } = origin;
  return { form: "rows", columns, label: -1, parts: [] };
}

async function fetchPart(part: Part, parts: Map<string, string>, options: GetOptions): Promise<string> {
  const [first] = part.urls;
  const known = parts.get(first);
  if (known !== undefined) return known;
  let failure: unknown;
  for (const url of part.urls) {
    try {
      const path = await fetchFile(url, { sha256: part.sha256 }, options);
      parts.set(first, path);
      return path;
    } catch (error) {
      options.signal?.throwIfAborted();
      // Report the first address: the others are mirrors.
      failure ??= error;
    }
  }
  throw failure;
}

async function fetchFile(url: string, sums: Pick<DownloadOptions, "sha256" | "md5">, options: GetOptions) {
  const { signal, pause, patience, onProgress, locate = (address) => address } = options;
  const name = createHash("sha256").update(url).digest("hex").slice(0, 16);
  const path = join(dataFolders(options.env)[0], ".downloads", name);
  await makeFolder(dirname(path));
  const what = decodeURIComponent(basename(new URL(url).pathname));
  const report = onProgress && ((done: number, total: number | null) => onProgress(what, done, total));
  await download(locate(url), path, { ...sums, signal, pause, patience, onProgress: report });
  return path;
}

async function getOpenml(id: number, options: GetOptions): Promise<FetchedFile> {
  const here = findFile(openmlPath(id), options.env);
  if (here !== null) return { path: here, cached: true, verified: "checksum" };
  const from = await fetchOpenml(id, options);
  const path = join(dataFolders(options.env)[0], openmlPath(id));
  await makeFolder(dirname(path));
  await writeWhole(path, await readFile(from));
  await rm(from, { force: true });
  return { path, cached: false, verified: "checksum" };
}

/** Asks OpenML for the address and the hash of a dataset's file. */
async function fetchOpenml(id: number, options: GetOptions): Promise<string> {
  const about = await fetchFile(`https://www.openml.org/api/v1/json/data/${id}`, {}, options).catch((error) => {
    throw error instanceof UserError && /answers (404|412)/.test(error.message)
      ? new UserError(`OpenML has no dataset ${id}`, "https://www.openml.org lists them", { cause: error })
      : error;
  });
  const description: unknown = JSON.parse(await readFile(about, "utf8"));
  await rm(about, { force: true });
  const { url, md5, format } = readDescription(description);
  if (url === undefined || md5 === undefined)
    throw new UserError(`OpenML does not describe its dataset ${id} as expected`);
  if (!/^(sparse_)?arff$/i.test(format ?? "")) {
    throw new UserError(`OpenML has its dataset ${id} as ${format}, not ARFF`, "download it by hand");
  }
  return await fetchFile(url, { md5 }, options);
}

function readDescription(json: unknown): { url?: string; md5?: string; format?: string } {
  const text = (value: unknown) => (typeof value === "string" ? value : undefined);
  const record = (value: unknown) => (typeof value === "object" && value !== null ? Object.entries(value) : []);
  const all = Object.fromEntries(record(Object.fromEntries(record(json)).data_set_description));
  const [url, md5, format] = [text(all.url), text(all.md5_checksum), text(all.format)];
  return { ...(url && { url }), ...(md5 && { md5 }), ...(format && { format }) };
}

/** A file of the user is never overwritten. */
async function checkFile(entry: Entry, path: string): Promise<Match> {
  try {
    return verify(entry, String(await promisify(gunzip)(await readFile(path))));
  } catch (error) {
    throw new UserError(`${path}: the file does not match the catalogue`, "remove it and download it again", {
      cause: error,
    });
  }
}

async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw explain(error, join(folder, "data"));
  });
}
