import { expect, it } from "vitest";
import { toTerminal } from "../../src/show/escape.js";
import { arrangePictures, picture } from "../../src/show/picture.js";
import { widthOf } from "../../src/show/text.js";

it("puts two pixels into one character", () => {
  expect(picture([0, 4, 0, 4, 4, 4], { width: 2, height: 3 }, false)).toEqual([" █", "▒▒"]);
});

it("shows 24 greys where there are colours", () => {
  const [line] = picture([0, 1], { width: 1, height: 2 }, true);
  expect(toTerminal(line)).toBe("\x1b[38;5;232;48;5;255m▀\x1b[0m");
});

it("draws nothing where there is nothing", () => {
  expect(picture([0, 0, 0, 0], { width: 2, height: 2 }, false)).toEqual(["  "]);
});

it("makes wide pictures smaller by means of blocks", () => {
  const values = Float64Array.from({ length: 64 * 64 }, (_, p) => (p % 64 < 32 ? 1 : 0));
  const lines = picture(values, { width: 64, height: 64 }, false);
  expect(lines).toHaveLength(16);
  expect(new Set(lines)).toEqual(new Set(["█".repeat(16) + " ".repeat(16)]));
});

it("sets pictures side by side within the width", () => {
  const lines = ["████", "████"];
  const text = arrangePictures(
    [0, 1, 2].map((j) => ({ caption: String(j), lines })),
    12,
  );
  expect(text).toBe(["0     1", "████  ████", "████  ████", "", "2", "████", "████"].join("\n"));
  for (const line of text.split("\n")) expect(widthOf(line)).toBeLessThanOrEqual(12);
});
