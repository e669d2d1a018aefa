import { readSync } from "node:fs";

/** Fills `bytes` from a position of an open file. */
export function readFully(file: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    const count = readSync(file, bytes, done, bytes.length - done, position + done);
    check(count > 0, "the file ends early");
    done += count;
  }
}

export function check(fine: boolean | number, otherwise: string): void {
  if (!fine) throw new Error(otherwise);
}
