import { type Data, DataType, type RecordBatch } from "apache-arrow";

/** Checks that a batch has all values it claims, and that offsets and places in dictionaries lie within what they are for. */
export function checkValues(batch: RecordBatch): void {
  for (const column of batch.data.children) checkColumn(column, batch.numRows);
}

function checkColumn(column: Data, rows: number): void {
  const { type, length, values, valueOffsets, nullBitmap, nullCount, children, dictionary } = column;
  if (length !== rows) throw new Error(`a column has ${length} of ${rows} values`);
  if (nullCount > 0 && (nullBitmap?.byteLength ?? 0) * 8 < length) throw new Error("a column ends early");
  if (nullBitmap && nullBitmap.byteLength * 8 >= length && countMissing(column) !== nullCount)
    throw new Error(`a column claims ${nullCount} missing values`);
  if (DataType.isDictionary(type)) {
    checkCodes(column, dictionary?.length ?? 0);
    for (const data of dictionary?.data ?? []) checkColumn(data, data.length);
  } else if ((values?.byteLength ?? 0) * 8 < length * bitsOf(type)) throw new Error("a column ends early");
  if (DataType.isFixedSizeList(type)) checkColumn(children[0], length * type.listSize);
  else if (DataType.isStruct(type)) for (const child of children) checkColumn(child, length);
  else if (hasOffsets(type)) {
    const [child] = children;
    checkOffsets(valueOffsets, length, child?.length ?? values?.length ?? 0);
    if (child) checkColumn(child, child.length);
  }
}

function countMissing({ nullBitmap, offset, length }: Data): number {
  let count = 0;
  for (let i = offset; i < offset + length; i++) if ((nullBitmap[i >> 3] & (1 << (i & 7))) === 0) count++;
  return count;
}

function hasOffsets(type: DataType): boolean {
  return (
    DataType.isUtf8(type) ||
    DataType.isLargeUtf8(type) ||
    DataType.isBinary(type) ||
    DataType.isLargeBinary(type) ||
    DataType.isList(type) ||
    DataType.isMap(type)
  );
}

/** Bits of a value, for types whose values are all as long. */
function bitsOf(type: DataType): number {
  if (DataType.isBool(type)) return 1;
  if (DataType.isInt(type) || DataType.isTime(type) || DataType.isDecimal(type)) return type.bitWidth;
  if (DataType.isFloat(type)) return 16 << type.precision;
  if (DataType.isDate(type)) return 32 << type.unit;
  if (DataType.isTimestamp(type) || DataType.isDuration(type)) return 64;
  if (DataType.isFixedSizeBinary(type)) return 8 * type.byteWidth;
  return 0;
}

function checkOffsets(offsets: ArrayLike<number | bigint> | undefined, length: number, most: number): void {
  if (length === 0) return;
  if (!offsets || offsets.length <= length) throw new Error("a column ends early");
  let last = 0;
  for (let i = 0; i <= length; i++) {
    const offset = Number(offsets[i]);
    if (!(offset >= last && offset <= most)) throw new Error("the texts or lists of a column overlap");
    last = offset;
  }
}

/** Places of missing values may hold anything. */
function checkCodes(column: Data, size: number): void {
  const codes = column.values as ArrayLike<number | bigint>;
  if (codes.length < column.length) throw new Error("a column ends early");
  for (let i = 0; i < column.length; i++) {
    const code = Number(codes[i]);
    if (code >= 0 && code < size) continue;
    if (column.nullCount === 0 || column.getValid(i)) throw new Error(`there is no entry ${code} in a dictionary`);
  }
}
