// How a thread reads the stored samples. Every thread of the fit imports this module and opens the file for itself.
import { closeSync, openSync, readSync } from "node:fs";

export function openReader({ path }) {
  const file = openSync(path, "r");
  return {
    read(at, into) {
      for (let done = 0; done < into.length; ) {
        const count = readSync(file, into, done, into.length - done, at + done);
        if (count === 0) throw new Error(`${path} ends at byte ${at + done}`);
        done += count;
      }
    },
    close: () => closeSync(file),
  };
}
