import { expect, it } from "vitest";
import { packTexts, unpackTexts } from "../../src/io/packed-texts.js";
import { Random } from "../../src/random.js";

it.each([
  ["none", []],
  ["one that is empty", [""]],
  ["empty ones around others", ["", "", "a", "", "long ".repeat(60_000), "", "end", ""]],
  ["halves of characters", ["half \ud83d", "\ude00 half", "手机"]],
])("texts come out as they went in: %s", (_, texts) => expect(unpackTexts(packTexts(texts))).toEqual(texts));

it("many texts are few strings, which fit together again", () => {
  const random = new Random(1);
  const texts = Array.from({ length: 20_000 }, (_, i) => `text ${i} ${"é的x"[i % 3].repeat(random.below(80))}`);
  const { parts, lengths } = packTexts(texts);
  expect(parts.length).toBeLessThan(10);
  expect(parts.length).toBeGreaterThan(2);
  expect(unpackTexts({ parts, lengths })).toEqual(texts);
});
