import { chooseMembers, isArchive, isPicture, isProse, listEntries, type ZipCodec } from "bonmf-data";
import type { Item, Parts } from "./source.js";

/** Bytes that tell what a file is. */
const HEAD = 256;

interface Opened {
  readonly items: readonly Item[];
  readonly notes: readonly string[];
  /** Where an archive holds several tables. */
  readonly parts?: Parts;
}

/**
 * Unpacks zip archives: their files stand for them, as those of a folder do. Of several tables one is opened.
 *
 * @param wanted its path; by default the first
 */
export async function openArchives(items: readonly Item[], wanted?: string): Promise<Opened> {
  const opened: Item[] = [];
  const notes: string[] = [];
  let parts: Parts | undefined;
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
    const one = isTables(members.paths) ? (members.paths.find((path) => path === wanted) ?? members.paths[0]) : null;
    if (one === null) notes.push(...members.notes);
    else parts = { what: "member", file: name, names: members.paths, open: one };
    for (const inside of one === null ? members.paths : [one]) {
      const content = await entries.find((entry) => entry.name === inside)?.read();
      const file = { name: inside.split("/").at(-1) ?? inside, path: `${path ?? name}/${inside}` };
      opened.push({ ...file, blob: new Blob([content as Uint8Array<ArrayBuffer>]) });
    }
  }
  return { items: opened, notes, ...(parts && { parts }) };
}

function isTables(paths: readonly string[]): boolean {
  return paths.length > 1 && !paths.some((path) => isPicture(path) || isProse(path));
}

/** By what browsers have. */
export const codec: ZipCodec = {
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
