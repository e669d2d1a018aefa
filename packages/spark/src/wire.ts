/** Plain data with typed arrays in it as one line of text, for what passes between the client, Spark and its executors. */

const ARRAYS = { f32: Float32Array, f64: Float64Array, u8: Uint8Array, u16: Uint16Array, u32: Uint32Array } as const;
type Kind = keyof typeof ARRAYS;
type Arrays = InstanceType<(typeof ARRAYS)[Kind]>;

/** Where an array lies behind the JSON that mentions it. */
interface Mention {
  readonly $array: Kind;
  readonly at: number;
  readonly length: number;
}

const ALIGN = 8;
const align = (bytes: number) => Math.ceil(bytes / ALIGN) * ALIGN;

export function encode(value: unknown): string {
  const arrays: Arrays[] = [];
  let size = 0;
  const json = Buffer.from(
    JSON.stringify(value, (_, item: unknown) => {
      const kind = kindOf(item);
      if (kind === null) return item;
      const array = item as Arrays;
      const mention: Mention = { $array: kind, at: size, length: array.length };
      arrays.push(array);
      size += align(array.byteLength);
      return mention;
    }),
  );
  const body = align(4 + json.length);
  const bytes = Buffer.alloc(body + size);
  bytes.writeUInt32LE(json.length, 0);
  json.copy(bytes, 4);
  let at = body;
  for (const { buffer, byteOffset, byteLength } of arrays) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += align(byteLength);
  }
  return bytes.toString("base64");
}

/** What `encode` was given; the arrays are views of one buffer. */
export function decode<T>(text: string): T {
  const read = Buffer.from(text, "base64");
  // A small Buffer may lie anywhere in Node's pool; views of 64-bit numbers may not.
  const bytes = read.byteOffset % ALIGN === 0 ? read : Buffer.from(new Uint8Array(read).buffer);
  const length = bytes.readUInt32LE(0);
  const body = bytes.byteOffset + align(4 + length);
  return JSON.parse(bytes.toString("utf8", 4, 4 + length), (_, item: unknown) => {
    if (!isMention(item)) return item;
    return new ARRAYS[item.$array](bytes.buffer, body + item.at, item.length);
  }) as T;
}

function kindOf(item: unknown): Kind | null {
  const kinds = Object.keys(ARRAYS) as Kind[];
  return kinds.find((kind) => item instanceof ARRAYS[kind] && !Buffer.isBuffer(item)) ?? null;
}

function isMention(item: unknown): item is Mention {
  return typeof item === "object" && item !== null && "$array" in item;
}
