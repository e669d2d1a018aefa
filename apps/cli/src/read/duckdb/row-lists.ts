/** What DuckDB's vectors of FLOAT[] are inside; asking them value by value would take ten times as long. */
export interface RowLists {
  /** For each list where it begins among the items, and how long it is. */
  readonly entryData: BigUint64Array;
  readonly childData: {
    readonly items: Float32Array;
    /** A bit for each item, 0 where it is NULL; null where none is. */
    readonly validity: { readonly data: BigUint64Array | null };
  };
}

/** Copies lists from … to − 1, of m values each; NaN where one is NULL, and then returns false. */
export function copyRows(lists: RowLists, from: number, to: number, m: number, out: Float32Array): boolean {
  const { items, validity } = lists.childData;
  const at = (i: number) => Number(lists.entryData[2 * i]);
  let whole = true;
  // DuckDB puts one list after the other, but does not promise it.
  for (let i = from; i < to; ) {
    const start = at(i);
    let next = i + 1;
    while (next < to && at(next) === start + (next - i) * m) next++;
    const count = (next - i) * m;
    const place = (i - from) * m;
    out.set(items.subarray(start, start + count), place);
    for (const p of findMissing(validity.data, start, count)) {
      out[place + p] = Number.NaN;
      whole = false;
    }
    i = next;
  }
  return whole;
}

/** Which of `count` items from `from` on are NULL, counted from there. */
function findMissing(data: BigUint64Array | null, from: number, count: number): number[] {
  const missing: number[] = [];
  if (data === null) return missing;
  const words = new Uint32Array(data.buffer, data.byteOffset, data.length * 2);
  for (let i = from; i < from + count; ) {
    const word = words[i >>> 5];
    if (word === 0xffffffff) i = ((i >>> 5) + 1) << 5;
    else {
      if (((word >>> (i & 31)) & 1) === 0) missing.push(i - from);
      i++;
    }
  }
  return missing;
}

/** Whether all are: a sum in 64 bits of 32-bit numbers is finite unless one of them is not. */
export function areFinite(items: Float32Array): boolean {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = 0;
  for (; i + 4 <= items.length; i += 4) {
    a += items[i];
    b += items[i + 1];
    c += items[i + 2];
    d += items[i + 3];
  }
  for (; i < items.length; i++) a += items[i];
  return Number.isFinite(a + b + c + d);
}
