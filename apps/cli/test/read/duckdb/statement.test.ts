import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readData } from "../../../src/read/read.js";
import { makeFolder } from "../../binary.js";

const out = join(makeFolder(), "out.csv");
const refused = "--sql runs one query that reads, but ";

it.each([
  "select 1 as a",
  "select 1 as a -- all",
  "from (values (1), (2)) t(a)",
  "values (1), (2)",
  "with x as (select 1 as a) select * from x",
  "summarize select 1 as a",
  "pivot (select 1 as a, 'x' as t) on t using sum(a)",
  "(select 1 as a)",
])("reads by %s", async (sql) => {
  expect((await readData([], { sql })).X.samples).toBeGreaterThan(0);
});

it.each([
  [`copy (select 1) to '${out}'`, "this is "],
  [`export database '${out}'`, "this is "],
  [`attach '${out}' as other`, "this is "],
  ["install httpfs", "this is "],
  ["load httpfs", "this is "],
  ["set threads = 1", "this is "],
  ["create table x as select 1", "this is "],
  ["checkpoint", "this is "],
  ["select 1; select 2", "this is "],
  [`select 1; copy (select 1) to '${out}'`, "this is "],
  ["explain select 1", "this is "],
  [" ; -- nothing", "there is none"],
])("refuses %s", async (sql, why) => {
  await expect(readData([], { sql })).rejects.toThrow(refused + why);
  expect(existsSync(out)).toBe(false);
});

it("refuses what closes the bracket around it", async () => {
  const sql = `select 1) to '${out}'; copy (select 2`;
  await expect(readData([], { sql })).rejects.toThrow("--sql: syntax error");
  expect(existsSync(out)).toBe(false);
});
