import fc from "fast-check";
import { expect, it } from "vitest";
import { readArff, readCsv, readLibsvm, readMatrixMarket } from "../../src/index.js";
import { parseDecimal, parseNumber } from "../../src/io/number.js";

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

const encoder = new TextEncoder();

/** Of a text and of bytes, which must agree. */
function parse(text: string): number {
  const bytes = encoder.encode(`x${text}x`);
  const value = parseNumber(bytes, 1, bytes.length - 1, "f32");
  expect(parseDecimal(text, "f32")).toBe(value);
  return value;
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
        expect(parse(text)).toBe(expected);
        expect(parse(`-${text}`)).toBe(-expected);
      }
    }
  },
);

it("agrees with Math.fround where rounding twice does no harm", () => {
  for (const text of ["0", "-0", "1e-50", "3.4028234663852886e38", "1e39", "0.1", "16777217", ".5", "5.", "1E+2"]) {
    expect(parse(text)).toBe(Math.fround(Number(text)));
  }
});

it("is the nearest of the 32-bit numbers, by exact comparison, for any decimal near a middle", () => {
  const near = fc.record({
    pattern: fc.integer({ min: 0, max: 0x7f7ffffe }),
    shift: fc.bigInt(-(10n ** 12n), 10n ** 12n),
    // Far enough to the right that the shift stays well within the gap of 2⁻²⁴.
    places: fc.integer({ min: 22, max: 40 }),
  });
  fc.assert(
    fc.property(near, ({ pattern, shift, places: extra }) => {
      const { low, high, digits, places } = pick(pattern);
      const [plain, power] = spell(digits * 10n ** BigInt(extra) + shift, places + extra);
      const tie = pattern % 2 === 0 ? low : high;
      const expected = shift > 0n ? high : shift < 0n ? low : tie;
      expect(parse(plain)).toBe(expected);
      expect(parse(power)).toBe(expected);
    }),
    { numRuns: 500 },
  );
});

it("knows the edges: overflow, underflow and what rounds up into them", () => {
  const middle = 2n ** 128n - 2n ** 103n;
  expect(parse(String(middle))).toBe(Number.POSITIVE_INFINITY);
  expect(parse(String(middle - 1n))).toBe(2 ** 128 - 2 ** 104);
  expect(parse(`-${middle - 1n}`)).toBe(-(2 ** 128 - 2 ** 104));
  expect(parse("1e-46")).toBe(0);
  expect(parse("-1e-46")).toBe(-0);
  const { digits, places } = pick(0);
  const [least] = spell(digits, places);
  expect(parse(least)).toBe(0);
  expect(parse(`${least}1`)).toBe(2 ** -149);
  expect(parse("1e400")).toBe(Number.POSITIVE_INFINITY);
  expect(parse("0x1000001")).toBe(2 ** 24);
});

it("is how every text format reads 32-bit values, and 64-bit values are those of Number()", () => {
  const cell = "1.00000005960464480";
  for (const precision of ["f32", "f64"] as const) {
    const expected = precision === "f32" ? Math.fround(1.0000001) : Number(cell);
    const tables = [
      readCsv(`v\n${cell}\n`, { precision }),
      readLibsvm(`1 1:${cell}\n`, { precision }),
      readArff(`@relation r\n@attribute v numeric\n@data\n${cell}\n`, { precision }),
      readArff(`@relation r\n@attribute v numeric\n@data\n{0 ${cell}}\n`, { precision }),
      readMatrixMarket(`%%MatrixMarket matrix array real general\n1 1\n${cell}\n`, { precision }),
      readMatrixMarket(`%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 ${cell}\n`, { precision }),
    ];
    for (const { X } of tables) expect(X.at(0, 0)).toBe(expected);
  }
});

it("reads another decimal mark, and takes a point for text then", () => {
  const read = (text: string) => parseNumber(encoder.encode(text), 0, text.length, "f32", 44);
  expect(read("2,5")).toBe(2.5);
  expect(read("1,00000005960464480")).toBe(Math.fround(1.0000001));
  expect(read("1.5")).toBeNaN();
  expect(read("1.000,5")).toBeNaN();
});
