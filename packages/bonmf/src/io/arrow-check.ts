import { FlatBuffer, type FlatTable, readLong } from "./flatbuffer.js";

/** Bytes that are read here and there; at once, as a wide file has a hundred thousand buffers. */
export interface ByteSource {
  readonly size: number;
  /** Exactly so many bytes. */
  read(at: number, length: number): Uint8Array;
}

const MAGIC = "ARROW1";
/** Bytes at the end of a file: the length of the footer, and MAGIC. */
const TAIL = 10;
/** Bytes of the mark that ends a stream, at most. */
const END_MARK = 8;
/** Kinds of messages. */
const [SCHEMA, DICTIONARY, RECORDS] = [1, 2, 3];
/** Types that have a text or a list among their fields. */
const [TIMESTAMP, UNION] = [10, 14];
/** The most bytes that LZ4 and Zstandard can pack into one. */
export const DENSEST = { LZ4: 255, ZSTD: 65_536 };

/**
 * Checks the metadata of an Arrow file or stream, its lengths and its offsets against the size of the file. The package that
 * reads it believes them: a damaged bit makes it wait or allocate without end.
 *
 * @returns the number of rows
 * @throws Error that says what is wrong
 */
export function checkArrow(source: ByteSource): number {
  if (decode(source.read(0, Math.min(source.size, MAGIC.length))) === MAGIC) return checkFile(source);
  return checkStream(source);
}

function checkFile(source: ByteSource): number {
  let rows = 0;
  let bytes = 0;
  if (source.size < TAIL + MAGIC.length) throw new Error("it ends early");
  const tail = source.read(source.size - TAIL, TAIL);
  if (decode(tail.subarray(4)) !== MAGIC) throw new Error("it does not end as it should");
  const length = viewOf(tail).getInt32(0, true);
  const end = source.size - TAIL;
  if (length <= 0 || length > end) throw new Error(`its footer claims ${length} bytes`);
  const buffer = new FlatBuffer(source.read(end - length, length));
  const footer = buffer.root();
  const columns = checkSchema(footer.table(1));
  for (const [field, kind] of [
    [2, DICTIONARY],
    [3, RECORDS],
  ]) {
    const blocks = footer.vector(field, 24);
    for (let b = 0; b < blocks.length; b++) {
      const place = blocks.at + 24 * b;
      const at = readLong(buffer.view, place);
      const message = readMessage(source, at, end - length, columns);
      // The package would read it again and again.
      if (message?.kind !== kind) throw new Error(`there is no batch at byte ${at}`);
      const [head, body] = [buffer.view.getInt32(place + 8, true), readLong(buffer.view, place + 16)];
      const fits = head >= message.body - at && at + head + body <= end - length;
      if (!fits || at % 8 !== 0 || head % 8 !== 0 || body !== message.end - message.body)
        throw new Error(`the batch at byte ${at} is of another length than the footer says`);
      bytes += message.end - at;
      if (kind === RECORDS) rows += message.rows;
    }
  }
  if (bytes > source.size) throw new Error("its batches overlap");
  return rows;
}

function checkStream(source: ByteSource): number {
  let rows = 0;
  let columns: readonly number[] | undefined;
  for (let at = 0; at < source.size; ) {
    const message = readMessage(source, at, source.size, columns);
    if (!message) {
      // The package would take what follows for another stream.
      if (source.size - at > END_MARK) throw new Error("bytes follow its end");
      break;
    }
    if ((columns === undefined) !== (message.kind === SCHEMA)) throw new Error("its messages are out of order");
    columns ??= message.columns;
    at = message.end;
    if (message.kind === RECORDS) rows += message.rows;
  }
  if (columns === undefined) throw new Error("it has no schema");
  return rows;
}

interface Message {
  readonly kind: number;
  /** Its first byte after the metadata. */
  readonly body: number;
  /** The byte after its body. */
  readonly end: number;
  readonly rows: number;
  /** Of a schema: see checkSchema. */
  readonly columns?: readonly number[];
}

/**
 * The message at a position; undefined at the mark that ends a stream.
 *
 * @param columns what checkSchema found
 */
function readMessage(
  source: ByteSource,
  at: number,
  limit: number,
  columns: readonly number[] = [0],
): Message | undefined {
  if (!(at >= 0 && at + 4 <= limit)) throw new Error(`a message at byte ${at} is beyond the end`);
  const start = viewOf(source.read(at, Math.min(8, limit - at)));
  const marked = start.getInt32(0, true) === -1;
  if (marked && start.byteLength < 8) throw new Error("it ends within a message");
  const length = start.getInt32(marked ? 4 : 0, true);
  if (length === 0) return undefined;
  const body = at + (marked ? 8 : 4) + length;
  if (length < 0 || body > limit) throw new Error(`a message at byte ${at} claims ${length} bytes`);
  const message = new FlatBuffer(source.read(body - length, length)).root();
  const kind = message.byte(1);
  const size = message.long(3);
  if (!(size >= 0 && body + size <= limit))
    throw new Error(`the body of the message at byte ${at} claims ${size} bytes`);
  const header = message.table(2);
  checkPairs(message, 4);
  const end = body + size;
  if (kind === RECORDS) return { kind, body, end, rows: checkBatch(source, header, body, size, columns) };
  if (kind === DICTIONARY) return { kind, body, end, rows: checkBatch(source, header?.table(1), body, size, [0]) };
  if (kind !== SCHEMA) throw new Error(`the message at byte ${at} is of an unknown kind`);
  return { kind, body, end, rows: 0, columns: checkSchema(header) };
}

/** @returns the place of each column in the list of lengths that a batch has, where a list follows its column's own */
function checkSchema(schema: FlatTable | undefined): number[] {
  if (!schema) throw new Error("it has no schema");
  const columns: number[] = [];
  let place = 0;
  for (const field of schema.tables(1)) {
    columns.push(place);
    place += checkField(field);
  }
  checkPairs(schema, 2);
  schema.vector(3, 8);
  return columns;
}

/** @returns how many lengths a batch has for the column */
function checkField(field: FlatTable): number {
  field.vector(0, 1);
  const kind = field.byte(2);
  const type = field.table(3);
  if (!type) throw new Error("a column has no type");
  // Whatever they are, their own fields have at most 8 bytes.
  for (let f = 0; f < type.count; f++) type.find(f, 1);
  if (kind === TIMESTAMP) type.vector(1, 1);
  if (kind === UNION) type.vector(1, 4);
  const dictionary = field.table(4);
  dictionary?.table(1);
  let lengths = 1;
  for (const child of field.tables(5)) lengths += checkField(child);
  checkPairs(field, 6);
  // What a dictionary holds is in batches of its own.
  return dictionary ? 1 : lengths;
}

/** Names and values of one's own. */
function checkPairs(table: FlatTable, field: number): void {
  for (const pair of table.tables(field)) {
    pair.vector(0, 1);
    pair.vector(1, 1);
  }
}

/** Checks lengths of columns and extents of buffers; returns the number of rows. No column has more values than its buffers have bits. */
function checkBatch(
  source: ByteSource,
  batch: FlatTable | undefined,
  body: number,
  size: number,
  columns: readonly number[],
): number {
  if (!batch) throw new Error("a batch is empty");
  const buffers = batch.longs(batch.vector(2, 16), 2);
  const packing = batch.table(3);
  const densest = packing && (packing.byte(0) === 0 ? DENSEST.LZ4 : DENSEST.ZSTD);
  let stored = 0;
  let bytes = 0;
  for (let b = 0; b < buffers.length; b += 2) {
    const [at, length] = [buffers[b], buffers[b + 1]];
    if (!(at >= 0 && length >= 0 && at + length <= size)) throw new Error("a column ends after its batch");
    stored += length;
    bytes += densest !== undefined && length > 0 ? readUnpacked(source, body + at, length, densest) : length;
  }
  if (stored > size) throw new Error("its columns overlap");
  const nodes = batch.longs(batch.vector(1, 16), 2);
  const rows = batch.long(0);
  for (const [n, length] of [rows, ...nodes].entries()) {
    // Rows, then values and missing values of each column.
    const most = n === 0 || n % 2 === 1 ? 8 * bytes : nodes[n - 2];
    if (!(length >= 0 && length <= most)) throw new Error(`a column claims ${length} values`);
  }
  for (const place of columns) {
    if (nodes[2 * place] !== rows) throw new Error(`a column has ${nodes[2 * place]} of ${rows} values`);
  }
  for (const count of batch.longs(batch.vector(4, 8), 1)) {
    if (!(count >= 0 && count <= buffers.length)) throw new Error("a column has too few buffers");
  }
  return rows;
}

/** What a packed buffer claims to become; −1 in its place says that it is not packed. */
function readUnpacked(source: ByteSource, at: number, length: number, densest: number): number {
  if (length < 8) throw new Error("a column is packed and has no size");
  const claimed = readLong(viewOf(source.read(at, 8)), 0);
  if (claimed === -1) return length - 8;
  if (!(claimed >= 0 && claimed <= densest * length)) throw new Error("a column claims to be larger than it can be");
  return claimed;
}

function decode(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
