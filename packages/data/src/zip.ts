import { allowBytes, requireMemory } from "bonmf/io";
import { UserError } from "./errors.js";

/** What Node and browsers have of their own for archives. */
export interface ZipCodec {
  /** Raw Deflate; at most `size` bytes are needed, and undefined says that there are more. */
  inflate(content: Uint8Array, size: number): Promise<Uint8Array | undefined>;
  crc32(bytes: Uint8Array): number;
  /** Bytes that an array can hold. */
  readonly most: number;
}

/** One file in an archive. */
export interface ZipEntry {
  readonly name: string;
  /** Of its content, as the archive claims. */
  readonly size: number;
  /** Its content, unpacked and checked. */
  read(): Promise<Uint8Array>;
}

const END = 0x06054b50;
const END64 = 0x06064b50;
const LOCATOR64 = 0x07064b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const UNKNOWN = 0xffffffff;
/** The best ratio of Deflate: a larger claim is false. */
const BEST_RATIO = 1032;

/**
 * The files of a ZIP archive, by its central directory. Nothing is written to disk; an entry whose sizes or checksum do
 * not agree with its content is refused, and so are archives whose entries share bytes.
 *
 * @param budget bytes that an entry may unpack to
 */
export function listEntries(
  bytes: Uint8Array,
  archive: string,
  codec: ZipCodec,
  budget = allowBytes(bytes.length),
): ZipEntry[] {
  const fail = (message: string) => new UserError(`${archive}: ${message}`, "save or download it again");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const inside = (start: number, length: number) => {
    if (start + length > bytes.length) throw fail("the archive is cut short or damaged");
    return start;
  };
  const directory = findDirectory(view, fail);
  const entries: ZipEntry[] = [];
  let at = directory.start;
  let packed = 0;
  for (let i = 0; i < directory.count; i++) {
    if (view.getUint32(inside(at, 46), true) !== CENTRAL) throw fail("the archive's directory is damaged");
    const [nameLength, extraLength, noteLength] = [28, 30, 32].map((p) => view.getUint16(at + p, true));
    const nameAt = inside(at + 46, nameLength + extraLength + noteLength);
    const entry: Head = {
      name: new TextDecoder().decode(bytes.subarray(nameAt, nameAt + nameLength)),
      flags: view.getUint16(at + 8, true),
      method: view.getUint16(at + 10, true),
      checksum: view.getUint32(at + 16, true),
      ...readSizes(view, at, nameAt + nameLength, extraLength, fail),
    };
    packed += entry.packed;
    if (packed > bytes.length) throw fail("the archive's entries claim more bytes than it has");
    const { name, size } = entry;
    // Decoders hold the pieces and the whole.
    const check = () =>
      requireMemory(2 * size, Math.min(budget, codec.most), `${archive}: ${JSON.stringify(name)} claims ${size} bytes`);
    entries.push({ name, size, read: () => unpack(bytes, entry, codec, fail, check) });
    at = nameAt + nameLength + extraLength + noteLength;
  }
  if (at !== directory.start + directory.size) throw fail("the archive's directory is damaged");
  return entries;
}

interface Head {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly checksum: number;
  readonly packed: number;
  readonly size: number;
  readonly start: number;
}

type Fail = (message: string) => UserError;

/** The directory's place is written at the end, before a comment of up to 64 KB. */
function findDirectory(view: DataView, fail: Fail): Directory {
  const last = view.byteLength - 22;
  for (let p = last; p >= Math.max(0, last - 65_535); p--) {
    if (view.getUint32(p, true) !== END) continue;
    const count = view.getUint16(p + 10, true);
    const start = view.getUint32(p + 16, true);
    // Other readers take the first count, so both must be the same.
    if (view.getUint16(p + 8, true) !== count) throw fail("the archive is one of several parts, or damaged");
    const size = view.getUint32(p + 12, true);
    const wide = findWide(view, p);
    const same = (short: number, long: number, unknown: number) => short === unknown || short === long;
    const agree =
      wide && same(count, wide.count, 0xffff) && same(size, wide.size, UNKNOWN) && same(start, wide.start, UNKNOWN);
    if (agree === false) break;
    return wide ?? { start, size, count };
  }
  throw fail("the archive has no directory at its end: it is cut short, or no archive");
}

/** Where the directory is, its bytes, and how many entries it has. */
interface Directory {
  readonly start: number;
  readonly size: number;
  readonly count: number;
}

/** What ZIP64 says of the directory, before the end at p. */
function findWide(view: DataView, p: number): Directory | undefined {
  if (p < 20 || view.getUint32(p - 20, true) !== LOCATOR64) return undefined;
  const at = Number(view.getBigUint64(p - 12, true));
  if (at + 56 > p || view.getUint32(at, true) !== END64) return undefined;
  const [count, size, start] = [32, 40, 48].map((p) => Number(view.getBigUint64(at + p, true)));
  return { start, size, count };
}

/** ZIP64: an extra field has the sizes that need more than 32 bits, in this order. */
function readSizes(view: DataView, at: number, extra: number, length: number, fail: Fail) {
  const sizes = {
    size: view.getUint32(at + 24, true),
    packed: view.getUint32(at + 20, true),
    start: view.getUint32(at + 42, true),
  };
  const wide = (Object.keys(sizes) as (keyof typeof sizes)[]).filter((key) => sizes[key] === UNKNOWN);
  for (let p = extra; wide.length > 0 && p + 4 <= extra + length; ) {
    const bytes = view.getUint16(p + 2, true);
    if (view.getUint16(p, true) === 1 && bytes >= 8 * wide.length && p + 4 + bytes <= extra + length) {
      for (const [i, key] of wide.entries()) sizes[key] = Number(view.getBigUint64(p + 4 + 8 * i, true));
      return sizes;
    }
    p += 4 + bytes;
  }
  if (wide.length > 0) throw fail("the archive's directory lacks a size");
  return sizes;
}

async function unpack(
  bytes: Uint8Array,
  head: Head,
  codec: ZipCodec,
  fail: Fail,
  check: () => void,
): Promise<Uint8Array> {
  const { name, flags, method, checksum, packed, size, start } = head;
  const wrong = (message: string) => fail(`${JSON.stringify(name)} ${message}`);
  if ((flags & 1) !== 0) throw wrong("is encrypted");
  if (method !== 0 && method !== 8) throw wrong(`is compressed in a way that is not known (method ${method})`);
  if (start + 30 > bytes.length) throw wrong("begins after the end of the archive");
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, 30);
  if (view.getUint32(0, true) !== LOCAL) throw wrong("is not where the directory says");
  const nameLength = view.getUint16(26, true);
  const from = start + 30 + nameLength + view.getUint16(28, true);
  if (new TextDecoder().decode(bytes.subarray(start + 30, start + 30 + nameLength)) !== name)
    throw wrong("has another name in the archive than in its directory");
  if (from + packed > bytes.length) throw wrong("is cut short");
  if (method === 0 ? size !== packed : size > BEST_RATIO * packed + 64) {
    throw wrong(`claims ${size} bytes, which its ${packed} bytes in the archive cannot hold`);
  }
  check();
  const content = bytes.subarray(from, from + packed);
  const plain = method === 0 ? content : await inflateTo(content, size, codec, wrong);
  if (plain.length !== size) throw wrong(`claims ${size} bytes but holds ${plain.length}`);
  if (codec.crc32(plain) !== checksum) throw wrong("is damaged: its checksum does not fit");
  return plain;
}

async function inflateTo(content: Uint8Array, size: number, codec: ZipCodec, wrong: Fail): Promise<Uint8Array> {
  const plain = await codec.inflate(content, size).catch(() => {
    throw wrong("is damaged");
  });
  if (plain === undefined) throw wrong(`holds more than the ${size} bytes it claims`);
  return plain;
}
