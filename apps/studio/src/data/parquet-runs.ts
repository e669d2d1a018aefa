// The lengths inside a page of a Parquet file, followed without decoding: hyparquet believes them, and one wrong byte would keep it
// busy for ever. What is refused here is refused by other readers too.

/** A place in a page; the functions here move it on. */
export interface Cursor {
  readonly view: DataView;
  offset: number;
}

/** Levels and dictionary indices have no more bits. */
const WIDEST = 32;

/**
 * Follows runs of equal values and of packed bits until there are `count` values.
 *
 * @param width bits of a value
 * @returns how many of the values are `wanted`
 */
export function followRuns(cursor: Cursor, width: number, count: number, wanted = -1): number {
  if (!(width <= WIDEST)) throw new Error(`a value of ${width} bits`);
  const { view } = cursor;
  const bytes = (width + 7) >> 3;
  let seen = 0;
  let found = 0;
  while (seen < count) {
    const header = readNumber(cursor);
    const length = Math.floor(header / 2);
    if (header % 2 === 0) {
      if (length > count - seen) throw new Error(`a run of ${length} values where ${count - seen} are left`);
      let value = 0;
      for (let b = 0; b < bytes; b++) value += view.getUint8(cursor.offset++) * 2 ** (8 * b);
      if (value === wanted) found += length;
      seen += length;
    } else {
      // Eight values a group; the last group may be filled up.
      if (width === 0 && 8 * length >= count - seen + 8) throw new Error(`${length} groups for ${count - seen} values`);
      if (wanted >= 0) found += countPacked(cursor, width, Math.min(8 * length, count - seen), wanted);
      // The package reads a byte of a run that has none.
      cursor.offset += length * width || 1;
      seen += 8 * length;
    }
  }
  return found;
}

/** How many of packed values are `wanted`. */
function countPacked({ view, offset }: Cursor, width: number, count: number, wanted: number): number {
  let found = 0;
  for (let i = 0; i < count; i++) {
    let value = 0;
    for (let b = 0; b < width; b++) {
      const bit = i * width + b;
      value += ((view.getUint8(offset + (bit >> 3)) >> (bit & 7)) & 1) * 2 ** b;
    }
    if (value === wanted) found++;
  }
  return found;
}

/** Follows blocks of differences until there are `count` values. */
export function followDeltas(cursor: Cursor, count: number): void {
  const { view } = cursor;
  const size = readNumber(cursor);
  const parts = readNumber(cursor);
  const each = size / parts;
  if (!(parts >= 1 && each >= 32 && each % 32 === 0)) throw new Error(`blocks of ${size} values in ${parts} parts`);
  readNumber(cursor);
  skipLong(cursor);
  for (let seen = 1; seen < count; ) {
    skipLong(cursor);
    const widths = cursor.offset;
    if (widths + parts > view.byteLength) throw new Error("a block ends after its page");
    cursor.offset += parts;
    for (let part = 0; part < parts && seen < count; part++) {
      cursor.offset += (view.getUint8(widths + part) * each) / 8;
      seen += each;
    }
  }
}

/** An unsigned number of at most 32 bits, seven of them a byte. */
function readNumber(cursor: Cursor): number {
  let value = 0;
  for (let b = 0; b < 5; b++) {
    const byte = cursor.view.getUint8(cursor.offset++);
    value += (byte & 0x7f) * 2 ** (7 * b);
    if (byte < 0x80 && value < 2 ** 32) return value;
  }
  throw new Error("a number of more than 32 bits");
}

/** Skips a number of at most 64 bits. */
function skipLong(cursor: Cursor): void {
  for (let b = 0; b < 10; b++) if (cursor.view.getUint8(cursor.offset++) < 0x80) return;
  throw new Error("a number of more than 64 bits");
}
