import { expect, it } from "vitest";
import { isolate, shorten, widthOf } from "../../src/views/letters.js";

it.each([
  ["market", 6],
  ["ディスク", 8],
  ["软件 apt", 8],
  ["한국어", 6],
  ["हिन्दी", 5],
  ["cafe\u0301 👩‍🚀", 9],
])("%j is as wide as %i letters", (text, width) => expect(widthOf(text)).toBe(width));

it("a text is shortened to the room that it takes", () => {
  expect(shorten("ディスク, raid, パーティション", 16)).toBe("ディスク, raid…");
  expect(shorten("market, growth", 14)).toBe("market, growth");
  expect(shorten("market, growth", 10)).toBe("market, g…");
  expect(shorten("👩🚀👩🚀", 5)).toBe("👩🚀…");
});

it("a name from the right to the left is set apart", () => {
  expect(isolate("ملفات, 4")).toBe("\u2068ملفات, 4\u2069");
  expect(isolate("market")).toBe("market");
});
