import { expect, it } from "vitest";
import { decodeText, detectEncoding, noteEncoding, recodeText } from "../src/index.js";

const TEXT = "name,größe\nŁódź,1\nœuf,2\n";
const little = (text: string) => Buffer.from(text, "utf16le");
const big = (text: string) => little(text).swap16();
const utf8 = new TextEncoder().encode(TEXT);

it.each([
  ["UTF-8", utf8, "utf-8"],
  ["UTF-8 cut within a character", utf8.subarray(0, 8), "utf-8"],
  ["UTF-16 with a mark", little(`\ufeff${TEXT}`), "utf-16le"],
  ["UTF-16 with a mark, big end first", big(`\ufeff${TEXT}`), "utf-16be"],
  ["UTF-16 without a mark", little(TEXT), "utf-16le"],
  ["UTF-16 without a mark, big end first", big(TEXT), "utf-16be"],
  ["one byte a character", Buffer.from("a,größe\n", "latin1"), "windows-1252"],
  ["nothing", new Uint8Array(), "utf-8"],
] as const)("tells %s", (_, bytes, encoding) => expect(detectEncoding(bytes)).toBe(encoding));

it("makes UTF-8 of all of them", () => {
  for (const bytes of [little(`\ufeff${TEXT}`), big(`\ufeff${TEXT}`), little(TEXT), big(TEXT)]) {
    const own = new Uint8Array(bytes);
    expect(new TextDecoder().decode(recodeText(own, detectEncoding(own)))).toBe(TEXT);
    expect(decodeText(own)).toEqual({ text: TEXT, old: false });
  }
  // What Windows-1252 has where Latin 1 has control characters.
  const windows = Uint8Array.of(0x80, 0x20, 0x9c, 0x75, 0x66);
  expect(new TextDecoder().decode(recodeText(windows, "windows-1252"))).toBe("€ œuf");
});

it("notes what was a guess", () => {
  expect(noteEncoding("a.csv", "windows-1252")).toEqual(["a.csv is not UTF-8 and was read as Windows-1252 (Latin 1)"]);
  expect(noteEncoding("a.csv", "utf-16le")).toEqual([]);
});
