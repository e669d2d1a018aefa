// Parquet's RLE / bit-packing hybrid: a run is one value many times, or values of `width` bits each, in groups of eight.

@unmanaged
class Runs {
  /** Where the next run begins. */
  next: usize;
  end: usize;
  width: u32;
  /** Values left in this run. */
  left: u32;
  /** Its packed values, or 0 for one value many times. */
  packed: usize;
  value: u32;
  /** Packed values taken so far. */
  taken: u32;
}

export function start(r: Runs, at: usize, end: usize, width: u32): void {
  r.next = at;
  r.end = end;
  r.width = width;
  r.left = 0;
}

function open(r: Runs): bool {
  let p = r.next;
  let head: u32 = 0;
  for (let shift: u32 = 0; ; shift += 7) {
    if (p >= r.end || shift > 28) return false;
    const byte = load<u8>(p++);
    head |= (<u32>(byte & 127)) << shift;
    if (byte < 128) break;
  }
  const count = head >> 1;
  const bytes: u64 = head & 1 ? <u64>count * r.width : (r.width + 7) >> 3;
  if (bytes > <u64>(r.end - p) || count > 0x8000000) return false;
  if (head & 1) {
    r.left = count << 3;
    r.packed = p;
    r.taken = 0;
  } else {
    r.left = count;
    r.packed = 0;
    r.value = bytes == 0 ? 0 : load<u32>(p) & (0xffffffff >> (32 - (<u32>bytes << 3)));
    if ((<u64>r.value) >> r.width != 0) return false;
  }
  r.next = p + <usize>bytes;
  return true;
}

// Writes the dictionary's values for the next `count` codes; `table` has a value for each code of `width` bits. False
// where the runs end.
export function lookUp(r: Runs, table: usize, out: usize, count: u32): bool {
  while (count > 0) {
    if (r.left == 0) {
      if (!open(r)) return false;
      continue;
    }
    const n = min(count, r.left);
    if (r.packed == 0) {
      const value = load<f32>(table + ((<usize>r.value) << 2));
      for (let i: u32 = 0; i < n; i++) store<f32>(out + ((<usize>i) << 2), value);
    } else lookUpPacked(r, table, out, n);
    out += (<usize>n) << 2;
    r.taken += n;
    r.left -= n;
    count -= n;
  }
  return true;
}

@inline
function look(table: usize, codes: u64, mask: u64): f32 {
  return load<f32>(table + ((<usize>(codes & mask)) << 2));
}

function lookUpPacked(r: Runs, table: usize, out: usize, n: u32): void {
  const width: u64 = r.width;
  const mask: u64 = (1 << width) - 1;
  const end = out + ((<usize>n) << 2);
  let bit: u64 = <u64>r.taken * width;
  // Eight codes are `width` bytes; four of up to 15 bits, and half a byte before them, are in one word.
  if (width < 16 && (r.taken & 7) == 0) {
    const half = <usize>(width >> 1);
    const odd: u64 = (width & 1) << 2;
    let p = r.packed + <usize>(bit >> 3);
    for (; out + 32 <= end; out += 32, p += <usize>width, bit += width << 3) {
      let codes = load<u64>(p);
      store<f32>(out, look(table, codes, mask));
      store<f32>(out, look(table, (codes >>= width), mask), 4);
      store<f32>(out, look(table, (codes >>= width), mask), 8);
      store<f32>(out, look(table, (codes >>= width), mask), 12);
      codes = load<u64>(p + half) >> odd;
      store<f32>(out, look(table, codes, mask), 16);
      store<f32>(out, look(table, (codes >>= width), mask), 20);
      store<f32>(out, look(table, (codes >>= width), mask), 24);
      store<f32>(out, look(table, (codes >>= width), mask), 28);
    }
  }
  for (; out < end; out += 4, bit += width) {
    store<f32>(out, look(table, load<u64>(r.packed + <usize>(bit >> 3)) >> (bit & 7), mask));
  }
}

// Whether the next `count` values of one bit are 1: the definition levels of a column without missing values.
export function areAllOne(r: Runs, count: u32): bool {
  while (count > 0) {
    if (r.left == 0) {
      if (!open(r)) return false;
      continue;
    }
    const n = min(count, r.left);
    if (r.packed == 0 && r.value != 1) return false;
    if (r.packed != 0) {
      for (let i: u32 = 0; i < n; i++) {
        if (((load<u8>(r.packed + <usize>(i >> 3)) >> <u8>(i & 7)) & 1) == 0) return false;
      }
    }
    r.left -= n;
    count -= n;
  }
  return true;
}
