import { closeSync, openSync, readSync } from "node:fs";
import type { Reader } from "bonmf/engine";

/** A synchronous reader. */
export interface FileReader extends Reader {
  read(at: number, into: Uint8Array): undefined;
  close(): undefined;
}

/**
 * Reads synchronously in the calling thread: from the page cache that is one copy into the kernel's memory, faster than
 * asking another thread. Imported by worker threads.
 *
 * @param file a path, or the descriptor of a file that somebody else closes: all threads of a process share it, and a file
 * that is open can be read although another process has removed it
 */
export function openReader({ file }: { file: string | number }): FileReader {
  const descriptor = typeof file === "string" ? openSync(file, "r") : file;
  return {
    read(at, into) {
      for (let done = 0; done < into.length; ) {
        const count = readSync(descriptor, into, done, into.length - done, at + done);
        if (count === 0)
          throw Object.assign(new Error("the packed samples end too early"), { code: "EIO", syscall: "read" });
        done += count;
      }
      return undefined;
    },
    close() {
      if (typeof file === "string") closeSync(descriptor);
      return undefined;
    },
  };
}

/** The address of this module for worker threads; tests run the sources, but their threads run dist. */
export function readerModule(): string {
  const own = import.meta.url;
  return own.endsWith(".ts") ? new URL("../../dist/cache/file-reader.js", own).href : own;
}
