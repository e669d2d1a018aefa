// Lines of CSV to rows of numbers.

const SPACE: u32 = 32;
const MINUS: u32 = 45;
const CR: u32 = 13;
const LF: u32 = 10;
/** No f32 needs a larger power of ten. */
const TOP: i32 = 60;
/** So many digits fit in 63 bits. */
const DIGITS: usize = 18;

@unmanaged
class Lines {
  /** Characters, by code; `cr` is whether there is a CR before each LF. */
  delimiter: u32;
  decimal: u32;
  quote: u32;
  escape: u32;
  cr: u32;
  columns: u32;
  /** Features of a row. */
  m: u32;
  /** Columns kept as text. */
  texts: u32;
  /** For each column its feature; −2 − t for the text column t; −1 for a column that is not read. */
  targets: usize;
  /** Where 1e0 is in a table from 1e−60 to 1e60. */
  powers: usize;
  /** For each row where its texts begin and end. */
  spans: usize;
  /** Addresses of numbers that could not be rounded here, in the text and in the matrix. */
  doubts: usize;
  /** How many of them there may be, and are. */
  capacity: u32;
  doubtful: u32;
  /** Where the next line begins. */
  next: usize;
}

export function countLines(from: usize, end: usize): u32 {
  const feed = i8x16.splat(<i8>LF);
  let count: u32 = 0;
  for (; from + 16 <= end; from += 16) count += popcnt(i8x16.bitmask(i8x16.eq(v128.load(from), feed)));
  for (; from < end; from++) count += <u32>(load<u8>(from) == LF);
  return count;
}

// Reads up to `most` lines; the last one before `end` must end in LF. Returns how many, or −1 at anything unusual.
export function readLines(l: Lines, from: usize, end: usize, most: u32, out: usize): i32 {
  const delimiter = l.delimiter;
  const point = l.decimal - 48;
  const powers = l.powers;
  const row = (<usize>l.m) << 2;
  const stop = l.targets + ((<usize>l.columns) << 2);
  const enough = l.capacity - l.columns;
  let p = from;
  let count: u32 = 0;
  l.doubtful = 0;
  for (; p < end && count < most && l.doubtful <= enough; count++, out += row) {
    for (let at = l.targets; at < stop; at += 4) {
      const target = load<i32>(at);
      if (target < 0) {
        p = readText(l, p, target, count);
        if (p == 0) return -1;
      } else {
        while (load<u8>(p) == SPACE && delimiter != SPACE) p++;
        const start = p;
        const minus = load<u8>(p) == MINUS;
        if (minus) p++;
        const first = p;
        let value: u64 = 0;
        let digit = <u32>load<u8>(p) - 48;
        for (; digit < 10; digit = <u32>load<u8>(p) - 48) {
          value = value * 10 + digit;
          p++;
        }
        let digits = p - first;
        let exponent: i32 = 0;
        if (digit == point) {
          const rest = ++p;
          digit = <u32>load<u8>(p) - 48;
          for (; digit < 10; digit = <u32>load<u8>(p) - 48) {
            value = value * 10 + digit;
            p++;
          }
          exponent = <i32>(rest - p);
          digits += p - rest;
        }
        if (digits == 0) return -1;
        if (digits > DIGITS) {
          value = shorten(first, p, point);
          exponent += dropped;
        }
        // E or e.
        if (((digit + 48) | 32) == 101) {
          p = readExponent(p + 1);
          if (p == 0) return -1;
          exponent += power;
        }
        const place = out + ((<usize>target) << 2);
        let number: f32;
        if (exponent == 0 && digits <= DIGITS) number = <f32>(<i64>value);
        else {
          const near = <f64>(<i64>value) * load<f64>(powers + (<usize>max(-TOP, min(TOP, exponent)) << 3));
          number = <f32>near;
          // The product is off by a few units in the last place, which matters only halfway between two f32 numbers.
          const between = <u32>(reinterpret<u64>(near) & 0x1fffffff) - 0x0ffffff8 <= 16;
          if (value != 0 && (between || !(near > 1.2e-38 && near < 3.4e38) || exponent < -TOP || exponent > TOP)) {
            const doubt = l.doubts + ((<usize>l.doubtful) << 3);
            l.doubtful++;
            store<u32>(doubt, <u32>start);
            store<u32>(doubt, <u32>place, 4);
          }
        }
        store<f32>(place, minus ? -number : number);
      }
      if (at + 4 < stop) {
        if (load<u8>(p++) != delimiter) return -1;
      } else {
        if (l.cr && load<u8>(p++) != CR) return -1;
        if (load<u8>(p++) != LF) return -1;
      }
    }
  }
  l.next = p;
  return <i32>count;
}

let dropped: i32 = 0;
let power: i32 = 0;

/** The first DIGITS digits of a long number without leading zeros; `dropped` is how many follow. */
function shorten(from: usize, end: usize, point: u32): u64 {
  let value: u64 = 0;
  let digits: usize = 0;
  dropped = 0;
  for (; from < end; from++) {
    const digit = <u32>load<u8>(from) - 48;
    if (digit == point) continue;
    if (digits == DIGITS) dropped++;
    else {
      value = value * 10 + digit;
      if (value != 0) digits++;
    }
  }
  return value;
}

/** Where the exponent ends, its value in `power`; 0 where it is malformed. */
function readExponent(p: usize): usize {
  const sign = <u32>load<u8>(p);
  if (sign == MINUS || sign == 43) p++;
  const first = p;
  let value: i32 = 0;
  for (; <u32>load<u8>(p) - 48 < 10; p++) value = value * 10 + load<u8>(p) - 48;
  power = sign == MINUS ? -value : value;
  return p - first - 1 < 3 ? p : 0;
}

/** Stores where a text begins and ends; returns the address after it, 0 at anything unusual. */
function readText(l: Lines, p: usize, target: i32, row: u32): usize {
  const quoted = load<u8>(p) == l.quote;
  if (quoted) p++;
  const start = p;
  let high: u32 = 0;
  for (; ; p++) {
    const byte = <u32>load<u8>(p);
    high |= byte;
    if (byte == l.quote) {
      if (!quoted) return 0;
      break;
    }
    // An escape that is also the quote was handled above.
    if (byte == l.escape) return 0;
    if (byte == LF || byte == CR) {
      if (quoted) return 0;
      break;
    }
    if (byte == l.delimiter && !quoted) break;
  }
  if (target == -1) {
    // DuckDB checks that every column is UTF-8; here only the columns kept are checked.
    if (high > 127) return 0;
  } else {
    const span = l.spans + ((<usize>(row * l.texts) + <usize>(-2 - target)) << 3);
    store<u32>(span, <u32>start);
    store<u32>(span, <u32>p, 4);
  }
  return quoted ? p + 1 : p;
}
