import { expect, it, vi } from "vitest";
import { shorten, splitLetters } from "../../src/views/map-labels.js";

vi.mock("../../src/state/session.js", () => ({ control: null, session: {} }));

it("shortens long labels between letters, never between a letter and its marks", () => {
  const marked = "e\u0301\u0323";
  expect(shorten(marked.repeat(34))).toBe(marked.repeat(34));
  expect(shorten(marked.repeat(35))).toBe(`${marked.repeat(33)}…`);
  expect(shorten("👩‍👩‍👧".repeat(40))).toBe(`${"👩‍👩‍👧".repeat(33)}…`);
});

it("counts letters as people do", () => expect(splitLetters("e\u0301te\u0301")).toHaveLength(3));
