import { expect, it } from "vitest";
import { makeStyle } from "../../src/show/style.js";
import { table } from "../../src/show/table.js";

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

it("stands without rows", () => expect(table(columns, [], makeStyle(false))).toBe("name  size  note"));
