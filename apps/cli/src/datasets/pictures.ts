import { gunzipSync, inflateSync } from "node:zlib";
import { UserError } from "../errors.js";
import type { Origin } from "./entry.js";

/** The IDX format of MNIST: a magic number, the sizes, then bytes. */
export function buildIdx([images, labels]: readonly Uint8Array[], columns: readonly string[]): string {
  const pixels = readIdx(images, 3);
  const classes = readIdx(labels, 1);
  return lines(
    columns,
    classes.length,
    (i) => pixels.subarray(i * columns.length, (i + 1) * columns.length),
    (i) => classes[i],
  );
}

function readIdx(file: Uint8Array, dimensions: number): Uint8Array {
  const bytes = file[0] === 0x1f && file[1] === 0x8b ? gunzipSync(file) : file;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // 8 means unsigned bytes.
  if (bytes.length < 4 + 4 * dimensions || view.getUint32(0) !== 0x0800 + dimensions) {
    throw new UserError("the download is not an IDX file of that kind");
  }
  return bytes.subarray(4 + 4 * dimensions);
}

type Mat = Extract<Origin, { form: "mat" }>;

/** A MATLAB file stores pictures, and their pixels, by columns: both are transposed. */
export function buildMat(bytes: Uint8Array, { columns, variable, classes, each }: Mat): string {
  const values = readMat(bytes, variable);
  const side = Math.sqrt(columns.length);
  const row = (i: number) =>
    columns.map((_, p) => values[i * columns.length + (p % side) * side + Math.floor(p / side)]);
  return lines(columns, values.length / columns.length, row, (i) => classes[Math.floor(i / each)]);
}

function lines(
  columns: readonly string[],
  count: number,
  row: (i: number) => ArrayLike<number>,
  label: (i: number) => number,
): string {
  const out = [`${columns.join(",")},class\n`];
  for (let i = 0; i < count; i++) out.push(`${Array.prototype.join.call(row(i), ",")},${label(i)}\n`);
  return out.join("");
}

const MATRIX = 14;
const COMPRESSED = 15;

/** The values of one variable of a MATLAB 5 file, little-endian (MAT-File Format, sections 1-1 to 1-18). */
export function readMat(bytes: Uint8Array, variable: string): ArrayLike<number> {
  if (bytes[126] !== 0x49 || bytes[127] !== 0x4d) throw new UserError("the download is not a MATLAB 5 file");
  for (const element of elements(bytes.subarray(128), false)) {
    const [matrix] = element.type === COMPRESSED ? elements(inflateSync(element.data), true) : [element];
    if (matrix?.type !== MATRIX) continue;
    const [, , name, values] = elements(matrix.data, true);
    if (String.fromCharCode(...name.data) === variable) return toNumbers(values);
  }
  throw new UserError(`the download has no variable ${variable}`);
}

interface Element {
  readonly type: number;
  readonly data: Uint8Array;
}

/** @param padded elements begin at multiples of 8; compressed ones of the top level do not */
function* elements(bytes: Uint8Array, padded: boolean): Generator<Element> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let p = 0; p + 8 <= bytes.length; ) {
    const tag = view.getUint32(p, true);
    const small = tag >>> 16;
    const type = small ? tag & 0xffff : tag;
    const start = small ? p + 4 : p + 8;
    const end = start + (small || view.getUint32(p + 4, true));
    if (end > bytes.length) throw new UserError("the download is a damaged MATLAB file");
    yield { type, data: bytes.subarray(start, end) };
    p = small ? p + 8 : padded || type !== COMPRESSED ? Math.ceil(end / 8) * 8 : end;
  }
}

function toNumbers({ type, data }: Element): ArrayLike<number> {
  const copy = new Uint8Array(data).buffer;
  switch (type) {
    case 2:
      return data;
    case 4:
      return new Uint16Array(copy);
    case 9:
      return new Float64Array(copy);
    default:
      throw new UserError(`the download has values of type ${type}, which is not supported`);
  }
}
