import {
  type ColumnMetaData,
  type Compressors,
  type FileMetaData,
  type PageHeader,
  parquetSchema,
  type SchemaTree,
} from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
import { decompressPage } from "hyparquet/src/datapage.js";
import { deltaBinaryUnpack } from "hyparquet/src/delta.js";
import { getMaxDefinitionLevel, getMaxRepetitionLevel, getTreePath, isFlatColumn } from "hyparquet/src/schema.js";
import { type Cursor, followDeltas, followRuns } from "./parquet-runs.js";

/** What is known of a column before its pages are read. */
interface Column {
  readonly metadata: ColumnMetaData;
  readonly rows: number;
  readonly path: readonly SchemaTree[];
  readonly compressors: Compressors;
  /** Bytes that its values may take. */
  readonly allowed: number;
}

/** A value of a list or a level, while it is decoded. */
const VALUE_BYTES = 8;

/**
 * Follows the pages of every column from header to header, and the lengths inside them, and throws where one leads nowhere or a
 * column has other values than it claims: the package believes all of them.
 *
 * @param allowed bytes that the values of a column may take
 */
export function checkPages(
  buffer: ArrayBuffer,
  metadata: FileMetaData,
  compressors: Compressors,
  allowed: number,
): void {
  const { row_groups, num_rows } = metadata;
  const tree = parquetSchema(metadata);
  const rows = row_groups.reduce((sum, group) => sum + group.num_rows, 0n);
  if (rows !== num_rows) throw new Error(`it claims ${num_rows} rows but has ${rows}`);
  for (const { columns, num_rows } of row_groups) {
    if (num_rows < 0) throw new Error("a part has fewer rows than none");
    for (const { meta_data } of columns) {
      if (!meta_data) continue;
      const path = getTreePath(tree, meta_data.path_in_schema);
      checkColumn(buffer, { metadata: meta_data, rows: Number(num_rows), path, compressors, allowed });
    }
  }
}

function checkColumn(buffer: ArrayBuffer, column: Column): void {
  const { data_page_offset, dictionary_page_offset, total_compressed_size, num_values } = column.metadata;
  let at = Number(dictionary_page_offset || data_page_offset);
  const end = at + Number(total_compressed_size);
  if (!(at >= 0 && end >= at && end <= buffer.byteLength)) throw new Error("a column ends after the file");
  if (isFlatColumn([...column.path]) && Number(num_values) !== column.rows) {
    throw new Error(`a column claims ${num_values} values for ${column.rows} rows`);
  }
  if (!(VALUE_BYTES * Number(num_values) <= column.allowed)) throw new Error(`a column claims ${num_values} values`);
  let values = 0;
  let unpacked = 0;
  while (at < end) {
    const reader = { view: new DataView(buffer, at, end - at), offset: 0 };
    const header = parquetHeader(reader);
    const { compressed_page_size: size, uncompressed_page_size } = header;
    if (!(size >= 0 && uncompressed_page_size >= 0)) throw new Error("a page has no size");
    const start = at + reader.offset;
    at = start + size;
    if (at > end) throw new Error("a page ends after its column");
    unpacked += uncompressed_page_size;
    if (unpacked > column.allowed) throw new Error(`a column claims ${unpacked} bytes`);
    values += checkPage(new Uint8Array(buffer, start, size), header, column);
  }
  if (values !== Number(num_values)) throw new Error(`a column claims ${num_values} values but has ${values}`);
}

/** @returns how many values the page has, with those that are missing */
function checkPage(bytes: Uint8Array, header: PageHeader, column: Column): number {
  const { type, dictionary_page_header: dictionary, data_page_header: first, data_page_header_v2: second } = header;
  if (type === "DICTIONARY_PAGE" && dictionary) {
    // A value takes a bit at least.
    if (!(dictionary.num_values <= 8 * header.uncompressed_page_size)) throw new Error("a dictionary is too long");
    return 0;
  }
  const page = type === "DATA_PAGE" ? first : type === "DATA_PAGE_V2" ? second : undefined;
  if (!page) throw new Error(`a page of type ${type}`);
  if (!(page.num_values >= 0)) throw new Error("a page has no values");
  if (second && type === "DATA_PAGE_V2") checkSecond(bytes, header, second, column);
  else checkFirst(bytes, header, page, column);
  return page.num_values;
}

function widthOf(level: number): number {
  return 32 - Math.clz32(level);
}

/** A page of version 1: levels and values are packed together, and each kind of level says how long it is. */
function checkFirst(
  bytes: Uint8Array,
  { uncompressed_page_size }: PageHeader,
  { num_values, encoding }: Pick<NonNullable<PageHeader["data_page_header"]>, "num_values" | "encoding">,
  column: Column,
): void {
  const [repeated, defined] = [getMaxRepetitionLevel([...column.path]), getMaxDefinitionLevel([...column.path])];
  if (repeated === 0 && defined === 0 && encoding === "PLAIN") return;
  const cursor = openPage(decompressPage(bytes, uncompressed_page_size, column.metadata.codec, column.compressors));
  if (repeated > 0) followLevels(cursor, repeated, num_values);
  const present = defined > 0 ? followLevels(cursor, defined, num_values) : num_values;
  const boolean = column.metadata.type === "BOOLEAN";
  if (isRuns(encoding)) checkRuns(cursor, boolean, present, true);
  else checkValues(cursor, encoding, present, column);
}

function followLevels(cursor: Cursor, most: number, count: number): number {
  const length = cursor.view.getUint32(cursor.offset, true);
  cursor.offset += 4;
  const end = cursor.offset + length;
  if (end > cursor.view.byteLength) throw new Error("levels end after their page");
  const found = followRuns(cursor, widthOf(most), count, most);
  cursor.offset = end;
  return found;
}

/** A page of version 2: its header says how long the levels are, which are never compressed. */
function checkSecond(
  bytes: Uint8Array,
  { uncompressed_page_size }: PageHeader,
  header: NonNullable<PageHeader["data_page_header_v2"]>,
  column: Column,
): void {
  const { num_values, num_nulls, num_rows, encoding, is_compressed } = header;
  const { repetition_levels_byte_length: repetitions, definition_levels_byte_length: definitions } = header;
  const levels = repetitions + definitions;
  if (!(repetitions >= 0 && definitions >= 0 && levels <= bytes.length && levels <= uncompressed_page_size)) {
    throw new Error("levels end after their page");
  }
  if (!(num_nulls >= 0 && num_nulls <= num_values)) throw new Error(`${num_nulls} of ${num_values} values are missing`);
  if (!(num_rows >= 0 && num_rows <= num_values)) throw new Error(`${num_values} values for ${num_rows} rows`);
  const [repeated, defined] = [getMaxRepetitionLevel([...column.path]), getMaxDefinitionLevel([...column.path])];
  const cursor = openPage(bytes);
  if (repeated > 0) followRuns(cursor, widthOf(repeated), num_values);
  cursor.offset = repetitions;
  if (defined > 0) {
    const present = followRuns(cursor, widthOf(defined), num_values, defined);
    if (present !== num_values - num_nulls)
      throw new Error(`${num_values - num_nulls} values, but ${present} are there`);
  }
  if (encoding === "PLAIN") return;
  const packed = bytes.subarray(levels);
  const { codec } = column.metadata;
  const size = uncompressed_page_size - levels;
  const values = is_compressed === false ? packed : decompressPage(packed, size, codec, column.compressors);
  const present = num_values - num_nulls;
  if (isRuns(encoding)) checkRuns(openPage(values), encoding === "RLE", present, false);
  else checkValues(openPage(values), encoding, present, column);
}

function openPage(bytes: Uint8Array): Cursor {
  return { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
}

function isRuns(encoding: string): boolean {
  return encoding === "RLE" || encoding === "RLE_DICTIONARY" || encoding === "PLAIN_DICTIONARY";
}

/** @param empty whether a width of 0 means that nothing follows */
function checkRuns(cursor: Cursor, boolean: boolean, count: number, empty: boolean): void {
  if (count === 0) return;
  // Truth values are preceded by their length, others by their width.
  const width = boolean ? 1 : cursor.view.getUint8(cursor.offset);
  cursor.offset += boolean ? 4 : 1;
  if (width > 0 || !empty) followRuns(cursor, width, count);
}

const WIDTHS = new Map([["INT32", 4], ["FLOAT", 4], ["INT64", 8], ["DOUBLE", 8]]); // biome-ignore format: a table

function checkValues(cursor: Cursor, encoding: string, count: number, { metadata, path, allowed }: Column): void {
  if (encoding === "BYTE_STREAM_SPLIT") {
    const width = WIDTHS.get(metadata.type) ?? path[path.length - 1].element.type_length ?? 0;
    if (count * width > cursor.view.byteLength) throw new Error("values end after their page");
  } else if (encoding.startsWith("DELTA_")) {
    const reader = { view: cursor.view, offset: cursor.offset };
    followDeltas(cursor, count);
    if (encoding !== "DELTA_BYTE_ARRAY") return;
    followDeltas(cursor, count);
    // A text may begin as the one before it: many can be made of few bytes.
    const lengths = new Int32Array(count);
    let bytes = 0;
    for (let part = 0; part < 2; part++) {
      deltaBinaryUnpack(reader, count, lengths);
      for (const length of lengths) bytes += Math.max(0, length);
    }
    if (bytes > allowed) throw new Error(`a page claims ${bytes} bytes of text`);
  }
}
