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
 */
export function openReader({ path }: { path: string }): FileReader {
  const file = openSync(path, "r");
  return {
    read(at, into) {
      for (let done = 0; done < into.length; ) {
        const count = readSync(file, into, done, into.length - done, at + done);
        if (count === 0) throw new Error(`${path} ends too early`);
        done += count;
      }
      return undefined;
    },
    close() {
      closeSync(file);
      return undefined;
    },
  };
}

/** The address of this module for worker threads; tests run the sources, but their threads run dist. */
export function readerModule(): string {
  const own = import.meta.url;
  return own.endsWith(".ts") ? new URL("../../dist/cache/file-reader.js", own).href : own;
}
