import { BIGINT, DOUBLE, type DuckDBType, type DuckDBValue, VARCHAR } from "@duckdb/node-api";
import { type ArffAttribute, ArffReader, type ArffValue } from "bonmf-data";
import { UserError } from "../../errors.js";
import type { ReadOptions } from "../data.js";
import { CHUNK, type Values, writeParquet } from "../duckdb/write-parquet.js";
import type { File } from "../files/bytes.js";
import { readBlocks } from "../files/lines.js";

const TYPES: Record<ArffAttribute["type"], DuckDBType> = { number: DOUBLE, whole: BIGINT, text: VARCHAR };

/** Whether the rows of an ARFF file are sparse. */
export async function isSparseArff(file: File, options: ReadOptions): Promise<boolean> {
  const reader = new ArffReader(file.name);
  for await (const line of readLines(file, { ...options, onProgress: undefined })) {
    if (reader.read(line) || reader.sparse) break;
  }
  return reader.sparse;
}

/** Writes an ARFF file as Parquet: numbers as such, nominal attributes, texts and dates as text. */
export async function arffToParquet(file: File, path: string, options: ReadOptions): Promise<ArffReader> {
  const reader = new ArffReader(file.name);
  const lines = readLines(file, options);
  // The attributes are known with the first row.
  let first: ArffValue[] | null = null;
  for (let next = await lines.next(); !next.done && first === null; ) {
    first = reader.read(next.value);
    if (reader.sparse) throw refuseSparse(file.name);
    if (first === null) next = await lines.next();
  }
  if (first === null) reader.finish();
  const fields = reader.attributes.map(({ name, type }) => ({ name, type: TYPES[type] }));
  await writeParquet(path, file.name, fields, readChunks(reader, first as ArffValue[], lines), options);
  return reader;
}

async function* readLines(file: File, options: ReadOptions): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  for await (const { bytes } of readBlocks(file, options, CHUNK))
    yield* decoder.decode(bytes).replace(/\n$/, "").split("\n");
}

async function* readChunks(
  reader: ArffReader,
  first: ArffValue[],
  lines: AsyncGenerator<string, undefined>,
): AsyncGenerator<Values[]> {
  const columns: ArffValue[][] = first.map((value) => [value]);
  const take = () => {
    const taken = columns.map((values, c) => toValues(values, reader.attributes[c]));
    for (const values of columns) values.length = 0;
    return taken;
  };
  for await (const line of lines) {
    const row = reader.read(line);
    if (row === null) continue;
    for (let c = 0; c < row.length; c++) columns[c].push(row[c]);
    if (columns[0].length === CHUNK) yield take();
  }
  if (columns[0].length > 0) yield take();
}

function toValues(values: readonly ArffValue[], { type }: ArffAttribute): Values {
  if (type === "number" && !values.includes(null)) return Float64Array.from(values as number[]);
  if (type !== "whole") return values.slice() as DuckDBValue[];
  return values.map((value) => (value === null ? null : BigInt(value)));
}

function refuseSparse(name: string): UserError {
  return new UserError(
    `${name}: its rows are sparse, and such files are read only as they are`,
    "omit --one-hot, --numbers, --missing, --features, --exclude, --id, --weight, --text and --sql",
  );
}
