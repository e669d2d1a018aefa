import { countDocuments, type Documents, decodeText, isHtml, joinDocuments, OLD_TEXT, readHtml } from "bonmf-data";
import { UserError } from "../../errors.js";
import type { Data, ReadOptions } from "../data.js";
import { type File, readBytes } from "../files/bytes.js";
import { readBlocks } from "../files/lines.js";
import { type FoundFile, readFolders } from "../files/sources.js";
import { refuseFlags } from "./refuse-flags.js";

/** One document a line of each file, or, of a folder, one a file. */
export async function readText(files: readonly FoundFile[], options: ReadOptions): Promise<Data> {
  const parts: Documents[] = [];
  for await (const part of readDocuments(files, options, 10_000)) parts.push(part);
  const all = joinDocuments(parts);
  if (all.texts.length === 0) throw new UserError(`${files[0].name} holds no text`);
  options.onTexts?.(all.texts);
  return countDocuments(all, options);
}

/** The same in parts of at most `rows` documents, for a model's words. */
export async function* readTextParts(
  files: readonly FoundFile[],
  options: ReadOptions,
  rows: number,
): AsyncGenerator<Data> {
  let any = false;
  for await (const part of readDocuments(files, options, rows)) {
    any = true;
    yield await countDocuments(part, options);
  }
  if (!any) throw new UserError(`${files[0].name} holds no text`);
}

async function* readDocuments(
  files: readonly FoundFile[],
  options: ReadOptions,
  rows: number,
): AsyncGenerator<Documents> {
  const folder = files[0].inside !== undefined;
  refuseFlags("text", files[0].name, options, folder ? ["label"] : []);
  if (folder) {
    for (let i = 0; i < files.length; i += rows) yield readFiles(files.slice(i, i + rows), i, files.length, options);
    return;
  }
  for (const file of files) yield* readLines(file, files.length > 1, options, rows);
}

async function readFiles(
  files: readonly FoundFile[],
  before: number,
  total: number,
  options: ReadOptions,
): Promise<Documents> {
  const texts: string[] = [];
  let anyOld = false;
  for (const [i, file] of files.entries()) {
    options.signal?.throwIfAborted();
    const { text, old } = decodeText(await readBytes(file, {}));
    texts.push(isHtml(file.path) ? readHtml(text) : text);
    anyOld ||= old;
    options.onProgress?.(before + i + 1, total, "files");
  }
  const ids = files.map(({ inside, name }) => inside ?? name);
  return { texts, labels: readFolders(files, options), ids, weights: null, notes: anyOld ? [OLD_TEXT] : [] };
}

async function* readLines(file: File, several: boolean, options: ReadOptions, rows: number): AsyncGenerator<Documents> {
  for await (const { bytes, line } of readBlocks(file, options, rows)) {
    const { text, old } = decodeText(bytes);
    const texts: string[] = [];
    const ids: (string | number)[] = [];
    for (const [i, document] of text.split("\n").entries()) {
      if (document.trim() === "") continue;
      texts.push(document);
      ids.push(several ? `${file.name}:${line + i}` : line + i);
    }
    if (texts.length > 0) yield { texts, labels: null, ids, weights: null, notes: old ? [OLD_TEXT] : [] };
  }
}
