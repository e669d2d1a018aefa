// Random changes of bytes. All randomness comes from the generator that is passed in.

/** mulberry32: a generator with whole numbers 0 … most − 1. */
export function makeRandom(seed) {
  let state = seed >>> 0;
  return (most) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % most;
  };
}

const NUMBERS = [0, 1, -1, 2, 7, 8, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 2 ** 24 + 1, 2 ** 31 - 1, 2 ** 31]
  .concat([2 ** 32 - 2, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1, 2 ** 53])
  .map(BigInt)
  .concat([2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n]);
const WORDS = [
  "0",
  "-0",
  "1e308",
  "1e309",
  "-1e-320",
  "NaN",
  "inf",
  "1e999999999",
  "0x10",
  "1_000",
  "1,5",
  "+",
  "-",
  ".",
]
  .concat(NUMBERS.map(String), [1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e12].map(String))
  .concat([
    '"',
    '""',
    "'",
    "\\",
    "\0",
    "\r",
    "\r\n",
    "\n\n",
    "\t",
    " ",
    ",",
    ";",
    ":",
    "#",
    "%",
    "{",
    "}",
    "?",
    "\ufeff",
  ])
  .concat(["__proto__", "constructor", "toString", "\u00e9", "\u{1f600}", "\ud83d", "=1+1", "null", "true"]);

/** Inputs that show whether time grows faster than length are this long. */
const LONG = 65_536;

/**
 * @param bytes the input to change; it stays as it is
 * @param other another one, to take a piece of
 * @param tokens byte strings that mean something to the reader
 * @param most the longest result, but for a rare long one
 */
export function mutate(bytes, other, tokens, most, random) {
  let out = bytes;
  for (let count = 1 + random(1 << random(4)); count > 0; count--) out = change(out, other, tokens, random);
  if (random(256) === 0) return repeat(out, random, LONG);
  return out.length > most ? out.subarray(0, most) : out;
}

function change(bytes, other, tokens, random) {
  const at = random(bytes.length + 1);
  const length = Math.min(bytes.length - at, 1 + random(1 << random(8)));
  switch (random(12)) {
    case 0:
      return overwrite(bytes, at, [(bytes[at] ?? 0) ^ (1 << random(8))]);
    case 1:
      return overwrite(bytes, at, [random(256)]);
    case 2:
      return replace(bytes, at, length, []);
    case 3:
      return replace(bytes, at, 0, bytes.subarray(at, at + length));
    case 4:
      return replace(bytes, random(bytes.length + 1), 0, bytes.subarray(at, at + length));
    case 5: {
      const from = random(other.length + 1);
      return replace(bytes, at, random(2) * length, other.subarray(from, from + 1 + random(64)));
    }
    case 6:
      return replace(bytes, at, random(2) * length, tokens[random(tokens.length)] ?? []);
    case 7:
      return overwrite(bytes, at, tokens[random(tokens.length)] ?? []);
    case 8:
      return overwrite(bytes, at, writeNumber(random, NUMBERS[random(NUMBERS.length)]));
    case 9: {
      // A length field a little off.
      const old = BigInt((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8));
      return overwrite(bytes, at, writeNumber(random, old + BigInt(random(33) - 16)).subarray(0, 2));
    }
    case 10:
      return replaceWord(bytes, at, encode(WORDS[random(WORDS.length)]));
    default:
      return repeat(bytes, random, bytes.length + 256);
  }
}

const encoder = new TextEncoder();

export function encode(text) {
  return encoder.encode(text);
}

function replace(bytes, at, length, insert) {
  const out = new Uint8Array(bytes.length - length + insert.length);
  out.set(bytes.subarray(0, at));
  out.set(insert, at);
  out.set(bytes.subarray(at + length), at + insert.length);
  return out;
}

function overwrite(bytes, at, part) {
  return replace(bytes, at, Math.min(part.length, bytes.length - at), part);
}

/** 2, 4 or 8 bytes, in either order. */
function writeNumber(random, value) {
  const out = new DataView(new ArrayBuffer(8));
  const size = 2 << random(3);
  const little = random(4) > 0;
  out.setBigUint64(0, BigInt.asUintN(64, value), little);
  return new Uint8Array(out.buffer, little ? 0 : 8 - size, size);
}

/** Replaces the run of letters or of digits around a place. */
function replaceWord(bytes, at, word) {
  const isPart = (byte) => byte > 44 && byte !== 58 && byte !== 59 && byte !== 61 && byte < 123;
  let from = at;
  let to = at;
  while (from > 0 && isPart(bytes[from - 1])) from--;
  while (to < bytes.length && isPart(bytes[to])) to++;
  return replace(bytes, from, to - from, word);
}

/** A piece many times over. */
function repeat(bytes, random, length) {
  const at = random(bytes.length + 1);
  const piece = bytes.subarray(at, at + 1 + random(1 << random(6)));
  if (piece.length === 0 || length <= bytes.length) return bytes;
  const many = new Uint8Array(length - bytes.length);
  for (let p = 0; p < many.length; p++) many[p] = piece[p % piece.length];
  return replace(bytes, at, 0, many);
}
