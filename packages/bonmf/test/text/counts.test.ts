import { expect, it } from "vitest";
import { Random } from "../../src/random.js";
import { Counts } from "../../src/text/counts.js";
import { type TextList, Texts } from "../../src/text/texts.js";

const LEFT = new Set(["the", "and", "über", "never"]);
const MANY = 1e6;

/** Texts of a few alphabets, some of words that must be seen together, one of more words than are taken together. */
function makeTexts(count: number): string[] {
  const random = new Random(3);
  const words = [
    "the",
    "and",
    "Cat's",
    "dog",
    "über",
    "naïve",
    "rock-'n'-roll",
    "x",
    "42",
    "Straße",
    "fell",
    "e\u0301te\u0301",
  ];
  const numbered = Array.from({ length: 3000 }, (_, i) => `w${i}`);
  const texts = Array.from({ length: count }, (_, i) => {
    const list = i % 5 === 0 ? [...words, "手机壳", "ﬁne"] : i % 3 === 0 ? numbered : words.slice(0, 5);
    return Array.from({ length: random.below(12) }, () => list[random.below(list.length)]).join(" ");
  });
  // As long as a block of texts, and longer.
  const long = ["ab ".repeat(2 ** 18).slice(0, 2 ** 18), "ab ".repeat(2 ** 17)];
  return [...texts, ...long, Array.from({ length: 70_000 }, (_, i) => `v${i % 66_000}`).join(" "), "", "the and"];
}

/** All that is known of counts, whichever numbers words have. */
function describeCounts(texts: TextList, characters: number, parts = 1): unknown {
  const size = Math.ceil(texts.length / parts);
  const counted = Array.from({ length: parts }, (_, part) => {
    const counts = new Counts(LEFT, 1, null, characters);
    const end = Math.min((part + 1) * size, texts.length);
    for (let from = part * size; from < end; ) from = counts.addSome(texts, from, end);
    return counts;
  });
  const [counts, ...others] = counted;
  for (const other of others) counts.append(other.toPart());
  const words = [...counts.ids.keys()].sort();
  const { offsets, indices, values } = counts.toSparse(words);
  return {
    words,
    samples: counts.samples,
    lengths: [...counts.lengths],
    holders: words.map((word) => counts.holders[counts.ids.get(word)!]),
    totals: words.map((word) => counts.totals[counts.ids.get(word)!]),
    matrix: [[...offsets], [...indices], [...values]],
  };
}

it("WebAssembly counts as TypeScript does, as a whole and in parts", () => {
  const texts = makeTexts(9000);
  const plain = describeCounts(texts, 0);
  expect(describeCounts(texts, MANY)).toEqual(plain);
  expect(describeCounts(texts, MANY, 3)).toEqual(plain);
  expect(describeCounts(Texts.of(texts), 0)).toEqual(plain);
  expect(describeCounts(Texts.of(texts), MANY, 3)).toEqual(plain);
});

it("texts that come one by one and together are counted alike", () => {
  for (const length of [100, 1000, 10_000, 30_000]) {
    const texts = ["cat fell", "dog ".repeat(length), "cat ran", "é", "dog ran"];
    const [plain, mixed] = [0, MANY].map((characters) => new Counts(LEFT, 1, null, characters));
    for (const text of texts) plain.addText(text);
    mixed.addText(texts[0]);
    mixed.addSome(texts, 1, 2);
    for (const text of texts.slice(2)) mixed.addText(text);
    const words = ["cat", "dog", "fell", "ran"];
    expect([...mixed.ids.keys()].sort()).toEqual(words);
    expect(mixed.toSparse(words)).toEqual(plain.toSparse(words));
  }
});

it("counts go on after they were looked at", () => {
  const texts = makeTexts(200);
  const counts = [0, MANY].map((characters) => new Counts(LEFT, 1, null, characters));
  for (const each of counts) {
    for (const text of texts) {
      each.addText(text);
      each.ids.get("cat");
    }
  }
  const [plain, many] = counts.map(({ ids, totals, samples }) => ({
    totals: [...ids].map(([word, id]) => [word, totals[id]]).sort(),
    samples,
  }));
  expect(many).toEqual(plain);
  expect(many.totals.length).toBeGreaterThan(100);
});
