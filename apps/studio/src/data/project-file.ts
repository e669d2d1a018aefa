import { isReferred, type ProjectFile, type ProjectSource, readProject, writeProject } from "bonmf-data";
import { codec } from "./archive.js";
import type { Choice } from "./choice.js";
import type { Item, Origin, Parts } from "./source.js";

/** A project as the page knows it, with everything that belongs to it. */
export interface Packed extends Pick<ProjectFile, "name" | "runs" | "view" | "current"> {
  readonly origin: Origin;
  readonly choice: Choice | null;
}

/**
 * One file for a project.
 *
 * @param parts of the open source, where there are several
 * @param included whether the data is in it, or only named
 */
export async function packProject(packed: Packed, parts: Parts | null, included: boolean): Promise<Blob> {
  const { origin, ...rest } = packed;
  const data = "example" in origin ? origin : await packItems(origin, parts, included);
  return new Blob(writeProject({ ...rest, data }, codec), { type: "application/zip" });
}

async function packItems({ items, vectors }: OpenedItems, parts: Parts | null, included: boolean) {
  const files: ProjectSource[] = [];
  for (const item of items) files.push(await packItem(item, included));
  const part = parts && { what: parts.what, name: parts.open };
  return { part, files, ...(vectors && { vectors: await packItem(vectors, included) }) };
}

type OpenedItems = Extract<Origin, { items: readonly Item[] }>;

async function packItem({ name, path, blob }: Item, included: boolean): Promise<ProjectSource> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return { name, path: path ?? null, size: bytes.length, checksum: codec.crc32(bytes), bytes: included ? bytes : null };
}

/**
 * Opens the file of a project.
 *
 * @param given files that may be those the project refers to
 * @returns null with the names of files that are missing
 */
export async function unpackProject(
  { name, blob }: Item,
  given: readonly Item[],
): Promise<{ packed: Packed | null; missing: readonly string[] }> {
  const { data, choice, ...rest } = await readProject(new Uint8Array(await blob.arrayBuffer()), name, codec);
  const shared = { ...rest, choice: choice as Choice | null };
  if ("example" in data) return { packed: { ...shared, origin: data }, missing: [] };
  const files = [...data.files, ...(data.vectors ? [data.vectors] : [])];
  const found = await Promise.all(files.map((file) => findFile(file, given)));
  const missing = files.filter((_, i) => found[i] === null).map((file) => file.path ?? file.name);
  if (missing.length > 0) return { packed: null, missing };
  const all = found.filter((item) => item !== null);
  const items = all.slice(0, data.files.length);
  const [vectors] = all.slice(data.files.length);
  const origin = { items, ...(data.part && { part: data.part.name }), ...(vectors && { vectors }) };
  return { packed: { ...shared, origin }, missing };
}

async function findFile(file: ProjectSource, given: readonly Item[]): Promise<Item | null> {
  const { name, path, bytes } = file;
  const item = (blob: Blob): Item => ({ name, ...(path !== null && { path }), blob });
  if (bytes) return item(new Blob([bytes as Uint8Array<ArrayBuffer>]));
  for (const { blob } of given) {
    if (blob.size === file.size && isReferred(file, new Uint8Array(await blob.arrayBuffer()), codec)) return item(blob);
  }
  return null;
}
