import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { detectEncoding, type Encoding, isWritten, noteEncoding } from "bonmf-data";
import { UserError } from "../../errors.js";
import type { ReadOptions } from "../data.js";
import { type File, readChunks, readHead } from "./bytes.js";
import type { Scratch } from "./scratch.js";
import type { Source } from "./sources.js";

/** Text that is not UTF-8: it may be read again in another encoding. */
export class EncodingError extends UserError {}

/** Writes texts in UTF-16 or an older encoding as UTF-8, by how they begin. */
export async function recodeFiles(source: Source, options: ReadOptions, scratch: Scratch): Promise<Source> {
  if (!isWritten(source.kind)) return source;
  return recode(source, options, scratch, async (file) => {
    const encoding = detectEncoding((await readHead(file)).bytes);
    // Prose decodes older encodings itself, document by document.
    return source.kind === "text" && encoding === "windows-1252" ? "utf-8" : encoding;
  });
}

/** The same for files that turned out not to be UTF-8 after their beginning. */
export async function recodeOld(source: Source, options: ReadOptions, scratch: Scratch): Promise<Source> {
  return recode(source, options, scratch, async (file) => ((await isUtf8(file, options)) ? "utf-8" : "windows-1252"));
}

async function recode(
  source: Source,
  options: ReadOptions,
  scratch: Scratch,
  detect: (file: File) => Promise<Encoding>,
): Promise<Source> {
  const files = [];
  const notes = [...source.notes];
  for (const file of source.files) {
    // What is packed with Zstandard cannot be looked into here.
    const encoding = /\.zst$/i.test(file.path) ? "utf-8" : await detect(file);
    notes.push(...noteEncoding(file.name, encoding));
    files.push(encoding === "utf-8" ? file : { ...file, path: await rewrite(file, encoding, options, scratch) });
  }
  return { ...source, files, notes };
}

async function rewrite(file: File, encoding: Encoding, options: ReadOptions, scratch: Scratch): Promise<string> {
  const path = await scratch.place();
  const decoder = new TextDecoder(encoding);
  const decode = async function* () {
    for await (const chunk of readChunks(file, options)) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  };
  await pipeline(decode, createWriteStream(path, { mode: 0o600 }));
  return path;
}

async function isUtf8(file: File, { signal }: ReadOptions): Promise<boolean> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for await (const chunk of readChunks(file, { signal })) {
    try {
      decoder.decode(chunk, { stream: true });
    } catch {
      return false;
    }
  }
  return true;
}
