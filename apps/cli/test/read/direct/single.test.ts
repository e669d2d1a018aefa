import { expect, it } from "vitest";
import { toSingle } from "../../../src/read/direct/single.js";

const bits = new Int32Array(1);
const single = new Float32Array(bits.buffer);

/** A number of 32 bits, the next one, and what is exactly between them, as digits · 10^−places. */
function pick(pattern: number): { low: number; high: number; digits: bigint; places: number } {
  bits[0] = pattern;
  const low = single[0];
  bits[0]++;
  const high = single[0];
  let between = (low + high) / 2;
  let places = 0;
  for (; !Number.isInteger(between); places++) between *= 2;
  // n / 2^p is n · 5^p / 10^p.
  return { low, high, digits: BigInt(between) * 5n ** BigInt(places), places };
}

/** With a point, and with an exponent. */
function spell(digits: bigint, places: number): string[] {
  const text = String(digits).padStart(places + 1, "0");
  const end = text.length - places;
  return [`${text.slice(0, end)}.${text.slice(end)}`, `${digits}e-${places}`];
}

it.each([0x3f800000, 0x3f800001, 0x00000001, 0x00000002, 0x007fffff, 0x7f7ffffe, 0x4b800000, 0x33d6bf95])(
  "rounds once what lies between the number of bits %i and the next",
  (pattern) => {
    const { low, high, digits, places } = pick(pattern);
    const even = pattern % 2 === 0 ? low : high;
    const cases = [
      [spell(digits, places), even],
      [spell(digits * 10n ** 30n + 1n, places + 30), high],
      [spell(digits * 10n ** 30n - 1n, places + 30), low],
    ] as const;
    for (const [texts, expected] of cases) {
      for (const text of texts) {
        expect(toSingle(text)).toBe(expected);
        expect(toSingle(`-${text}`)).toBe(-expected);
      }
    }
  },
);

it("agrees with Math.fround where rounding twice does no harm", () => {
  for (const text of ["0", "-0", "1e-50", "3.4028234663852886e38", "1e39", "0.1", "16777217", ".5", "5.", "1E+2"]) {
    expect(toSingle(text)).toBe(Math.fround(Number(text)));
  }
});
