import { createWriteStream } from "node:fs";
import { mkdtemp, rename, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { UserError } from "../../errors.js";
import type { ReadOptions } from "../data.js";
import type { File } from "./bytes.js";

/** A folder for what is needed only while reading, and gone afterwards. */
export class Scratch {
  #folder: string | undefined;
  #count = 0;

  /** Where a file may be written. */
  async place(ending = ""): Promise<string> {
    this.#folder ??= await mkdtemp(join(tmpdir(), "bonmf-"));
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
    else await symlink(resolve(path), place);
    return { path: place, name };
  }

  async remove(): Promise<void> {
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }
}
