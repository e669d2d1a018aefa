import {
  Dictionary,
  Field,
  Float32,
  Int32,
  List,
  makeVector,
  Table,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import { expect, it } from "vitest";
import { checkArrow } from "../../src/io/arrow-check.js";

const texts = vectorFromArray(["x", "y", "x"], new Dictionary(new Utf8(), new Int32()));
const table = new Table({
  a: makeVector(Float32Array.of(1, 2, 3)),
  b: vectorFromArray(["one", null, "three"]),
  c: vectorFromArray([[1, 2], [], [3]], new List(new Field("item", new Float32()))),
  d: texts,
});
const forms = ["file", "stream"] as const;
const check = (bytes: Uint8Array) =>
  checkArrow({ size: bytes.length, read: (at, length) => bytes.subarray(at, at + length) });

it.each(forms)("counts the rows of a %s", (form) => {
  expect(check(tableToIPC(table, form))).toBe(3);
});

it("refuses a file that ends early, in a sentence", () => {
  const bytes = tableToIPC(table, "file");
  for (let length = 1; length < bytes.length; length += 7) {
    expect(() => check(bytes.subarray(0, length))).toThrow(/[a-z]/);
  }
});

it.each(forms)("takes or refuses a %s with any byte changed, and claims no rows that are not there", (form) => {
  const bytes = tableToIPC(table, form);
  for (let p = 0; p < bytes.length; p++) {
    const changed = bytes.slice();
    changed[p] ^= 0x41;
    try {
      expect(check(changed)).toBeLessThanOrEqual(bytes.length);
    } catch (error) {
      expect(error).toBeInstanceOf(Error);
      expect((error as Error).name, (error as Error).stack).toMatch(/^(Error|RangeError)$/);
    }
  }
});
