import { expect, it } from "vitest";
import { readJson, readTable } from "../src/index.js";
import { HOSTILE_NAMES } from "./fixtures/hostile-names.js";

const names = Object.values(HOSTILE_NAMES);

it("a row without a column has no value there, whatever the column is called", async () => {
  const whole = JSON.stringify(Object.fromEntries(names.map((name, c) => [name, c])));
  const table = { ...readJson(`${whole}\n{"a": 1}\n`, "rows.jsonl"), name: "rows.jsonl", kind: "jsonl" as const };
  expect(table.columns.map(({ name }) => name)).toEqual([...names, "a"]);
  const { X, features } = await readTable(table, { missing: "zero", numbers: [...names, "a"] });
  expect(features).toEqual([...names, "a"]);
  expect([...X.toDense().row(0)]).toEqual([...names.keys(), 0]);
  expect([...X.toDense().row(1)]).toEqual([...names.map(() => 0), 1]);
});
