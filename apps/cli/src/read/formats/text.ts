import { isAscii, isUtf8 } from "node:buffer";
import { Texts } from "bonmf/io";
import {
  countDocuments,
  type Documents,
  decodeText,
  detectWide,
  isHtml,
  joinDocuments,
  OLD_TEXT,
  readHtml,
} from "bonmf-data";
import { UserError } from "../../errors.js";
import type { Data, ReadOptions } from "../data.js";
import { type File, readBytes } from "../files/bytes.js";
import { type Block, readBlocks } from "../files/lines.js";
import { type FoundFile, readFolders } from "../files/sources.js";
import { refuseFlags } from "./refuse-flags.js";

/** How the byte order mark of UTF-8 begins. */
const MARK = 0xef;
const utf8 = new TextDecoder();

/** One document a line of each file, or, of a folder, one a file. */
export async function readText(files: readonly FoundFile[], options: ReadOptions): Promise<Data> {
  const parts: Documents[] = [];
  for await (const part of readDocuments(files, options, 10_000)) parts.push(part);
  const all = joinDocuments(parts);
  if (all.texts.length === 0) throw new UserError(`${files[0].name} holds no text`);
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
  return {
    texts: Texts.of(texts),
    labels: readFolders(files, options),
    ids,
    weights: null,
    notes: anyOld ? [OLD_TEXT] : [],
  };
}

async function* readLines(file: File, several: boolean, options: ReadOptions, rows: number): AsyncGenerator<Documents> {
  for await (const block of readBlocks(file, options, rows)) {
    const { texts, lines, old } = isPlain(block.bytes) ? cutLines(block) : decodeLines(block);
    const ids = lines.map((line) => (several ? `${file.name}:${line}` : line));
    if (texts.length > 0) yield { texts, labels: null, ids, weights: null, notes: old ? [OLD_TEXT] : [] };
  }
}

/** Whether these are the bytes of lines in UTF-8, and nothing else: no mark stands before them. */
function isPlain(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && bytes[0] !== MARK && detectWide(bytes) === undefined;
}

/** The lines that are not blank, and their numbers. */
interface Lines {
  readonly texts: Texts;
  readonly lines: number[];
  readonly old: boolean;
}

function cutLines({ bytes, line, ends }: Block): Lines {
  const spans = new Uint32Array(2 * ends.length + 2);
  const lines: number[] = [];
  for (let i = 0, from = 0; i <= ends.length; i++) {
    const end = i < ends.length ? ends[i] : bytes.length;
    if (!isBlank(bytes, from, end)) {
      spans[2 * lines.length] = from;
      spans[2 * lines.length + 1] = end;
      lines.push(line + i);
    }
    from = end + 1;
  }
  const part = { bytes, spans: spans.slice(0, 2 * lines.length), isAscii: isAscii(bytes) };
  return { texts: new Texts([part]), lines, old: false };
}

function isBlank(bytes: Uint8Array, from: number, end: number): boolean {
  const visible = bytes[from] > 0x20 && bytes[from] < 0x80;
  return !visible && utf8.decode(bytes.subarray(from, end)).trim() === "";
}

function decodeLines({ bytes, line }: Block): Lines {
  const { text, old } = decodeText(bytes);
  const texts: string[] = [];
  const lines: number[] = [];
  for (const [i, document] of text.split("\n").entries()) {
    if (document.trim() === "") continue;
    texts.push(document);
    lines.push(line + i);
  }
  return { texts: Texts.of(texts), lines, old };
}
