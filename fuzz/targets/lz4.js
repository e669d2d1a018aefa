// LZ4 frames, as Arrow files have them; a damaged one is an Error, which the reader of Arrow files explains.
import { decodeLz4 } from "../../apps/cli/src/read/formats/lz4.ts";

export const seeds = () => [
  Uint8Array.from([4, 34, 77, 24, 96, 64, 130, 5, 0, 0, 128, 97, 98, 99, 100, 101, 0, 0, 0, 0]),
  Uint8Array.from([4, 34, 77, 24, 96, 64, 130, 10, 0, 0, 0, 31, 97, 1, 0, 9, 80, 97, 97, 97, 97, 97, 0, 0, 0, 0]),
];
/** A match of any length takes a byte for every 255. */
export const memoryBudget = { base: 2 ** 20, perByte: 4 * 256 };

export function read(bytes) {
  try {
    decodeLz4(bytes);
  } catch (error) {
    if (!/damaged or cut short/.test(error.message)) throw error;
  }
}
