import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readNumbers } from "../../src/executor/numbers.js";

function read(text: string): number[] {
  const out = new Float64Array(100);
  return [...out.subarray(0, readNumbers(Buffer.from(text), out))];
}

describe("numbers as Spark writes them", () => {
  it("are read", () => {
    expect(read("0 5 5.0 0.1875 1.0E-5 2.5E10 -3.5 123456789012345678901234567890 0.1")).toEqual([
      0, 5, 5, 0.1875, 1e-5, 2.5e10, -3.5, 1.2345678901234568e29, 0.1,
    ]);
    expect(read("")).toEqual([]);
  });

  it("are read to the bit, as JavaScript reads them", () => {
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.float({ noNaN: true, min: 0, max: 1000 }),
    );
    fc.assert(
      fc.property(fc.array(number), (numbers) => {
        const texts = numbers.map(String);
        expect(read(texts.join(" "))).toEqual(texts.map(Number));
      }),
    );
    fc.assert(
      fc.property(fc.nat(999_999), fc.nat(999_999_999), (whole, part) => {
        expect(read(`${whole}.${part}`)).toEqual([Number(`${whole}.${part}`)]);
      }),
    );
  });

  it("must not be more than there is room for", () => {
    expect(() => readNumbers(Buffer.from("1 2 3"), new Float64Array(2))).toThrow("more than 2 values");
  });
});
