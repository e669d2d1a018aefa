/** ln 2 in two parts: n times the first is exact for every exponent n. */
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;
const LEAST_EXPONENT = -1022;
const POWERS = powersOfTwo();

/**
 * eˣ from + − × ÷ alone, to two units of the last place: `Math.exp` may differ in the last bit from one JavaScript engine to
 * the next, and what decides a class must not. Below −708 it is 0, above 709 Infinity.
 */
export function exp(x: number): number {
  if (x < -708) return 0;
  if (x > 709) return Number.POSITIVE_INFINITY;
  const n = Math.floor(x * Math.LOG2E + 0.5);
  const r = x - n * LN2_HIGH - n * LN2_LOW;
  let sum = 1 / 6227020800;
  sum = sum * r + 1 / 479001600;
  sum = sum * r + 1 / 39916800;
  sum = sum * r + 1 / 3628800;
  sum = sum * r + 1 / 362880;
  sum = sum * r + 1 / 40320;
  sum = sum * r + 1 / 5040;
  sum = sum * r + 1 / 720;
  sum = sum * r + 1 / 120;
  sum = sum * r + 1 / 24;
  sum = sum * r + 1 / 6;
  sum = sum * r + 0.5;
  return (1 + (r + r * r * sum)) * POWERS[n - LEAST_EXPONENT];
}

/** 2ⁿ for n = −1022 … 1023. */
function powersOfTwo(): readonly number[] {
  const powers = [2 ** LEAST_EXPONENT];
  while (powers.length < 2046) powers.push(2 * powers[powers.length - 1]);
  return powers;
}
