import { crc32, inflateRawSync } from "node:zlib";
import { expect, it } from "vitest";
import { listEntries } from "../src/index.js";
import { zip } from "./fixtures/zip.js";

const codec = { inflate: async (content: Uint8Array) => inflateRawSync(content), crc32, most: 2 ** 30 };
const list = (bytes: Uint8Array) => listEntries(bytes, "a.zip", codec).map(({ name }) => name);
const archive = zip([{ name: "a.csv", content: new TextEncoder().encode("a\n1\n") }]);
const END = archive.length - 22;
const start = archive.readUInt32LE(END + 16);

/** The same with a directory in ZIP64, which is somewhere else by its own account. */
function widen(place: number, entries: number): Buffer {
  const wide = Buffer.alloc(56 + 20);
  wide.writeUInt32LE(0x06064b50, 0);
  wide.writeBigUInt64LE(BigInt(entries), 32);
  wide.writeBigUInt64LE(BigInt(END - start), 40);
  wide.writeBigUInt64LE(BigInt(place), 48);
  wide.writeUInt32LE(0x07064b50, 56);
  wide.writeBigUInt64LE(BigInt(END), 64);
  return Buffer.concat([archive.subarray(0, END), wide, archive.subarray(END)]);
}

it("reads the directory that ZIP64 names", () => {
  const bytes = widen(start, 1);
  expect(list(bytes)).toEqual(["a.csv"]);
  bytes.writeUInt32LE(0xffffffff, bytes.length - 6);
  expect(list(bytes)).toEqual(["a.csv"]);
});

// A reader that believes the other of two would read something else, or 2³² entries.
it("refuses directories that contradict each other", () => {
  expect(() => list(widen(start, 2 ** 32))).toThrow("a.zip: the archive has no directory at its end");
  expect(() => list(widen(0, 1))).toThrow("a.zip: the archive has no directory at its end");
  const parts = Buffer.from(archive);
  parts.writeUInt16LE(7, END + 8);
  expect(() => list(parts)).toThrow("a.zip: the archive is one of several parts, or damaged");
});

it("refuses a directory of another length than it claims, and an entry of another name", async () => {
  const longer = Buffer.from(archive);
  longer.writeUInt32LE(END - start + 1, END + 12);
  expect(() => list(longer)).toThrow("a.zip: the archive's directory is damaged");
  const renamed = Buffer.from(archive);
  renamed.write("b", 30);
  const [entry] = listEntries(renamed, "a.zip", codec);
  await expect(entry.read()).rejects.toThrow('a.zip: "a.csv" has another name in the archive than in its directory');
});
