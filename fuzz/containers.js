// Files inside files, for targets: ZIP archives and PNG pictures whose checksums fit, so that mutations reach what is
// behind them.
import { crc32, deflateSync } from "node:zlib";

export function encode(text) {
  return new TextEncoder().encode(text);
}

export function join(parts) {
  return new Uint8Array(Buffer.concat(parts));
}

/** @param members [name, content] each, stored; [name, content, packed] where it is deflated */
export function makeZip(members) {
  const parts = [];
  const directory = [];
  let at = 0;
  for (const [name, content, packed] of members) {
    const stored = packed ?? content;
    const local = new DataView(new ArrayBuffer(30));
    local.setUint32(0, 0x04034b50, true);
    const central = new DataView(new ArrayBuffer(46));
    central.setUint32(0, 0x02014b50, true);
    for (const [view, shift] of [
      [local, 0],
      [central, 2],
    ]) {
      view.setUint16(8 + shift, packed ? 8 : 0, true);
      view.setUint32(14 + shift, crc32(content), true);
      view.setUint32(18 + shift, stored.length, true);
      view.setUint32(22 + shift, content.length, true);
      view.setUint16(26 + shift, name.length, true);
    }
    central.setUint32(42, at, true);
    parts.push(new Uint8Array(local.buffer), encode(name), stored);
    directory.push(new Uint8Array(central.buffer), encode(name));
    at += 30 + name.length + stored.length;
  }
  const end = new DataView(new ArrayBuffer(22));
  end.setUint32(0, 0x06054b50, true);
  end.setUint16(8, members.length, true);
  end.setUint16(10, members.length, true);
  end.setUint32(
    12,
    directory.reduce((sum, part) => sum + part.length, 0),
    true,
  );
  end.setUint32(16, at, true);
  return join([...parts, ...directory, new Uint8Array(end.buffer)]);
}

/** Moves the directory's place and the checksums of stored members to what the bytes say, as far as they are one. */
export function repairZip(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const find = (mark, from = 0) => {
    for (let p = from; p + 4 <= bytes.length; p++) if (view.getUint32(p, true) === mark) return p;
    return -1;
  };
  const start = find(0x02014b50);
  const end = find(0x06054b50);
  if (start < 0 || end < 0 || end + 22 > bytes.length) return bytes;
  view.setUint32(end + 12, end - start, true);
  view.setUint32(end + 16, start, true);
  let local = find(0x04034b50);
  for (let at = start; at >= 0 && local >= 0 && at + 46 <= bytes.length; at = find(0x02014b50, at + 4)) {
    view.setUint32(at + 42, local, true);
    if (local + 30 > bytes.length) break;
    const from = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const after = find(0x04034b50, local + 4);
    const to = after < 0 ? start : after;
    if (from > to) break;
    if (view.getUint16(at + 10, true) === 0) {
      view.setUint32(at + 16, crc32(bytes.subarray(from, to)), true);
      view.setUint32(at + 20, to - from, true);
      view.setUint32(at + 24, to - from, true);
    }
    local = after;
  }
  return bytes;
}

/** A NumPy array of 64-bit numbers. */
export function makeNpy(rows, columns) {
  const head = `{'descr': '<f8', 'fortran_order': False, 'shape': (${rows}, ${columns}), }`.padEnd(117);
  const values = Float64Array.from({ length: rows * columns }, (_, i) => ((i * 31) % 977) / 8);
  return join([
    Uint8Array.of(0x93),
    encode("NUMPY\x01\x00\x76\x00"),
    encode(`${head}\n`),
    new Uint8Array(values.buffer),
  ]);
}

/** A grey picture of 8 bits. */
export function makePng(width, height) {
  const head = new DataView(new ArrayBuffer(13));
  head.setUint32(0, width);
  head.setUint32(4, height);
  head.setUint8(8, 8);
  const pixels = new Uint8Array((width + 1) * height);
  const chunk = (type, content) => {
    const out = join([new Uint8Array(4), encode(type), content, new Uint8Array(4)]);
    const view = new DataView(out.buffer, out.byteOffset, out.byteLength);
    view.setUint32(0, content.length);
    view.setUint32(8 + content.length, crc32(out.subarray(4, 8 + content.length)));
    return out;
  };
  const parts = [
    chunk("IHDR", new Uint8Array(head.buffer)),
    chunk("IDAT", deflateSync(pixels)),
    chunk("IEND", new Uint8Array()),
  ];
  return join([Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10), ...parts]);
}

export function repairPng(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at);
    if (at + 12 + length > bytes.length) break;
    view.setUint32(at + 8 + length, crc32(bytes.subarray(at + 4, at + 8 + length)));
    at += 12 + length;
  }
  return bytes;
}
