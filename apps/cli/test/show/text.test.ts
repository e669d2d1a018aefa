import { expect, it } from "vitest";
import { clip, replaceControls, widthOf, wrap } from "../../src/show/text.js";

it("measures columns, not code units", () => {
  expect(widthOf("abc")).toBe(3);
  expect(widthOf("\x1b[32mabc\x1b[39m")).toBe(3);
  expect(widthOf("日本")).toBe(4);
  expect(widthOf("🙂")).toBe(2);
  expect(widthOf("e\u0301")).toBe(1);
});

it("wraps at spaces and loses no word", () => {
  const text = "a bc def ghij averyveryverylongword k";
  const lines = wrap(text, 8);
  expect(lines).toEqual(["a bc def", "ghij", "averyveryverylongword", "k"]);
  expect(lines.join(" ")).toBe(text);
});

it("clips with an ellipsis", () => {
  expect(clip("abcdef", 6)).toBe("abcdef");
  expect(clip("abcdefg", 6)).toBe("abcde…");
  expect(clip("日本語日本語", 6)).toBe("日本…");
});

it("lets no name rewrite the screen", () => {
  expect(replaceControls("\x1b[2Jgone\r\nnext\u202e")).toBe("�[2Jgone��next�");
  expect(replaceControls("größe 日本")).toBe("größe 日本");
});
