import { createWriteStream } from "node:fs";
import { copyFile, link, rename, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { UserError } from "../../errors.js";
import { makeTemporaryFolder, removeTemporary } from "../../write/leftovers.js";
import type { ReadOptions } from "../data.js";
import type { File } from "./bytes.js";

/** A folder for what is needed only while reading, and gone afterwards. */
export class Scratch {
  #folder: string | undefined;
  #count = 0;

  /** Where a file may be written. */
  async place(ending = ""): Promise<string> {
    this.#folder ??= await makeTemporaryFolder();
    return join(this.#folder, `${this.#count++}${ending}`);
  }

  /** Keeps a stream that can be read only once, so that its kind can be seen first. */
  async keep(stream: Readable, name: string, options: ReadOptions): Promise<File> {
    const path = await this.place();
    const { signal, onProgress } = options;
    let done = 0;
    stream.on("data", (chunk: Buffer) => {
      done += chunk.length;
      onProgress?.(done, null, "bytes");
    });
    try {
      await pipeline(stream, createWriteStream(path), ...(signal ? [{ signal }] : []));
    } catch (error) {
      signal?.throwIfAborted();
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      throw new UserError(
        `${name} does not fit into the folder for temporary files, ${tmpdir()}`,
        "set TMPDIR to a larger one",
      );
    }
    return { path, name };
  }

  /** The same file under the ending that DuckDB goes by. */
  async rename({ path, name }: File, ending: string): Promise<File> {
    const place = await this.place(ending);
    if (dirname(path) === this.#folder) await rename(path, place);
    else await standIn(resolve(path), place);
    return { path: place, name };
  }

  async remove(): Promise<void> {
    if (this.#folder !== undefined) await removeTemporary(this.#folder);
  }
}

/** What makes a second name for a file; another one in tests. */
interface Links {
  symlink(path: string, place: string): Promise<void>;
  link(path: string, place: string): Promise<void>;
  copyFile(path: string, place: string): Promise<void>;
}

/** A second name for a file. Windows gives few users symbolic links, and no file system hard links to another disk. */
export async function standIn(path: string, place: string, links: Links = { symlink, link, copyFile }): Promise<void> {
  await links
    .symlink(path, place)
    .catch(() => links.link(path, place))
    .catch(() => links.copyFile(path, place));
}
