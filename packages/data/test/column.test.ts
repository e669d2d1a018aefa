import { expect, it } from "vitest";
import { textAt, toColumn } from "../src/column.js";

it("spells records, also with 64-bit numbers", () => {
  const column = toColumn("record", [{ a: 1n, b: "x" }, { a: 2n ** 60n, b: null }, null]);
  expect([0, 1].map((row) => textAt(column, row))).toEqual(['{"a":1,"b":"x"}', '{"a":"1152921504606846976","b":null}']);
});
