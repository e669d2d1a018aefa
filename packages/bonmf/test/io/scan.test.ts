import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FormatError, OptionError } from "../../src/errors.js";
import { formatNumber, parseNumber } from "../../src/io/number.js";
import { count, Lines, toBytes } from "../../src/io/scan.js";

const encoder = new TextEncoder();
const parse = (text: string) => parseNumber(encoder.encode(text), 0, encoder.encode(text).length);

describe("parseNumber", () => {
  it.each([
    ..."0 -0 +0 7 -7 +7 007 5. .5 -.5 +.5 0.1 0.30000000000000004 123456789012345 1234567890123456".split(" "),
    ..."9007199254740993 0.000000000000001 .000000000000001 12345.6789012345 123456789.0123456 1e3 1E-3 -2.5e+10".split(
      " ",
    ),
    ..."1e400 1e-400 Infinity -Infinity 0x1F 1. 1.e5 4.35 0.57 1.005 8.41 2.2250738585072014e-308".split(" "),
  ])("reads %s as Number() does", (text) => {
    expect(Object.is(parse(text), Number(text)), `${parse(text)} against ${Number(text)}`).toBe(true);
  });

  it.each(["", " ", ".", "-", "+", "--1", "1-", "1..2", "1.2.3", "1,5", "1 2", "abc", "NaN", "12a", "1e", "\u00e9"])(
    "says that %j is no number",
    (text) => expect(parse(text)).toBeNaN(),
  );

  it("agrees with Number() on any double and on any short decimal", () => {
    fc.assert(fc.property(fc.double({ noNaN: true }), (x) => Object.is(parse(String(x)), Number(String(x)))));
    fc.assert(
      fc.property(fc.stringMatching(/^[+-]?\d{0,12}\.?\d{0,9}$/), (text) =>
        Object.is(parse(text), text === "" ? Number.NaN : Number(text)),
      ),
      { numRuns: 2000 },
    );
  });

  it("reads only the bytes it is given", () => {
    expect(parseNumber(encoder.encode("9123456"), 1, 4)).toBe(123);
    expect(parseNumber(Uint8Array.of(0x31, 0xff), 0, 2)).toBeNaN();
  });
});

describe("formatNumber", () => {
  it("writes a 32-bit value short", () => {
    expect(formatNumber(Math.fround(0.1), "f32")).toBe("0.1");
    expect(formatNumber(Math.fround(0.1), "f64")).toBe("0.10000000149011612");
    expect(formatNumber(-0, "f32")).toBe("-0");
  });

  it("reads back as the same value", () => {
    const f32 = fc.float({ noNaN: true });
    fc.assert(
      fc.property(f32, (x) => Object.is(Math.fround(Number(formatNumber(x, "f32"))), x)),
      { numRuns: 1000 },
    );
    fc.assert(fc.property(fc.double({ noNaN: true }), (x) => Object.is(Number(formatNumber(x, "f64")), x)));
  });

  it("needs at most nine digits for a 32-bit value", () => {
    fc.assert(
      fc.property(
        fc.float({ noNaN: true, min: Math.fround(1e-3), max: 1 }),
        (x) => formatNumber(x, "f32").length <= 12,
      ),
    );
  });
});

describe("toBytes", () => {
  it("drops a byte-order mark from text and bytes", () => {
    expect([...toBytes("\ufeffa", "x")]).toEqual([97]);
    expect([...toBytes(Uint8Array.of(0xef, 0xbb, 0xbf, 97), "x")]).toEqual([97]);
  });

  it("refuses what is not UTF-8 text, with the remedy", () => {
    expect(() => toBytes(Uint8Array.of(0x1f, 0x8b, 8), "a.csv.gz")).toThrow(
      new FormatError("a.csv.gz: the file is gzip-compressed: decompress it first"),
    );
    expect(() => toBytes(Uint8Array.of(0xff, 0xfe, 97, 0), "a.csv")).toThrow(
      "a.csv: the file is UTF-16: save it as UTF-8",
    );
    expect(() => toBytes(5 as unknown as string, "a.csv")).toThrow(OptionError);
    expect(() => toBytes(5 as unknown as string, "a.csv")).toThrow(
      "a.csv: a reader takes a Uint8Array or a string, not 5",
    );
  });
});

describe("Lines", () => {
  it("takes a control character for a part of its word", () => {
    const lines = new Lines("\x004\x05 1\v2\f\x02", "x");
    const words: string[] = [];
    while (lines.next()) while (lines.word()) words.push(lines.token());
    expect(words).toEqual(["\x004\x05", "1", "2", "\x02"]);
  });

  it("walks over lines and words, counting blank lines but not stopping at them", () => {
    const lines = new Lines("\n  a bc \r\n\n\t\nd#e f", "x");
    const seen: [number, string, string[]][] = [];
    while (lines.next()) {
      const words: string[] = [];
      while (lines.word()) words.push(lines.token());
      seen.push([lines.line, lines.text(), words]);
    }
    expect(seen).toEqual([
      [2, "a bc", ["a", "bc"]],
      [5, "d#e f", ["d#e", "f"]],
    ]);
  });

  it("cuts a line at a byte", () => {
    const lines = new Lines("ab#c#d", "x");
    lines.next();
    lines.cut(35);
    expect(lines.text()).toBe("ab");
  });

  it("names the line that is not UTF-8", () => {
    const lines = new Lines(Uint8Array.of(10, 0xe9), "old.csv");
    lines.next();
    expect(() => lines.text()).toThrow("old.csv, line 2: the text is not UTF-8: save the file as UTF-8");
  });
});

it("counts bytes", () => expect(count(encoder.encode("a,b,,c"), 44)).toBe(3));
