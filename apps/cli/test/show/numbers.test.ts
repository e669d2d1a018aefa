import { expect, it } from "vitest";
import { bytes, count, decimal, duration, percent, plural } from "../../src/show/numbers.js";

it.each([
  [count(1234567), "1,234,567"],
  [count(0), "0"],
  [percent(0.1234), "12.3 %"],
  [percent(1), "100.0 %"],
  [percent(Number.NaN), "–"],
  [plural(1, "sample"), "1 sample"],
  [plural(2000, "sample"), "2,000 samples"],
  [duration(0.0451), "45 ms"],
  [duration(0.9996), "1.0 s"],
  [duration(9.94), "9.9 s"],
  [duration(59.6), "1 min 0 s"],
  [duration(83.2), "1 min 23 s"],
  [duration(7384), "2 h 3 min"],
  [bytes(0), "0 B"],
  [bytes(999), "999 B"],
  [bytes(12_345), "12.3 kB"],
  [bytes(999_600), "1.0 MB"],
  [bytes(123_456_789), "123 MB"],
  [decimal(0.431234), "0.4312"],
  [decimal(0), "0"],
  [decimal(0.00001234), "1.23e-5"],
  [decimal(123456.7), "123,457"],
  [decimal(Number.NaN), "–"],
])("%j", (shown, expected) => expect(shown).toBe(expected));
