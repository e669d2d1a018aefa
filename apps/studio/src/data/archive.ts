import { chooseMembers, isArchive, listEntries, type ZipCodec } from "bonmf-data";
import type { Item } from "./source.js";

/** Bytes that tell what a file is. */
const HEAD = 256;

/** Unpacks zip archives: their files stand for them, as those of a folder do. */
export async function openArchives(items: readonly Item[]): Promise<{ items: Item[]; notes: string[] }> {
  const opened: Item[] = [];
  const notes: string[] = [];
  for (const item of items) {
    const { name, path, blob } = item;
    const head = new Uint8Array(await blob.slice(0, HEAD).arrayBuffer());
    if (!isArchive({ name, bytes: head })) {
      opened.push(item);
      continue;
    }
    const entries = listEntries(new Uint8Array(await blob.arrayBuffer()), name, codec);
    const members = chooseMembers(
      entries.map((entry) => entry.name),
      name,
    );
    notes.push(...members.notes);
    for (const inside of members.paths) {
      const content = await entries.find((entry) => entry.name === inside)?.read();
      const file = { name: inside.split("/").at(-1) ?? inside, path: `${path ?? name}/${inside}` };
      opened.push({ ...file, blob: new Blob([content as Uint8Array<ArrayBuffer>]) });
    }
  }
  return { items: opened, notes };
}

/** By what browsers have. */
const codec: ZipCodec = {
  async inflate(content, size) {
    const stream = new Blob([content as Uint8Array<ArrayBuffer>])
      .stream()
      .pipeThrough(new DecompressionStream("deflate-raw"));
    const plain = new Uint8Array(size);
    let at = 0;
    for (const reader = stream.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) return plain.subarray(0, at);
      if (at + value.length > size) {
        await reader.cancel();
        return undefined;
      }
      plain.set(value, at);
      at += value.length;
    }
  },
  crc32(bytes) {
    let crc = -1;
    for (let p = 0; p < bytes.length; p++) crc = (crc >>> 8) ^ TABLE[(crc ^ bytes[p]) & 255];
    return ~crc >>> 0;
  },
  most: 2 ** 31 - 1,
};

/** The CRC of each byte, by the polynomial of ZIP. */
const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});
