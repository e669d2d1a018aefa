// ZIP archives: the directory, every member, and which of them are read.
import { chooseMembers, listEntries } from "bonmf-data";
import { zlib } from "../../apps/cli/src/read/files/zip.ts";
import { encode, makeZip, repairZip } from "../containers.js";
import { attempt } from "../oracle.js";

export const seeds = () => [
  makeZip([["a.csv", encode("a,b\n1,2\n")]]),
  makeZip([
    ["x/1.txt", encode("one")],
    ["x/../2.txt", encode("two")],
  ]),
  makeZip([]),
];
export const tokens = ["PK\x01\x02", "PK\x03\x04", "PK\x05\x06", "PK\x06\x06", "PK\x06\x07", "../", "\\", "\x08\0"];
export const repair = repairZip;
/** Deflate makes at most 1032 bytes of one. */
export const memoryBudget = { base: 4 * 2 ** 20, perByte: 1100 };

export async function read(bytes) {
  const entries = listEntries(bytes, "input.zip", zlib);
  attempt(() =>
    chooseMembers(
      entries.map(({ name }) => name),
      "input.zip",
    ),
  );
  for (const entry of entries) await entry.read();
}
