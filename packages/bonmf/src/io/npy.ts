import { FormatError, OptionError, quote } from "../errors.js";
import { checkKnown } from "../known-options.js";
import { allocate, Dense, type Floats } from "../matrix/dense.js";
import { allowBytes, requireMemory } from "./memory-budget.js";
import { parseNpyHeader } from "./npy-header.js";
import { READ_OPTIONS, type ReadOptions, type Table } from "./table.js";

type Read = (view: DataView, offset: number, little: boolean) => number;

/** The size of a value in bytes, and how to read one, by NumPy's type code. */
const types = new Map(
  Object.entries<[size: number, read: Read]>({
    b1: [1, (view, p) => (view.getUint8(p) === 0 ? 0 : 1)],
    i1: [1, (view, p) => view.getInt8(p)],
    u1: [1, (view, p) => view.getUint8(p)],
    i2: [2, (view, p, little) => view.getInt16(p, little)],
    u2: [2, (view, p, little) => view.getUint16(p, little)],
    i4: [4, (view, p, little) => view.getInt32(p, little)],
    u4: [4, (view, p, little) => view.getUint32(p, little)],
    i8: [8, (view, p, little) => Number(view.getBigInt64(p, little))],
    u8: [8, (view, p, little) => Number(view.getBigUint64(p, little))],
    f4: [4, (view, p, little) => view.getFloat32(p, little)],
    f8: [8, (view, p, little) => view.getFloat64(p, little)],
  }),
);

const MAGIC = "\x93NUMPY";
// NumPy refuses headers over 10,000 bytes; that of a plain array has about a hundred.
const LONGEST = 65_536;
const hostIsLittle = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

interface Header {
  type: string;
  little: boolean;
  fortran: boolean;
  shape: number[];
  /** Where the values begin. */
  offset: number;
}

/**
 * Reads a NumPy `.npy` file; rows are samples. An array of one dimension becomes one feature. The default `precision` is
 * "f64" for float64 files and "f32" for all others. Values are not copied where the file has them as needed.
 *
 * @param bytes the content of the file
 * @returns X, dense n × m
 * @throws FormatError when it is not an NPY file of numbers in one or two dimensions, OptionError when it is not a
 * Uint8Array, MemoryError for a shape beyond `maxBytes`
 *
 * @example
 * ```ts
 * import { Dense, readNpy, writeNpy } from "bonmf";
 * const bytes = writeNpy(Dense.from([[5, 1], [2, 8]], "f64"));
 * const { X } = readNpy(bytes);
 * X.row(1); // → [2, 8]
 * X.precision; // → "f64"
 * ```
 */
export function readNpy(bytes: Uint8Array, options: ReadOptions = {}): Table {
  checkKnown(options, READ_OPTIONS, "readNpy");
  const { name = "input" } = options;
  const { type, little, fortran, shape, offset } = readHeader(bytes, name);
  const precision = options.precision ?? (type === "f8" ? "f64" : "f32");
  const [size, read] = types.get(type)!;
  const [samples, features = 1] = shape;
  const length = samples * features;
  if (bytes.length - offset !== length * size) {
    throw new FormatError(
      `${name}: shape (${shape.join(", ")}) of ${type} needs ${length * size} bytes of values, ` +
        `but ${bytes.length - offset} follow the header: the file is cut short or damaged`,
    );
  }
  // A sample takes memory even without features.
  const needed = (length + samples) * (precision === "f64" ? 8 : 4);
  requireMemory(needed, options.maxBytes ?? allowBytes(bytes.length), `${name} claims ${samples} × ${features} values`);
  if (type === (precision === "f64" ? "f8" : "f4") && little === hostIsLittle && !fortran) {
    return { X: new Dense(samples, features, wrap(bytes, offset, length, size)) };
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset);
  const data = allocate(precision, length);
  for (let i = 0, p = 0; i < samples; i++) {
    for (let f = 0; f < features; f++, p++) data[p] = read(view, (fortran ? f * samples + i : p) * size, little);
  }
  return { X: new Dense(samples, features, data) };
}

/** A view where the values are aligned, else a copy. */
function wrap(bytes: Uint8Array, offset: number, length: number, size: number): Floats {
  const values = bytes.subarray(offset);
  const { buffer, byteOffset } = values.byteOffset % size === 0 ? values : new Uint8Array(values);
  return size === 8 ? new Float64Array(buffer, byteOffset, length) : new Float32Array(buffer, byteOffset, length);
}

function readHeader(bytes: Uint8Array, name: string): Header {
  if (!(bytes instanceof Uint8Array)) {
    throw new OptionError("bytes", bytes, `${name}: an NPY file is read from a Uint8Array, not ${quote(bytes)}`);
  }
  const fail = (message: string) => new FormatError(`${name}: ${message}`);
  if (String.fromCharCode(...bytes.subarray(0, 6)) !== MAGIC) {
    throw fail('the file does not begin with "\\x93NUMPY": it is not an NPY file (of an .npz, unzip one array first)');
  }
  const version = bytes[6];
  const minor = bytes[7];
  if (minor === undefined) throw fail("the file ends inside its header: it is cut short");
  if (!(version >= 1 && version <= 3 && minor === 0))
    throw fail(`NPY version ${version}.${minor} is not 1.0, 2.0 or 3.0`);
  const start = version === 1 ? 10 : 12;
  if (bytes.length < start) throw fail("the file ends inside its header: it is cut short");
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const length = version === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (length > LONGEST)
    throw fail(`the header claims ${length} bytes, more than the ${LONGEST} a plain array can need`);
  const offset = start + length;
  if (offset > bytes.length)
    throw fail(`the header claims ${length} bytes but the file ends before that: it is cut short`);

  const text = new TextDecoder().decode(bytes.subarray(start, offset));
  const header = parseNpyHeader(text);
  const [, mark, type] = /^([<>|=]?)(\w+)$/.exec(header?.descr ?? "") ?? [];
  if (!header || mark === undefined) {
    throw fail(`the header ${quote(text)} lacks a plain descr, fortran_order or shape: save one array of numbers`);
  }
  if (!types.has(type)) {
    throw fail(`the type ${quote(mark + type)} is not read: save the array with .astype("float32")`);
  }
  return {
    type,
    little: mark === ">" ? false : mark === "<" || hostIsLittle,
    fortran: header.fortran,
    shape: readShape(header.shape, fail),
    offset,
  };
}

function readShape(text: string, fail: (message: string) => Error): number[] {
  const words = text.split(",").map((word) => word.trim());
  if (words.at(-1) === "") words.pop();
  // Python 2 wrote lengths as 3L.
  const shape = words.map((word) => (/^\d+L?$/.test(word) ? Number.parseInt(word, 10) : Number.NaN));
  if (!shape.every(Number.isSafeInteger)) throw fail(`shape (${text}) does not hold whole numbers of 0 or more`);
  if (shape.length < 1 || shape.length > 2) {
    throw fail(`the array has ${shape.length} dimensions: reshape it to samples × features, as X.reshape(len(X), -1)`);
  }
  return shape;
}

/**
 * Writes an `.npy` file, version 1.0, for `numpy.load`.
 *
 * @param X n × m, written as float32 or float64 by its precision
 * @returns the content of the file
 *
 * @example
 * ```ts
 * import { Dense, writeNpy } from "bonmf";
 * const bytes = writeNpy(Dense.from([[5, 1], [2, 8]]));
 * String.fromCharCode(...bytes.subarray(1, 6)); // → "NUMPY"
 * bytes.length; // → 144
 * ```
 */
export function writeNpy(X: Dense): Uint8Array<ArrayBuffer> {
  const type = `${hostIsLittle ? "<" : ">"}${X.precision === "f64" ? "f8" : "f4"}`;
  const dict = `{'descr': '${type}', 'fortran_order': False, 'shape': (${X.samples}, ${X.features}), }`;
  // Values begin at a multiple of 64, as in NumPy, so that readers need not copy.
  const offset = Math.ceil((10 + dict.length + 1) / 64) * 64;
  const bytes = new Uint8Array(offset + X.data.byteLength);
  const header = `${MAGIC}\x01\0\0\0${dict.padEnd(offset - 11)}\n`;
  for (let p = 0; p < offset; p++) bytes[p] = header.charCodeAt(p);
  new DataView(bytes.buffer).setUint16(8, offset - 10, true);
  bytes.set(new Uint8Array(X.data.buffer, X.data.byteOffset, X.data.byteLength), offset);
  return bytes;
}
