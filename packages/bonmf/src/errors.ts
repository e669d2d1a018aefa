/**
 * The base class of all errors that this library throws on purpose. `code` is stable across versions; `message` is for
 * people.
 *
 * @example
 * ```ts
 * import { BonmfError, fit } from "bonmf";
 * const error = await fit([[5, 1], [2]], { k: 1 }).catch((reason) => reason);
 * error instanceof BonmfError; // → true
 * error.code; // → "ragged"
 * ```
 */
export class BonmfError extends Error {
  /** What went wrong, in one or two words; stable across versions. */
  readonly code: string;
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** Where a bad value is in the data. Indices count from 0, as everywhere in the API; messages with a number say so. */
export interface Place {
  /** The number of the sample. */
  sample?: number | undefined;
  /** The number of the feature. */
  feature?: number | undefined;
  /** The feature's name, if known. */
  featureName?: string | undefined;
  /** The bad value. */
  value?: unknown;
}

/**
 * The data cannot be used: a negative, missing or infinite value, rows of different lengths, no samples …
 *
 * @example
 * ```ts
 * import { DataError, fit } from "bonmf";
 * const error = await fit([[5, 1], [2, -8]], { k: 1, method: "nmf", featureNames: ["width", "height"] }).catch((reason) => reason);
 * error instanceof DataError; // → true
 * error.code; // → "negative"
 * error.place; // → { sample: 1, feature: 1, value: -8, featureName: "height" }
 * ```
 */
export class DataError extends BonmfError {
  /** Where the bad value is, as far as known. */
  readonly place: Place;
  constructor(code: string, message: string, place: Place = {}) {
    super(code, tellBase(message));
    this.place = place;
  }
}

/**
 * An option has a value outside its range, or does not fit the data or the method.
 *
 * @example
 * ```ts
 * import { fit, OptionError } from "bonmf";
 * const error = await fit([[5, 1], [2, 8]], { k: 3 }).catch((reason) => reason);
 * error instanceof OptionError; // → true
 * error.option; // → "k"
 * error.message; // → "k is 3 but there are only 2 samples: choose a k of 1 … 2"
 * ```
 */
export class OptionError extends BonmfError {
  /** The name of the option. */
  readonly option: string;
  /** Its value. */
  readonly value: unknown;
  constructor(option: string, value: unknown, message: string) {
    super("option", message);
    this.option = option;
    this.value = value;
  }
}

/**
 * A file has the wrong format: a damaged model file, a malformed data file.
 *
 * @example
 * ```ts
 * import { FormatError, readLibsvm } from "bonmf";
 * try {
 *   readLibsvm("spam 1:2 4:1\nham 3=5\n", { name: "mail.txt" });
 * } catch (error) {
 *   error instanceof FormatError; // → true
 *   String(error); // → 'FormatError: mail.txt, line 2: "3=5" is not index:value: …'
 * }
 * ```
 */
export class FormatError extends BonmfError {
  constructor(message: string, options?: ErrorOptions) {
    super("format", message, options);
  }
}

/**
 * A file claims more than may be allocated for it, and was refused before that. The option `maxBytes` of the readers
 * allows more.
 *
 * @example
 * ```ts
 * import { MemoryError, readMatrixMarket } from "bonmf";
 * const bomb = "%%MatrixMarket matrix coordinate real general\n200000000 3 1\n1 1 5\n";
 * try {
 *   readMatrixMarket(bomb, { name: "bomb.mtx" });
 * } catch (error) {
 *   error instanceof MemoryError; // → true
 *   error.claim; // → "bomb.mtx claims 200000000 × 3 values, for which it takes 4.0 GB of memory: 537 MB are allowed"
 * }
 * ```
 */
export class MemoryError extends BonmfError {
  /** What the file claims, what that takes and what is allowed; `message` adds the remedy. */
  readonly claim: string;
  /** Bytes that the file asks for. */
  readonly needed: number;
  /** Bytes that are allowed. */
  readonly allowed: number;
  constructor(what: string, needed: number, allowed: number) {
    const claim = `${what}, for which it takes ${formatBytes(needed)} of memory: ${formatBytes(allowed)} are allowed`;
    super("memory", `${claim}: if the file is right, raise maxBytes`);
    this.claim = claim;
    this.needed = needed;
    this.allowed = allowed;
  }
}

const SIZES = ["bytes", "kB", "MB", "GB", "TB", "PB"];

function formatBytes(bytes: number): string {
  let size = bytes;
  let unit = 0;
  for (; size >= 999.5 && unit < SIZES.length - 1; unit++) size /= 1000;
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${SIZES[unit]}`;
}

const BASE = " (counting from 0)";

/** The API counts from 0, people from 1: a message with a number says which. */
function tellBase(message: string): string {
  return /\b(sample|feature) \d/.test(message) && !message.endsWith(BASE) ? message + BASE : message;
}

/** A short form of any value, for messages. */
export function quote(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return String(value);
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value !== "object") return typeof value;
  const name: unknown = value.constructor?.name;
  return typeof name === "string" ? name : "an object";
}

/** A place in words: sample 3, feature 7 ("width"). */
export function describePlace({ sample, feature, featureName }: Place): string {
  const parts: string[] = [];
  if (sample !== undefined) parts.push(`sample ${sample}`);
  if (feature !== undefined)
    parts.push(`feature ${feature}${featureName === undefined ? "" : ` (${quote(featureName)})`}`);
  return parts.join(", ");
}
