import { UserError } from "./errors.js";
import type { ZipCodec } from "./zip.js";

export interface StoredFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const LARGEST = 0xffffffff;
/** Names are UTF-8. */
const FLAGS = 0x0800;
/** 1 January 1980: the same content gives the same archive. */
const DATE = 0x21;

/** A ZIP archive of files as they are, in parts: large contents are not copied. */
export function storeFiles(
  files: readonly StoredFile[],
  { crc32 }: Pick<ZipCodec, "crc32">,
): Uint8Array<ArrayBuffer>[] {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  for (const { name, bytes } of files) {
    const title = new TextEncoder().encode(name);
    const checksum = crc32(bytes);
    const common: Field[] = [[2, 20], [2, FLAGS], [2, 0], [2, 0], [2, DATE], [4, checksum], [4, bytes.length], [4, bytes.length], [2, title.length], [2, 0]]; // biome-ignore format: one header
    const local = pack([[4, 0x04034b50], ...common]);
    const more: Field[] = [[2, 0], [2, 0], [2, 0], [4, 0], [4, at]]; // biome-ignore format: one header
    directory.push(pack([[4, 0x02014b50], [2, 20], ...common, ...more]), title);
    parts.push(local, title, bytes);
    at += local.length + title.length + bytes.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  if (at + size > LARGEST) {
    throw new UserError("a project file can hold 4 GB, and this one is larger", "save it without the data");
  }
  const end = pack([
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, files.length],
    [2, files.length],
    [4, size],
    [4, at],
    [2, 0],
  ]);
  return [...parts, ...directory, end] as Uint8Array<ArrayBuffer>[];
}

type Field = readonly [size: 2 | 4, value: number];

function pack(fields: readonly Field[]): Uint8Array {
  const bytes = new Uint8Array(fields.reduce((sum, [size]) => sum + size, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [size, value] of fields) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  return bytes;
}
