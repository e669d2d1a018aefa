import { expect, it } from "vitest";
import { toTerminal } from "../../src/show/escape.js";
import {
  bytes,
  clip,
  count,
  decimal,
  duration,
  hasColours,
  makeStyle,
  percent,
  plural,
  table,
  widthOf,
  wrap,
} from "../../src/show/text.js";

it("measures columns, not code units", () => {
  expect(widthOf("abc")).toBe(3);
  expect(widthOf(makeStyle(true).good("abc"))).toBe(3);
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
  expect(toTerminal(makeStyle(true).bad("x"))).toBe("\x1b[31mx\x1b[39m");
  expect(makeStyle(true).bad("")).toBe("");
});

it.each([
  [count(1234567), "1,234,567"],
  [count(0), "0"],
  [percent(0.1234), "12.3 %"],
  [percent(1), "100.0 %"],
  [percent(-1e-9), "0.0 %"],
  [percent(-0.001), "-0.1 %"],
  [percent(Number.NaN), "–"],
  [plural(1, "sample"), "1 sample"],
  [plural(2000, "sample"), "2,000 samples"],
  [duration(0.0451), "45 ms"],
  [duration(0.9996), "1.0 s"],
  [duration(9.94), "9.9 s"],
  [duration(59.6), "1 min 0 s"],
  [duration(83.2), "1 min 23 s"],
  [duration(7384), "2 h 3 min"],
  [bytes(0), "0 B"],
  [bytes(999), "999 B"],
  [bytes(12_345), "12.3 kB"],
  [bytes(999_600), "1.0 MB"],
  [bytes(123_456_789), "123 MB"],
  [decimal(0.431234), "0.4312"],
  [decimal(0), "0"],
  [decimal(0.00001234), "1.23e-5"],
  [decimal(123456.7), "123,457"],
  [decimal(Number.NaN), "–"],
])("%j", (shown, expected) => expect(shown).toBe(expected));

const columns = [{ title: "name" }, { title: "size", right: true }, { title: "note" }];

it("aligns words left and numbers right", () => {
  const rows = [
    ["a", "1,234", "x"],
    ["longer", "7", ""],
    ["日本", "12", "yes"],
  ];
  expect(table(columns, rows, makeStyle(false))).toBe(
    ["name     size  note", "a       1,234  x", "longer      7", "日本       12  yes"].join("\n"),
  );
});

it("is not moved by colours", () => {
  const style = makeStyle(true);
  const [, first, second] = table(
    columns,
    [
      [style.good("a"), style.bad("1"), "x"],
      ["bb", "22", "y"],
    ],
    style,
  ).split("\n");
  expect(first).toBe(`${style.good("a")}        ${style.bad("1")}  x`);
  expect(second).toBe("bb      22  y");
});

it("keeps every row on one line", () => {
  const rows = [["a\nb", "1\t2", "\x1b[2J"]];
  expect(table(columns, rows, makeStyle(false)).split("\n")[1]).toBe("a\\nb  1\\t2  \\u001b[2J");
});

it("stands without rows", () => expect(table(columns, [], makeStyle(false))).toBe("name  size  note"));
