import { type FileHandle, open } from "node:fs/promises";
import {
  CompressionType,
  DataType,
  Message,
  type MessageHeader,
  Precision,
  RecordBatchReader,
  type Schema,
} from "apache-arrow";
import { nameType } from "../arrow.js";
import type { File } from "../bytes.js";
import type { Block, Footer } from "./footer.js";
import type { Kind } from "./order.js";

type Group = Footer["groups"][number];

const MAGIC = "ARROW1";
const CODECS: Record<number, string> = { [CompressionType.LZ4_FRAME]: "LZ4_FRAME", [CompressionType.ZSTD]: "ZSTD" };

/** Where the numbers lie in Arrow files, message after message; null where types are not known well enough. */
export async function readMessages(files: readonly File[]): Promise<Footer[] | null> {
  const footers: Footer[] = [];
  for (const { path } of files) {
    const file = await open(path);
    try {
      const reader = await (await RecordBatchReader.from(file)).open();
      const { schema } = reader;
      const groups = await walk(file, schema);
      if (groups === null) return null;
      const fields = schema.fields.map(({ name, type }) => ({
        name,
        type: nameType(type),
        kind: findKind(type),
        optional: false,
      }));
      footers.push({ format: "arrow", fields, groups });
    } finally {
      await file.close();
    }
  }
  return footers;
}

async function walk(file: FileHandle, schema: Schema): Promise<Group[] | null> {
  const { size } = await file.stat();
  const start = Buffer.from(await read(file, 0, MAGIC.length)).toString("latin1");
  const groups: Group[] = [];
  // A mark, the length of the message, the message, and what belongs to it.
  for (let at = start === MAGIC ? 8 : 0; at + 8 <= size; ) {
    const head = await read(file, at, 8);
    const length = head.readUInt32LE(4);
    if (head.readUInt32LE(0) !== 0xffffffff || length === 0) break;
    const message = Message.decode(await read(file, at + 8, length));
    const body = at + 8 + length;
    if (message.isRecordBatch()) {
      const group = layOut(schema, message, body);
      if (group === null) return null;
      groups.push(group);
    }
    at = body + message.bodyLength;
    if (at > size) throw new Error("the file ends early");
  }
  return groups;
}

async function read(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, at);
  if (bytesRead < length) throw new Error("the file ends early");
  return bytes;
}

function layOut(schema: Schema, message: Message<MessageHeader.RecordBatch>, body: number): Group | null {
  const { length: rows, nodes, buffers, compression } = message.header();
  const codec = compression === null ? "UNCOMPRESSED" : (CODECS[compression.type] ?? "");
  const blocks: Block[] = [];
  let next = 0;
  for (const [f, { type }] of schema.fields.entries()) {
    const count = countBuffers(type);
    if (count === null) return null;
    // Those of numbers: which are there, and the numbers.
    const { offset, length } = buffers[next + 1] ?? { offset: 0, length: 0 };
    const { length: values, nullCount: missing } = nodes[f];
    const start = body + offset;
    blocks.push({ codec, encodings: [], values, size: length, start, end: start + length, missing });
    next += count;
  }
  return { rows, blocks };
}

/** How many buffers a column has; null where it is nested, or of a type that is not known here. */
function countBuffers(type: DataType): number | null {
  const { isInt, isFloat, isBool, isDate, isTime, isTimestamp, isDuration, isDecimal, isDictionary } = DataType;
  if (DataType.isNull(type)) return 0;
  if (
    [isInt, isFloat, isBool, isDate, isTime, isTimestamp, isDuration, isDecimal, isDictionary].some((is) => is(type))
  ) {
    return 2;
  }
  const { isUtf8, isLargeUtf8, isBinary, isLargeBinary } = DataType;
  return [isUtf8, isLargeUtf8, isBinary, isLargeBinary].some((is) => is(type)) ? 3 : null;
}

function findKind(type: DataType): Kind | null {
  if (DataType.isInt(type)) return `${type.isSigned ? "i" : "u"}${type.bitWidth}` as Kind;
  if (!DataType.isFloat(type) || type.precision === Precision.HALF) return null;
  return type.precision === Precision.DOUBLE ? "f64" : "f32";
}
