import {
  DataType,
  type Decimal,
  type MapRow,
  type RecordBatch,
  RecordBatchReader,
  type StructRow,
  Table,
  tableToIPC,
  type Vector,
  vectorFromArray,
} from "apache-arrow";
import { checkArrow } from "bonmf/io";
import { SparkError } from "./error.js";
import type { Row } from "./session.js";

/** The batches in one Arrow stream. Its lengths are checked first: the package believes them, and waits or allocates without end. */
export function* decodeBatches(data: Uint8Array): Generator<RecordBatch, void, void> {
  try {
    checkArrow({ size: data.length, read: (at, length) => data.subarray(at, at + length) });
    yield* RecordBatchReader.from(data);
  } catch (cause) {
    throw new SparkError("protocol", "the server sent rows that are not an Arrow stream", {}, { cause });
  }
}

/** An Arrow stream for Spark, which reads no dictionaries: their values are written out. */
export function encodeTable(table: Table): Uint8Array {
  const plain: Record<string, Vector> = Object.create(null);
  for (const { name, type } of table.schema.fields)
    if (DataType.isDictionary(type))
      plain[name] = vectorFromArray([...table.getChild(name)!], type.dictionary as DataType);
  return tableToIPC(Object.keys(plain).length === 0 ? table : table.assign(new Table(plain)), "stream");
}

/** The rows of a batch as plain objects. */
export function readRows(batch: RecordBatch): Row[] {
  const columns = batch.schema.fields.map(({ name, type }, index) => ({
    name,
    type,
    values: batch.getChildAt(index)!,
  }));
  return Array.from({ length: batch.numRows }, (_, row) =>
    Object.fromEntries(columns.map(({ name, type, values }) => [name, simplify(values.get(row), type)])),
  );
}

function simplify(value: unknown, type: DataType): unknown {
  if (value === null || value === undefined) return null;
  if (DataType.isList(type)) return Array.from(value as Vector, (item) => simplify(item, type.children[0].type));
  if (DataType.isStruct(type)) {
    const fields = new Map<unknown, DataType>(type.children.map(({ name, type }) => [name, type]));
    return Object.fromEntries(
      Array.from(value as StructRow, ([name, item]) => [name, simplify(item, fields.get(name)!)]),
    );
  }
  if (DataType.isMap(type)) {
    const [key, item] = type.children[0].type.children;
    return new Map(Array.from(value as MapRow, ([k, v]) => [simplify(k, key.type), simplify(v, item.type)]));
  }
  if (DataType.isDecimal(type)) return writeDecimal(value as Uint32Array, type);
  if (DataType.isDate(type) || DataType.isTimestamp(type)) return new Date(value as number);
  return value;
}

/** 128 bits, the lowest 32 first, in two's complement. */
function writeDecimal(words: Uint32Array, { scale }: Decimal): string {
  const raw = words.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n);
  const whole = BigInt.asIntN(words.length * 32, raw);
  const digits = String(whole < 0n ? -whole : whole).padStart(scale + 1, "0");
  const at = digits.length - scale;
  const text = scale > 0 ? `${digits.slice(0, at)}.${digits.slice(at)}` : digits;
  return whole < 0n ? `-${text}` : text;
}
