/**
 * The LZ4 frame format (github.com/lz4/lz4, doc/lz4_Frame_format.md and lz4_Block_format.md), as Arrow files have it.
 * Checksums are passed over: Arrow's buffers have lengths that are checked.
 */
export function decodeLz4(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 7 || view.getUint32(0, true) !== MAGIC || bytes[4] >> 6 !== 1) throw damaged();
  const [blockChecksum, hasSize, hasDictionary] = [16, 8, 1].map((bit) => (bytes[4] & bit) !== 0);
  let at = 7 + (hasSize ? 8 : 0) + (hasDictionary ? 4 : 0);
  const out = new Output(4 * bytes.length);
  for (;;) {
    if (at + 4 > bytes.length) throw damaged();
    const head = view.getUint32(at, true);
    if (head === 0) return out.take();
    const end = at + 4 + (head & 0x7fffffff);
    if (end > bytes.length) throw damaged();
    const block = bytes.subarray(at + 4, end);
    if (head >>> 31 === 1) out.add(block, 0, block.length);
    else decodeBlock(block, out);
    at = end + (blockChecksum ? 4 : 0);
  }
}

const MAGIC = 0x184d2204;
/** Matches are at least this long. */
const SHORTEST = 4;

/** Literals, then a match in what was written before; and so on, ending with literals. */
function decodeBlock(block: Uint8Array, out: Output): void {
  let at = 0;
  const extend = (length: number) => {
    if (length < 15) return length;
    let total = length;
    for (;;) {
      if (at >= block.length) throw damaged();
      const more = block[at++];
      total += more;
      if (more < 255) return total;
    }
  };
  while (at < block.length) {
    const token = block[at++];
    const literals = extend(token >> 4);
    if (at + literals > block.length) throw damaged();
    out.add(block, at, literals);
    at += literals;
    if (at === block.length) return;
    if (at + 2 > block.length) throw damaged();
    const back = block[at] | (block[at + 1] << 8);
    at += 2;
    out.repeat(back, extend(token & 15) + SHORTEST);
  }
}

class Output {
  #bytes: Uint8Array;
  #length = 0;

  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
  }

  add(from: Uint8Array, start: number, length: number): void {
    this.#reserve(length);
    this.#bytes.set(from.subarray(start, start + length), this.#length);
    this.#length += length;
  }

  /** A match may reach into itself, so its bytes are copied one by one. */
  repeat(back: number, length: number): void {
    if (back === 0 || back > this.#length) throw damaged();
    this.#reserve(length);
    const bytes = this.#bytes;
    let p = this.#length;
    for (const end = p + length; p < end; p++) bytes[p] = bytes[p - back];
    this.#length = p;
  }

  take(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #reserve(length: number): void {
    if (this.#length + length <= this.#bytes.length) return;
    const larger = new Uint8Array(2 * (this.#length + length));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

function damaged(): Error {
  return new Error("an LZ4 buffer is damaged or cut short");
}
