import { closeSync, openSync, readSync } from "node:fs";
import type { Reader } from "bonmf/engine";

/** Answers at once. */
export interface FileReader extends Reader {
  read(at: number, into: Uint8Array): undefined;
  close(): undefined;
}

/**
 * Reads a file at once, in whichever thread asks: from the page cache that is a copy into the kernels' memory, and sooner
 * done than handed over to another thread. Imported by worker threads.
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

/** Where threads find this module; the tests run the sources, but threads what was built of them. */
export function readerModule(): string {
  const own = import.meta.url;
  return own.endsWith(".ts") ? new URL("../../dist/cache/reader.js", own).href : own;
}
