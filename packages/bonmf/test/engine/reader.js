/** A reader of files, for worker threads to import. */
import { closeSync, openSync, readSync } from "node:fs";

export function openReader({ path }) {
  const file = openSync(path);
  return {
    read: (at, into) => {
      for (let done = 0; done < into.length; ) done += readSync(file, into, done, into.length - done, at + done);
    },
    close: () => closeSync(file),
  };
}
