import type { Precision } from "../matrix/dense.js";

const PLUS = 43;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;

/** Halfway between the largest 32-bit number and the power of two above it. */
const OVERFLOW = 2 ** 128 - 2 ** 103;
const LARGEST = 2 ** 128 - 2 ** 104;
const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const powers = Array.from({ length: 16 }, (_, e) => Number(`1e${e}`));

/**
 * What `Number()` makes of bytes from … to − 1, rounded once to the precision; blank is NaN and not 0.
 *
 * @param point the byte of the decimal point
 */
export function parseNumber(
  bytes: Uint8Array,
  from: number,
  to: number,
  precision: Precision = "f64",
  point = POINT,
): number {
  const negative = bytes[from] === MINUS;
  const first = negative || bytes[from] === PLUS ? from + 1 : from;
  let whole = 0;
  let at = to;
  // Up to 15 digits and their power of ten are exact doubles, so the one division rounds as Number() does.
  let plain = to - first <= 16;
  for (let p = first; plain && p < to; p++) {
    const digit = bytes[p] - ZERO;
    if (digit >= 0 && digit <= 9) whole = whole * 10 + digit;
    else if (bytes[p] === point && at === to) at = p;
    else plain = false;
  }
  const decimals = at === to ? 0 : to - 1 - at;
  const digits = at === to ? to - first : to - first - 1;
  if (plain && digits > 0 && digits <= 15) {
    const double = decimals === 0 ? whole : whole / powers[decimals];
    const value = negative ? -double : double;
    if (precision === "f64") return value;
    const single = Math.fround(value);
    if (decimals === 0 || !isHalfway(value, single)) return single;
  }
  try {
    const text = decoder.decode(bytes.subarray(from, to));
    return parseDecimal(point === POINT ? text : swapPoint(text, String.fromCharCode(point)), precision);
  } catch {
    return Number.NaN;
  }
}

/** A point is no digit where another mark is the decimal point. */
function swapPoint(text: string, point: string): string {
  return text.includes(".") ? "" : text.replace(point, ".");
}

/**
 * What `Number()` makes of a text, rounded once to the precision; blank is NaN and not 0.
 *
 * Rounded to 64 and then to 32 bits a number goes wrong where the first rounding ends exactly halfway between two
 * 32-bit numbers: 1.0000000596046448 is above that middle, and its double is the middle itself. Only there the decimal
 * digits decide.
 */
export function parseDecimal(text: string, precision: Precision): number {
  const plain = text.trim();
  if (plain === "") return Number.NaN;
  const double = Number(plain);
  if (precision === "f64") return double;
  const near = Math.fround(double);
  if (!isHalfway(double, near)) return near;
  const decimal = DECIMAL.exec(plain);
  const side = decimal ? compare(decimal, double) : 0;
  // At the middle itself fround has chosen the even neighbour, as it should.
  if (side === 0) return near;
  const other = Number.isFinite(near) ? 2 * double - near : Math.sign(double) * LARGEST;
  return side > 0 === other > near ? other : near;
}

/** Whether a double may lie halfway between its 32-bit neighbour `near` and the next one. */
export function isHalfway(double: number, near: number): boolean {
  if (near === double) return false;
  const other = double + (double - near);
  return Number.isFinite(near) ? Math.fround(other) === other : Math.abs(double) === OVERFLOW;
}

/** −1, 0 or 1 as the decimal is below, at or above the number. */
function compare([, sign, whole, rest = "", power = "0"]: RegExpExecArray, double: number): number {
  let decimal = BigInt(`0${whole}${rest}`);
  if (sign === "-") decimal = -decimal;
  let binary = double;
  let twos = 0;
  for (; !Number.isInteger(binary); twos++) binary *= 2;
  decimal *= 2n ** BigInt(twos);
  const tens = Number(power) - rest.length;
  const scaled = BigInt(binary) * (tens < 0 ? 10n ** BigInt(-tens) : 1n);
  if (tens > 0) decimal *= 10n ** BigInt(tens);
  return decimal < scaled ? -1 : decimal > scaled ? 1 : 0;
}

/** The shortest usual text that reads back as the same value at the given precision. */
export function formatNumber(value: number, precision: Precision): string {
  if (Object.is(value, -0)) return "-0";
  if (precision === "f32" && !Number.isInteger(value)) {
    for (let digits = 6; digits <= 9; digits++) {
      const short = Number(value.toPrecision(digits));
      if (Math.fround(short) === value) return String(short);
    }
  }
  return String(value);
}
