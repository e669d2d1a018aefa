import type { TablePlan } from "bonmf-data";
import {
  type AsyncBuffer,
  asyncBufferFromFile,
  type ColumnMetaData,
  type FileMetaData,
  parquetMetadataAsync,
  type SchemaElement,
} from "hyparquet";
import { indexColumns } from "../../duckdb/column-index.js";
import type { File } from "../../files/bytes.js";
import { type ColumnChunk, NUMBER_TYPES, type NumberType } from "./job.js";
import { checkThrift, FILE } from "./thrift.js";

/** A row group: for each feature where its values are. */
export interface RowGroup {
  readonly rows: number;
  readonly chunks: readonly ColumnChunk[];
  /** Bytes of all chunks, decompressed. */
  readonly bytes: number;
}

/** The metadata of each file; null where a column is nested. */
export async function readMetadata(files: readonly File[]): Promise<FileMetaData[] | null> {
  const found: FileMetaData[] = [];
  for (const { path } of files) {
    const buffer = await asyncBufferFromFile(path);
    await checkFooter(buffer);
    const metadata = await parquetMetadataAsync(buffer, { geoparquet: false });
    const [root, ...columns] = metadata.schema;
    if (columns.length !== root.num_children || columns.some(isRepeated)) return null;
    found.push(metadata);
  }
  return found;
}

/** The length of the footer, then "PAR1". */
async function checkFooter(buffer: AsyncBuffer): Promise<void> {
  const end = buffer.byteLength - 8;
  const length = new DataView(await buffer.slice(end)).getUint32(0, true);
  checkThrift(new Uint8Array(await buffer.slice(Math.max(0, end - length), end)), FILE);
}

function isRepeated({ repetition_type }: SchemaElement): boolean {
  return repetition_type === "REPEATED";
}

/** The columns of a file that is not nested. */
export function listColumns({ schema }: FileMetaData): { name: string; type: string; number: boolean }[] {
  return schema.slice(1).map((column) => ({ name: column.name, type: nameType(column), number: !!numberType(column) }));
}

/** Equal for columns of the same type. */
function nameType({ type, type_length, converted_type, scale, precision, logical_type }: SchemaElement): string {
  return JSON.stringify([type, type_length, converted_type, scale, precision, logical_type]);
}

const ENCODINGS = new Set(["PLAIN", "PLAIN_DICTIONARY", "RLE_DICTIONARY", "RLE", "BIT_PACKED"]);

/**
 * Where the values of the planned columns are, row group by row group. Null where one is not a column of plain numbers
 * of the same type in all files, in the usual encodings, with no missing value known.
 */
export function findRowGroups({ parts }: TablePlan, files: readonly FileMetaData[]): RowGroup[] | null {
  if (parts.some(({ values, decimal }) => values || decimal)) return null;
  const groups: RowGroup[] = [];
  let first: string | undefined;
  for (const [file, metadata] of files.entries()) {
    const columns = metadata.schema.slice(1);
    const find = indexColumns(columns);
    const places = parts.map(({ column }) => find(column));
    const types = places.flatMap((c) => (c < 0 ? [] : (numberType(columns[c]) ?? [])));
    if (types.length < parts.length) return null;
    const found = places.map((c) => nameType(columns[c])).join();
    first ??= found;
    if (found !== first) return null;
    for (const group of metadata.row_groups) {
      const rows = Number(group.num_rows);
      let bytes = 0;
      const chunks: ColumnChunk[] = [];
      for (const [p, c] of places.entries()) {
        const data = group.columns[c]?.meta_data;
        const { codec, num_values, total_uncompressed_size, encodings = [] } = data ?? {};
        const usual = encodings.every((name) => ENCODINGS.has(name)) && Number(num_values) === rows;
        if (!data || !usual || !belongs(data, columns[c]) || Number(data.statistics?.null_count ?? 0) > 0) return null;
        if (codec !== "SNAPPY" && codec !== "UNCOMPRESSED") return null;
        bytes += Number(total_uncompressed_size);
        const start = Math.min(
          Number(data.data_page_offset),
          Number(data.dictionary_page_offset || data.data_page_offset),
        );
        const end = start + Number(data.total_compressed_size);
        const optional = columns[c].repetition_type === "OPTIONAL";
        chunks.push({ file, values: rows, start, end, type: types[p], snappy: codec === "SNAPPY", optional });
      }
      if (rows > 0) groups.push({ rows, chunks, bytes });
    }
  }
  return groups;
}

/** Whether a chunk is of the column that the schema has in its place. */
function belongs(data: ColumnMetaData, { name, type }: SchemaElement): boolean {
  return data.type === type && data.path_in_schema.length === 1 && data.path_in_schema[0] === name;
}

/** Null for decimals, dates and whatever else is not a plain number. */
function numberType({ type, converted_type, logical_type }: SchemaElement): NumberType | null {
  const plain = converted_type === undefined && logical_type === undefined;
  if (type === "FLOAT" || type === "DOUBLE") return plain ? (type === "FLOAT" ? "f32" : "f64") : null;
  if (type !== "INT32" && type !== "INT64") return null;
  if (logical_type && logical_type.type !== "INTEGER") return null;
  if (converted_type && !/^U?INT_\d+$/.test(converted_type)) return null;
  const signed = logical_type ? logical_type.isSigned : !converted_type?.startsWith("U");
  const stored = type === "INT32" ? 32 : 64;
  const bits = logical_type ? logical_type.bitWidth : Number(converted_type?.replace(/^U?INT_/, "") ?? stored);
  if (type === "INT64" ? bits !== 64 : bits > 32) return null;
  return NUMBER_TYPES.find((name) => name === `${signed ? "i" : "u"}${bits}`) ?? null;
}
