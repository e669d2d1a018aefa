/** Checks of stored fields and tensors. Every failure is a FormatError that names the field. */
import { BonmfError, FormatError, quote } from "../errors.js";
import { oneOf } from "./options.js";
import { type Dtype, type Tensor, TYPES } from "./safetensors.js";

export type Fields = Record<string, unknown>;
export type Tensors = ReadonlyMap<string, Tensor>;

/** The values that a stored number may have. */
export interface Range {
  readonly words: string;
  holds(value: unknown): boolean;
}
export const FINITE: Range = { words: "a finite number", holds: Number.isFinite };
export const AMOUNT: Range = {
  words: "a finite number, 0 or more",
  holds: (value) => Number.isFinite(value) && (value as number) >= 0,
};
export const POSITIVE: Range = {
  words: "a finite number above 0",
  holds: (value) => Number.isFinite(value) && (value as number) > 0,
};
export const COUNT = whole(0);

export function whole(least: number, most = Number.MAX_SAFE_INTEGER): Range {
  return {
    words: `a whole number of ${least} … ${most}`,
    holds: (value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
  };
}

/** The object that a metadata field holds as JSON text. */
export function parseFields(metadata: Readonly<Record<string, string>>, key: string): Fields {
  const text = metadata[key];
  if (text === undefined) throw new FormatError(`the metadata field "${key}" is missing`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new FormatError(`the metadata field "${key}" is not JSON`, { cause });
  }
  return asFields(key, value);
}

/** The tensors whose names have this prefix, without the prefix. */
export function under(tensors: Tensors, prefix: string): Map<string, Tensor> {
  const found = [...tensors].filter(([name]) => name.startsWith(prefix));
  return new Map(found.map(([name, tensor]) => [name.slice(prefix.length), tensor]));
}

export function findTensor(tensors: Tensors, name: string): Tensor {
  const tensor = tensors.get(name);
  if (tensor === undefined) throw new FormatError(`tensor ${quote(name)} is missing`);
  return tensor;
}

/** The dtypes of whole numbers from 0. */
export const UNSIGNED = ["U8", "U16", "U32"] as const satisfies readonly Dtype[];

/** The checked numbers of a tensor: a view of the file's bytes. */
export function viewTensor<D extends Dtype>(
  tensors: Tensors,
  name: string,
  dtypes: readonly D[],
  shape: readonly number[],
  range?: Range,
): InstanceType<(typeof TYPES)[D]> {
  const { data, shape: found } = findTensor(tensors, name);
  if (!dtypes.some((dtype) => data instanceof TYPES[dtype])) {
    const known = dtypes.join(", ").replace(/, (?!.*, )/, " or ");
    throw new FormatError(`tensor ${quote(name)} must be of dtype ${known}`);
  }
  checkShape(name, found, shape);
  const at = range ? data.findIndex((value) => !range.holds(value)) : -1;
  if (at >= 0) throw new FormatError(`entry ${at} of tensor ${quote(name)} is ${data[at]}: it must be ${range?.words}`);
  return data as InstanceType<(typeof TYPES)[D]>;
}

/** A copy: a model outlives the bytes it came from, and a view would send all of them to a worker. */
export function readFloats(tensors: Tensors, name: string, shape: readonly number[], range: Range): Float64Array {
  return viewTensor(tensors, name, ["F64"], shape, range).slice();
}

export function checkShape(name: string, found: readonly number[], shape: readonly number[]): void {
  const [there, wanted] = [found, shape].map((sizes) => `[${sizes.join(", ")}]`);
  if (there !== wanted) throw new FormatError(`tensor ${quote(name)} has shape ${there} instead of ${wanted}`);
}

export function readNumber(fields: Fields, key: string, range: Range): number {
  const value = fields[key];
  if (!range.holds(value)) throw new FormatError(`${key} must be ${range.words}, not ${quote(value)}`);
  return value as number;
}

export function readText(fields: Fields, key: string): string {
  const value = fields[key];
  if (typeof value !== "string") throw new FormatError(`${key} must be a string, not ${quote(value)}`);
  return value;
}

export function readOne<Name extends string>(fields: Fields, key: string, known: readonly Name[]): Name {
  const value = readText(fields, key);
  oneOf(key, value, known);
  return value as Name;
}

export function asFields(key: string, value: unknown): Fields {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  throw new FormatError(`${key} must be an object, not ${quote(value)}`);
}

/** Turns every error of `read` into a FormatError that names the place. */
export function within<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof BonmfError) throw new FormatError(`${place}: ${error.message}`, { cause: error });
    throw error;
  }
}
