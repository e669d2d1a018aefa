import { type FileHandle, open } from "node:fs/promises";
import type { File } from "../bytes.js";
import type { Chunk, Kind } from "./order.js";
import { type Fields, readStructure } from "./thrift.js";

/** A column that is not nested. */
export interface Field {
  readonly name: string;
  /** Its type in the file and what that stands for, as one text. */
  readonly type: string;
  /** How its numbers stand in the file; null where it is not of plain numbers. */
  readonly kind: Kind | null;
  /** Whether values may be missing. */
  readonly optional: boolean;
}

/** The values of a field in a row group. */
export interface Block {
  readonly codec: string;
  readonly encodings: readonly number[];
  readonly values: number;
  /** Bytes unpacked, and where they are packed. */
  readonly size: number;
  readonly start: number;
  readonly end: number;
  /** How many are missing, where that was noted. */
  readonly missing: number | undefined;
}

/** What a file says about itself. */
export interface Footer {
  readonly format: Chunk["format"];
  readonly fields: readonly Field[];
  readonly groups: readonly { readonly rows: number; readonly blocks: readonly Block[] }[];
}

/** By the number of the type. */
const KINDS: readonly (Kind | undefined)[] = [undefined, "i32", "i64", undefined, "f32", "f64"];
/** What a type stands for, by number: from here unsigned integers, from there signed ones, and up to the last. */
const [UNSIGNED, SIGNED, LAST] = [11, 15, 18];
/** The same in newer files, where it is a structure by this number. */
const INTEGER = 10;
const CODECS = ["UNCOMPRESSED", "SNAPPY", "GZIP", "LZO", "BROTLI", "LZ4", "ZSTD", "LZ4_RAW"];
const OPTIONAL = 1;
const REPEATED = 2;

/** What Parquet files say about themselves at their ends; null where columns are nested or encrypted. */
export async function readFooters(files: readonly File[]): Promise<Footer[] | null> {
  const footers: Footer[] = [];
  for (const { path } of files) {
    const file = await open(path);
    try {
      const footer = parseFooter(await readEnd(file));
      if (footer === null) return null;
      footers.push(footer);
    } finally {
      await file.close();
    }
  }
  return footers;
}

/** The structure, before its length and the mark of the format. */
async function readEnd(file: FileHandle): Promise<Uint8Array> {
  const { size } = await file.stat();
  const tail = Buffer.alloc(8);
  await file.read(tail, 0, 8, size - 8);
  const length = tail.readUInt32LE(0);
  if (tail.toString("latin1", 4) !== "PAR1" || length > size - 8) throw new Error("the file has no footer");
  const bytes = new Uint8Array(length);
  const { bytesRead } = await file.read(bytes, 0, length, size - 8 - length);
  if (bytesRead < length) throw new Error("the footer is cut short");
  return bytes;
}

function parseFooter(bytes: Uint8Array): Footer | null {
  const [, , schema, , groups] = readStructure(bytes).fields as [0, 0, Fields[], 0, Fields[]];
  const [root, ...elements] = schema;
  if (elements.length !== root[5] || elements.some((element) => element[3] === REPEATED)) return null;
  const decoder = new TextDecoder();
  const fields = elements.map((element) => ({
    name: decoder.decode(element[4] as Uint8Array),
    type: JSON.stringify([element[1], element[2], element[6], element[7], element[8], element[10]]),
    kind: findKind(element),
    optional: element[3] === OPTIONAL,
  }));
  const found = groups.map((group) => ({
    rows: Number(group[3]),
    blocks: (group[1] as Fields[]).map((column) => parseBlock(column[3] as Fields | undefined)),
  }));
  if (found.some(({ blocks }) => blocks.length !== fields.length || blocks.includes(null))) return null;
  return { format: "parquet", fields, groups: found as Footer["groups"] };
}

/** What stands for a date, a decimal or anything else is not plain. */
function findKind(element: Fields): Kind | null {
  const kind = KINDS[element[1] as number] ?? null;
  const [old, now] = [element[6] as number | undefined, element[10] as Fields[] | undefined];
  if (kind === null || (old === undefined && now === undefined)) return kind;
  const integer = now?.[INTEGER];
  if (kind.startsWith("f") || (now && !integer) || (old !== undefined && !(old >= UNSIGNED && old <= LAST)))
    return null;
  const signed = integer ? integer[2] === true : Number(old) >= SIGNED;
  return signed ? kind : kind === "i32" ? "u32" : "u64";
}

function parseBlock(column: Fields | undefined): Block | null {
  if (column === undefined) return null;
  const [data, dictionary] = [Number(column[9]), Number(column[11] ?? 0)];
  const start = dictionary > 0 ? Math.min(data, dictionary) : data;
  return {
    codec: CODECS[column[4] as number],
    encodings: column[2] as number[],
    values: Number(column[5]),
    size: Number(column[6]),
    start,
    end: start + Number(column[7]),
    missing: (column[12] as Fields | undefined)?.[3] as number | undefined,
  };
}
