const ZERO = 48;
const DOT = 46;
const SPACE = 32;
/** Powers of ten that are exact. */
const TENS = Float64Array.from({ length: 23 }, (_, n) => Number(`1e${n}`));
/** Beyond this a number of digits may not be exact. */
const EXACT = 2 ** 53 / 10 - 10;

/**
 * Reads numbers with spaces between, as Spark writes them, into `out`: digits with at most one dot by arithmetic that is
 * exact (few digits, one division by an exact power of ten), everything else by JavaScript's own reader.
 *
 * @returns how many there were
 */
export function readNumbers(text: Buffer, out: Float64Array, most = out.length): number {
  let count = 0;
  let at = 0;
  while (at < text.length) {
    const start = at;
    let digits = 0;
    let dot = -1;
    let plain = true;
    for (; at < text.length && text[at] !== SPACE; at++) {
      const digit = text[at] - ZERO;
      if (digit >= 0 && digit <= 9 && digits < EXACT) digits = 10 * digits + digit;
      else if (text[at] === DOT && dot < 0) dot = at;
      else plain = false;
    }
    if (count === most) throw new Error(`a row has more than ${most} values`);
    const decimals = dot < 0 ? 0 : at - dot - 1;
    const exact = plain && decimals <= 22 && at > start;
    out[count++] = exact ? digits / TENS[decimals] : Number(text.toString("latin1", start, at));
    at++;
  }
  return count;
}
