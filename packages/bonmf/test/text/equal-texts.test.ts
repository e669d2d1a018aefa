import { expect, test } from "vitest";
import { groupEqualTexts, hashTexts } from "../../src/text/equal-texts.js";
import { type TextList, Texts } from "../../src/text/texts.js";

/** As a Map finds them. */
function group(texts: readonly string[]) {
  const kinds = new Map<string, number>();
  const kindOf = texts.map((text) => {
    if (!kinds.has(text)) kinds.set(text, kinds.size);
    return kinds.get(text)!;
  });
  return { firsts: [...kinds.keys()].map((text) => texts.indexOf(text)), kindOf };
}

function plain(texts: TextList) {
  const { firsts, kindOf } = groupEqualTexts(texts);
  return { firsts: [...firsts], kindOf: [...kindOf] };
}

test.each([
  ["none", []],
  ["one", ["a"]],
  ["empty ones", ["", "a", "", "a b"]],
  ["those of other scripts", ["äß", "你好", "aß", "你好", "äß", "\ud800"]],
  // FNV-1a has the same value for both.
  ["those of one hash", ["costarring", "liquid", "liquid", "costarring"]],
])("equal texts: %s", (_, texts) => {
  expect(plain(texts)).toEqual(group(texts));
  expect(plain(Texts.of(texts))).toEqual(group(texts));
});

test("equal texts among many, in WebAssembly", () => {
  const texts = Array.from(
    { length: 3000 },
    (_, i) => `document ${(i * 7919) % 1000} ${i % 3 === 0 ? "é" : "e"} of many`,
  );
  expect(plain(texts)).toEqual(group(texts));
  expect(plain(Texts.of(texts))).toEqual(group(texts));
});

test("hashes are the same in WebAssembly, of texts longer than a block too", () => {
  const texts = Array.from(
    { length: 9000 },
    (_, i) => `${i % 9 === 4 ? "naïve 你" : "plain"} ${"ab ".repeat(i % 40)}${i}`,
  );
  texts[70] = "long ".repeat(60_000);
  texts[71] = "länger ".repeat(60_000);
  const each = texts.map((text) => hashTexts([text.slice(0, 100)])[0]);
  expect([...hashTexts(texts.map((text) => text.slice(0, 100)))]).toEqual(each);
  expect([...hashTexts(Texts.of(texts))]).toEqual([...hashTexts(texts)]);
});
