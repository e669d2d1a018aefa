/**
 * The safetensors container (https://github.com/huggingface/safetensors): 8 bytes of little-endian header length, a
 * JSON header padded with spaces, then the numbers of every tensor one after another, little-endian, without gaps.
 * Numbers are read and written in the machine's byte order, which must be little-endian.
 */
import { FormatError, OptionError, quote } from "../errors.js";

export type TensorData = Float32Array | Float64Array | Uint8Array | Uint16Array | Uint32Array | Int32Array;

/** Numbers in row-major order; the product of `shape` is `data.length`, and an empty shape is a single number. */
export interface Tensor {
  readonly shape: readonly number[];
  readonly data: TensorData;
}

/** In the order in which tensors are written, that of the reference library: widest first, so that all are aligned. */
export const TYPES = {
  F64: Float64Array,
  F32: Float32Array,
  U32: Uint32Array,
  I32: Int32Array,
  U16: Uint16Array,
  U8: Uint8Array,
};
export type Dtype = keyof typeof TYPES;
const DTYPES = Object.keys(TYPES) as Dtype[];

const METADATA = "__metadata__";
/** The reference library's limit. */
const LONGEST_HEADER = 100_000_000;

/** Writes tensors and metadata as the bytes of one file. Equal input gives equal bytes. */
export function encodeTensors(tensors: Record<string, Tensor>, metadata: Record<string, string>): Uint8Array {
  const entries = Object.entries(tensors)
    .map(([name, tensor]) => ({ name, dtype: checkTensor(name, tensor), ...tensor }))
    .sort((a, b) => DTYPES.indexOf(a.dtype) - DTYPES.indexOf(b.dtype) || (a.name < b.name ? -1 : 1));

  // Joined by hand: an object would move names that look like numbers to the front and lose "__proto__".
  const fields = Object.keys(metadata).length > 0 ? [`"${METADATA}":${JSON.stringify(metadata)}`] : [];
  let size = 0;
  for (const { name, dtype, shape, data } of entries) {
    const info = { dtype, shape, data_offsets: [size, size + data.byteLength] };
    fields.push(`${JSON.stringify(name)}:${JSON.stringify(info)}`);
    size += data.byteLength;
  }
  const header = new TextEncoder().encode(`{${fields.join(",")}}`);
  const length = Math.ceil(header.length / 8) * 8;

  const out = new Uint8Array(8 + length + size);
  new DataView(out.buffer).setBigUint64(0, BigInt(length), true);
  out.set(header, 8);
  out.fill(0x20, 8 + header.length, 8 + length);
  let at = 8 + length;
  for (const { data } of entries) {
    out.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at);
    at += data.byteLength;
  }
  return out;
}

/**
 * Reads the bytes of a safetensors file. Tensors come in file order; they are views of `bytes` where they are aligned,
 * else copies.
 *
 * @param name begins every error message
 * @throws FormatError for anything malformed
 */
export function decodeTensors(
  bytes: Uint8Array,
  name = "safetensors",
): { tensors: Map<string, Tensor>; metadata: Record<string, string> } {
  const fail = (what: string, cause?: unknown): never => {
    throw new FormatError(`${name}: ${what}`, { cause });
  };
  const { header, start } = readHeader(bytes, fail);
  const available = bytes.length - start;

  const metadata: Record<string, string> = Object.create(null);
  const places: Place[] = [];
  for (const [key, value] of Object.entries(header)) {
    if (key !== METADATA) places.push(readPlace(key, value, available, fail));
    else if (!isRecord(value)) fail(`${METADATA} must be an object of strings, not ${show(value)}`);
    else {
      for (const [field, text] of Object.entries(value)) {
        metadata[field] =
          typeof text === "string" ? text : fail(`${METADATA} ${quote(field)} is ${show(text)}, not a string`);
      }
    }
  }

  places.sort((a, b) => a.begin - b.begin || a.end - b.end);
  const tensors = new Map<string, Tensor>();
  let at = 0;
  for (const { key, dtype, shape, begin, end } of places) {
    if (begin !== at) {
      const what = begin > at ? "leaves a gap" : "overlaps the one before";
      fail(`tensor ${quote(key)} begins at byte ${begin} instead of ${at}, which ${what}`);
    }
    tensors.set(key, { shape, data: view(bytes, start + begin, end - begin, dtype) });
    at = end;
  }
  if (at !== available) fail(`${available - at} bytes follow the last tensor`);
  return { tensors, metadata };
}

type Fail = (what: string, cause?: unknown) => never;

interface Place {
  key: string;
  dtype: Dtype;
  shape: number[];
  begin: number;
  end: number;
}

function readHeader(bytes: Uint8Array, fail: Fail): { header: Record<string, unknown>; start: number } {
  if (bytes.length < 8) fail(`${bytes.length} bytes are too few: the header length alone takes 8`);
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0, true));
  if (length > LONGEST_HEADER)
    fail(`not a safetensors file: it would have a header of ${length} bytes, more than the ${LONGEST_HEADER} allowed`);
  const start = 8 + length;
  if (start > bytes.length) fail(`the header claims ${length} bytes, but only ${bytes.length - 8} follow`);
  let text = "";
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes.subarray(8, start));
  } catch (cause) {
    fail("the header is not UTF-8 text", cause);
  }
  if (text[0] !== "{") fail(`the header must be a JSON object, but it begins with ${quote(text.slice(0, 10))}`);
  try {
    return { header: JSON.parse(text), start };
  } catch (cause) {
    return fail("the header is not JSON", cause);
  }
}

function readPlace(key: string, value: unknown, available: number, fail: Fail): Place {
  const tensor = `tensor ${quote(key)}`;
  if (!isRecord(value)) return fail(`${tensor} must be described by an object, not ${show(value)}`);
  const { dtype, shape, data_offsets: offsets } = value;
  if (!isDtype(dtype)) {
    return fail(`${tensor} has dtype ${show(dtype)}; known here are ${DTYPES.join(", ")}`);
  }
  if (!isSizes(shape)) return fail(`${tensor} has shape ${show(shape)}: sizes must be whole numbers, 0 or more`);
  if (!isSizes(offsets) || offsets.length !== 2) {
    return fail(`${tensor} has data_offsets ${show(offsets)}: two whole numbers, 0 or more, are needed`);
  }
  const [begin, end] = offsets;
  if (begin > end) fail(`${tensor} ends at byte ${end}, before it begins at ${begin}`);
  if (end > available) fail(`${tensor} ends at byte ${end}, but the file holds only ${available} bytes of data`);
  const items = count(shape);
  if (items === Number.POSITIVE_INFINITY) fail(`${tensor} has shape ${show(shape)}: no file holds that many numbers`);
  const size = items * TYPES[dtype].BYTES_PER_ELEMENT;
  if (size !== end - begin) {
    fail(`${tensor} has ${end - begin} bytes, but its shape ${show(shape)} of ${dtype} needs ${size}`);
  }
  return { key, dtype, shape, begin, end };
}

function view(bytes: Uint8Array, from: number, length: number, dtype: Dtype): TensorData {
  const Type = TYPES[dtype];
  const items = length / Type.BYTES_PER_ELEMENT;
  const offset = bytes.byteOffset + from;
  if (offset % Type.BYTES_PER_ELEMENT === 0) return new Type(bytes.buffer as ArrayBuffer, offset, items);
  // Not bytes.slice: a Node Buffer's slice is a view.
  const copy = new Type(items);
  new Uint8Array(copy.buffer).set(bytes.subarray(from, from + length));
  return copy;
}

function checkTensor(name: string, { shape, data }: Tensor): Dtype {
  const tensor = `tensor ${quote(name)}`;
  if (name === METADATA) throw new OptionError("tensors", name, `no tensor may be called ${name}: choose another name`);
  if (!isSizes(shape) || count(shape) !== data.length) {
    throw new OptionError(
      "tensors",
      shape,
      `${tensor} holds ${data.length} numbers, which does not match shape ${show(shape)}`,
    );
  }
  const dtype = DTYPES.find((dtype) => data instanceof TYPES[dtype]);
  if (dtype) return dtype;
  throw new OptionError("tensors", data, `${tensor} is ${quote(data)}, which has no dtype here: convert it first`);
}

/** The product of the sizes; Infinity once it exceeds 2^53, even if a size of 0 follows. */
function count(shape: readonly number[]): number {
  let product = 1;
  for (const size of shape) {
    product *= size;
    if (!Number.isSafeInteger(product)) return Number.POSITIVE_INFINITY;
  }
  return product;
}

function isSizes(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((size) => Number.isSafeInteger(size) && size >= 0);
}

function isDtype(value: unknown): value is Dtype {
  return DTYPES.includes(value as Dtype);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Like `quote`, but shows short lists of numbers, and never calls methods of an object, which may be hostile. */
function show(value: unknown): string {
  if (isRecord(value)) return "an object";
  if (!Array.isArray(value) || value.length > 8) return quote(value);
  return value.every((item) => typeof item === "number") ? `[${value.join(", ")}]` : quote(value);
}
