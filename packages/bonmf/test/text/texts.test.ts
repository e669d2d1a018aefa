import { describe, expect, it } from "vitest";
import { Random } from "../../src/random.js";
import {
  areEqual,
  areUnspaced,
  countCharacters,
  lengthsOf,
  Texts,
  takeTexts,
  writeTexts,
} from "../../src/text/texts.js";

const random = new Random(5);
const WORDS = ["cat", "Größe", "手机", "😀", "", "a b", "\ufeffmark", "line\nbreak"];
const strings = Array.from({ length: 400 }, () =>
  Array.from({ length: random.below(6) }, () => WORDS[random.below(WORDS.length)]).join(" "),
);
/** One part, several, and parts with something between the texts. */
const LISTS = {
  one: Texts.of(strings),
  several: new Texts([0, 37, 38, 300].map((from, p, all) => Texts.of(strings.slice(from, all[p + 1])).parts[0])),
  spread: new Texts([spread(strings.slice(0, 150)), spread(strings.slice(150))]),
};

function spread(texts: readonly string[]) {
  const bytes = new TextEncoder().encode(`\n${texts.join("\r\n")}\n`);
  const spans = new Uint32Array(2 * texts.length);
  let at = 1;
  for (const [i, text] of texts.entries()) {
    spans[2 * i] = at;
    at += new TextEncoder().encode(text).length;
    spans[2 * i + 1] = at;
    at += 2;
  }
  return { bytes, spans, isAscii: false };
}

describe.each(Object.entries(LISTS))("texts as UTF-8, %s", (_, texts) => {
  it("are those that were given", () => {
    expect([...texts]).toEqual(strings);
    expect(strings.map((_, i) => texts.at(i))).toEqual(strings);
    expect([texts.length, texts.at(-1), texts.at(400)]).toEqual([400, undefined, undefined]);
  });

  it("are taken by number", () => {
    for (const step of [1, 3, 399]) {
      const places = Uint32Array.from(strings.keys()).filter((i) => i % step === 0);
      expect([...takeTexts(texts, places)]).toEqual(takeTexts(strings, places));
    }
  });

  it("are compared", () => {
    for (let i = 0; i < 400; i += 7) {
      for (let j = 0; j < 400; j++) expect(areEqual(texts, i, j)).toBe(strings[i] === strings[j]);
    }
  });

  it.each([1, 30, 300, 100_000])("are written as their strings are, where %i bytes have room", (room) => {
    for (let from = 0; from < 400; from++) {
      const written = [texts, strings].map((list) => {
        const [bytes, spans] = [new Uint8Array(room), new Uint32Array(60)];
        const count = writeTexts(list, from, 390, bytes, spans);
        return Array.from({ length: count }, (_, t) =>
          new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(spans[2 * t], spans[2 * t + 1])),
        );
      });
      for (const some of written) expect(some).toEqual(strings.slice(from, from + some.length));
    }
  });
});

it("texts fill a block up to its last byte", () => {
  const bytes = new Uint8Array(6);
  for (const list of [["abc", "def", "g"], Texts.of(["abc", "def", "g"])]) {
    expect(writeTexts(list, 0, 3, bytes, new Uint32Array(8))).toBe(2);
    expect(String.fromCharCode(...bytes)).toBe("abcdef");
  }
});

it("many texts are several parts, and one text is never in two", () => {
  const long = ["a".repeat(400_000), "b".repeat(400_000), "ü".repeat(600_000), "c"];
  const texts = Texts.of(long);
  expect(texts.parts.length).toBeGreaterThan(1);
  expect([...texts]).toEqual(long);
  expect(texts.parts.map(({ isAscii }) => isAscii)).toContain(false);
  expect(countCharacters(long)).toBe(1_400_001);
  expect([...lengthsOf(texts)]).toEqual([400_000, 400_000, 1_200_000, 1]);
});

it("scripts without spaces are found in whichever text", () => {
  for (const list of [["cat", "Größe"], ["cat"], []]) {
    expect([areUnspaced(list), areUnspaced(Texts.of(list))]).toEqual([false, false]);
  }
  const texts = ["cat", "手机", "dog"];
  expect([areUnspaced(texts), areUnspaced(Texts.of(texts))]).toEqual([true, true]);
  expect(areUnspaced(Texts.of(texts).take(Uint32Array.of(0, 2)))).toBe(false);
});
