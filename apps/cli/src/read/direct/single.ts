const bits = new Int32Array(1);
const single = new Float32Array(bits.buffer);

/**
 * The 32-bit number nearest to a decimal one. By way of 64 bits it would be rounded twice, which goes wrong where the
 * first rounding ends halfway between two of them.
 *
 * @param text digits, with a sign, a point and an exponent or without
 */
export function toSingle(text: string): number {
  const double = Number(text);
  single[0] = double;
  const near = single[0];
  if (near === double || !Number.isFinite(near)) return near;
  bits[0] += Math.abs(near) < Math.abs(double) ? 1 : -1;
  const other = single[0];
  if (double - near !== other - double) return near;
  const beyond = Math.sign(compare(text, double));
  return beyond === 0 ? near : beyond === Math.sign(other - near) ? other : near;
}

/** Below, above or at 0 as the text is below, above or at the number. */
function compare(text: string, double: number): number {
  const [, whole, rest = "", power = "0"] = /^([+-]?\d*)\.?(\d*)(?:e(.*))?$/i.exec(text) ?? [];
  let decimal = BigInt(whole + rest);
  let binary = double;
  let twos = 0;
  for (; !Number.isInteger(binary); twos++) binary *= 2;
  decimal *= 2n ** BigInt(twos);
  const tens = Number(power) - rest.length;
  const scaled = BigInt(binary) * (tens < 0 ? 10n ** BigInt(-tens) : 1n);
  if (tens > 0) decimal *= 10n ** BigInt(tens);
  return decimal < scaled ? -1 : decimal > scaled ? 1 : 0;
}
