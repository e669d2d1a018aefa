// Snappy's block format: the length, then literals and copies of earlier output.

// Decompresses bytes from … end − 1 to `out`, which has room for `length` bytes and 16 more. False where the result is
// not `length` bytes long.
export function unpackSnappy(from: usize, end: usize, out: usize, length: u32): bool {
  let claimed: u32 = 0;
  for (let shift: u32 = 0; ; shift += 7) {
    if (from >= end || shift > 28) return false;
    const byte = load<u8>(from++);
    claimed |= (<u32>(byte & 127)) << shift;
    if (byte < 128) break;
  }
  if (claimed != length) return false;
  const first = out;
  const last = out + <usize>length;
  while (from < end) {
    const tag: u32 = load<u8>(from++);
    const kind = tag & 3;
    if (kind == 0) {
      let size = (tag >> 2) + 1;
      if (size > 60) {
        const more = size - 60;
        size = (load<u32>(from) & (0xffffffff >> ((4 - more) << 3))) + 1;
        from += <usize>more;
      }
      if (size > <u32>(last - out) || from + <usize>size > end) return false;
      memory.copy(out, from, <usize>size);
      out += <usize>size;
      from += <usize>size;
      continue;
    }
    let size: u32;
    let back: u32;
    if (kind == 1) {
      size = ((tag >> 2) & 7) + 4;
      back = ((tag >> 5) << 8) | load<u8>(from);
      from += 1;
    } else {
      size = (tag >> 2) + 1;
      back = kind == 2 ? load<u16>(from) : load<u32>(from);
      from += kind == 2 ? 2 : 4;
    }
    if (back == 0 || back > <u32>(out - first) || size > <u32>(last - out)) return false;
    const stop = out + <usize>size;
    // Eight bytes at once may write beyond the copy: the next one, or the 16 spare bytes, are there.
    if (back >= 8) for (let p = out; p < stop; p += 8) store<u64>(p, load<u64>(p - <usize>back));
    else for (let p = out; p < stop; p++) store<u8>(p, load<u8>(p - <usize>back));
    out = stop;
  }
  return out == last && from == end;
}
