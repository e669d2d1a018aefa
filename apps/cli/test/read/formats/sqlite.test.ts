import { existsSync, readFileSync, writeFileSync } from "node:fs";
import sqlite from "node-sqlite3-wasm";
import { describe, expect, it } from "vitest";
import { readData, readParts } from "../../../src/read/read.js";
import { failure, makeFolder, rowsOf } from "../fixture.js";

const folder = makeFolder();

function make(name: string, ...statements: string[]): string {
  const path = `${folder.path}/${name}`;
  const database = new sqlite.Database(path);
  for (const statement of statements) database.run(statement);
  database.close();
  return path;
}

const trees = make(
  "trees.db",
  'create table trees (kind text, height, "__proto__" integer, leaf blob, planted date)',
  "insert into trees values ('oak', 10.5, 3, x'00', '2001-02-03'), ('elm', 4, null, null, '2010-11-12')",
);

describe("SQLite files", () => {
  it("are read as tables: each value has its type", async () => {
    const data = await readData([trees], { label: "kind", exclude: ["planted"], missing: "zero" });
    expect(data).toMatchObject({ kind: "sqlite", features: ["height", "__proto__"], labels: ["oak", "elm"] });
    expect(rowsOf(data.X)).toEqual([[10.5, 3], [4, 0]]); // biome-ignore format: a matrix
    expect(data.notes).toContain(`${trees}: left out "leaf", whose values are bytes`);
    expect(existsSync(`${trees}.lock`)).toBe(false);
  });

  it("may be asked by SQL, and come in parts", async () => {
    const { X } = await readData([trees], { sql: "select height * 2 as twice from data where kind = 'elm'" });
    expect(rowsOf(X)).toEqual([[8]]);
    const rows = [];
    for await (const part of readParts([trees], { features: ["height"] }, 1)) rows.push(...rowsOf(part.X));
    expect(rows).toEqual([[10.5], [4]]);
  });

  it("of several tables need --table", async () => {
    const two = make("two.sqlite", "create table a (x)", "create table b (z)", "insert into b values (7), (8)");
    expect(await failure(readData([two], {}))).toMatchObject({
      message: `${two} has 2 tables: "a", "b"`,
      hint: "choose one with --table",
    });
    expect(rowsOf((await readData([two], { table: "b" })).X)).toEqual([[7], [8]]);
    expect((await failure(readData([two], { table: "c" }))).message).toBe(`${two} has no table "c"`);
    expect((await failure(readData([folder.put("t.csv", "a\n1\n")], { table: "c" }))).message).toMatch(
      /--table is for SQLite files/,
    );
  });

  it("in write-ahead mode are read where no change is pending", async () => {
    const path = make("wal.db", "create table t (x)", "insert into t values (1), (2)");
    const bytes = readFileSync(path);
    bytes[18] = 2;
    bytes[19] = 2;
    writeFileSync(path, bytes);
    expect(rowsOf((await readData([path], {})).X)).toEqual([[1], [2]]);
    writeFileSync(`${path}-wal`, "changes");
    expect((await failure(readData([path], {}))).message).toBe(`${path} has changes that are still in ${path}-wal`);
  });

  it("that are damaged or empty say so", async () => {
    const cut = folder.put("cut.db", readFileSync(trees).subarray(0, 1000));
    expect((await failure(readData([cut], {}))).message).toMatch(/cut\.db cannot be read as a SQLite database: /);
    const none = make("none.db", "create table gone (x)", "drop table gone");
    expect((await failure(readData([none], {}))).message).toBe(`${none} has no tables`);
  });
});
