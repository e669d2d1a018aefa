import { expect, it } from "vitest";
import { hasColours, makeStyle } from "../../src/show/style.js";

it.each([
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: "1" }, false],
  [true, { NO_COLOR: "" }, true],
  [true, { TERM: "dumb" }, false],
  [false, { FORCE_COLOR: "1" }, true],
  [true, { FORCE_COLOR: "0" }, false],
  [false, { FORCE_COLOR: "1", NO_COLOR: "1" }, true],
])("terminal %j with %j: %j", (isTTY, env, colours) => expect(hasColours({ isTTY }, env)).toBe(colours));

it("changes nothing without colours", () => {
  const { bold, dim, good, bad, accent } = makeStyle(false);
  for (const paint of [bold, dim, good, bad, accent]) expect(paint("x")).toBe("x");
  expect(makeStyle(true).bad("x")).toBe("\x1b[31mx\x1b[39m");
  expect(makeStyle(true).bad("")).toBe("");
});
