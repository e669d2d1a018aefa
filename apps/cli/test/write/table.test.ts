import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { tableFromIPC } from "apache-arrow";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeAssignments } from "../../src/write/assignments.js";
import { type Column, openTable, typeOf, type Value } from "../../src/write/table.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bonmf table '-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const columns: Column[] = [
  { name: "id", type: "text" },
  { name: "cluster", type: "integer" },
  { name: "x", type: "float" },
  { name: 'a "b", c', type: "double" },
];
const rows: Value[][] = [
  ["plain", 0, Math.fround(0.1), 0.1],
  ['with "quotes", and\nlines', 3, -0, 1e300],
  ["", 2 ** 40, Math.fround(1e-7), null],
];

async function write(name: string, data: Value[][] = rows, fields: Column[] = columns): Promise<string> {
  const path = join(folder, name);
  const table = await openTable(path, fields);
  for (const row of data) await table.write([row]);
  await table.commit();
  return path;
}

async function query(sql: string) {
  const connection = await (await DuckDBInstance.create()).connect();
  return (await connection.runAndReadAll(sql)).getRowObjectsJS();
}

const quoted = (path: string) => `'${path.replaceAll("'", "''")}'`;

describe("openTable", () => {
  it("writes CSV with quotes where they are needed and numbers as short as they can be", async () => {
    expect(await readFile(await write("a.csv"), "utf8")).toBe(
      'id,cluster,x,"a ""b"", c"\nplain,0,0.1,0.1\n"with ""quotes"", and\nlines",3,-0,1e+300\n"",1099511627776,1e-7,\n',
    );
  });

  it("writes CSV that DuckDB reads back", async () => {
    const found = await query(`from read_csv(${quoted(await write("b.csv"))}, types = {'id': 'VARCHAR'})`);
    // To DuckDB an empty text is a missing one.
    expect(found.map((row) => row.id ?? "")).toEqual(rows.map((row) => row[0]));
    expect(found.map((row) => row['a "b", c'])).toEqual(rows.map((row) => row[3]));
  });

  it("writes TSV and JSON lines", async () => {
    const fields: Column[] = [
      { name: "a", type: "text" },
      { name: "b", type: "float" },
    ];
    const data = [
      ["x\ty", Math.fround(0.3)],
      ["z", null],
    ];
    expect(await readFile(await write("c.tsv", data, fields), "utf8")).toBe('a\tb\n"x\ty"\t0.3\nz\t\n');
    const lines = (await readFile(await write("c.jsonl", data, fields), "utf8")).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { a: "x\ty", b: 0.3 },
      { a: "z", b: null },
    ]);
  });

  it("compresses what ends in .gz, in many parts", async () => {
    const many = Array.from({ length: 20_000 }, (_, i) => [`row ${i}`, i]);
    const path = join(folder, "d.csv.gz");
    const table = await openTable(path, [
      { name: "a", type: "text" },
      { name: "b", type: "integer" },
    ]);
    for (let from = 0; from < many.length; from += 3000) await table.write(many.slice(from, from + 3000));
    await table.commit();
    const text = gunzipSync(await readFile(path)).toString();
    expect(text).toBe(`a,b\n${many.map((row) => `${row.join(",")}\n`).join("")}`);
    expect(await query(`select count(*)::int n, max(b)::int b from ${quoted(path)}`)).toEqual([
      { n: 20_000, b: 19_999 },
    ]);
  });

  it("writes Parquet that keeps types, order and missing values, over many chunks", async () => {
    const many = Array.from({ length: 5000 }, (_, i) => [`é ${i}`, i % 7 === 0 ? null : i, i / 2, i / 3]);
    const path = join(folder, "e.parquet");
    const table = await openTable(path, columns);
    await table.write(many.slice(0, 4500));
    await table.write(many.slice(4500));
    await table.commit();
    const found = await query(`from ${quoted(path)}`);
    expect(found.map(Object.values)).toEqual(
      many.map(([a, b, c, d]) => [a, b === null ? null : BigInt(b as number), c, d]),
    );
    const types = await query(`select column_type t from (describe from ${quoted(path)})`);
    expect(types.map((row) => row.t)).toEqual(["VARCHAR", "BIGINT", "FLOAT", "DOUBLE"]);
  });

  it("writes Arrow that keeps types and missing values", async () => {
    const found = tableFromIPC(await readFile(await write("f.arrow"))).toArray();
    expect(found.map((row) => Object.values(row.toJSON()))).toEqual(
      rows.map(([id, cluster, ...more]) => [id, BigInt(cluster as number), ...more]),
    );
  });

  it.each(["g.csv", "g.parquet", "g.arrow", "g.jsonl"])("writes %s without rows", async (name) => {
    const path = await write(name, []);
    if (name.endsWith(".parquet")) expect(await query(`from ${quoted(path)}`)).toEqual([]);
    if (name.endsWith(".arrow"))
      expect(tableFromIPC(await readFile(path)).schema.names).toEqual(columns.map((c) => c.name));
    if (name.endsWith(".csv")) expect(await readFile(path, "utf8")).toBe('id,cluster,x,"a ""b"", c"\n');
  });

  it("tells Parquet's columns apart that differ by case alone", async () => {
    const path = await write(
      "h.parquet",
      [["1", 2]],
      [
        { name: "a", type: "text" },
        { name: "A", type: "integer" },
      ],
    );
    expect(await query(`from ${quoted(path)}`)).toEqual([{ a: "1", A_2: 2n }]);
  });

  it.each(["i.parquet", "i.arrow"])("refuses text among numbers in %s, which leaves no file", async (name) => {
    const table = await openTable(join(folder, name), [{ name: "id", type: "integer" }]);
    await table.write([[1]]);
    await expect(table.write([["x7"]])).rejects.toThrow(
      'column id has integer values in its first rows, but also "x7"',
    );
    await table.discard();
    expect((await readdir(folder)).filter((file) => file === name || file.endsWith(".part"))).toEqual([]);
  });

  it.skipIf(process.platform !== "linux").each(["csv", "jsonl", "parquet", "arrow"] as const)(
    "says that the disk is full for %s",
    async (format) => {
      const table = await openTable("/dev/full", columns, format);
      await table.write(rows);
      await expect(table.commit()).rejects.toThrow("/dev/full: the disk is full");
      await table.discard();
    },
  );

  it("names the endings it knows", async () => {
    await expect(openTable(join(folder, "a.xlsx"), columns)).rejects.toMatchObject({
      hint: "end it in .csv, .tsv, .jsonl, .parquet, .arrow",
    });
    await expect(openTable(join(folder, "a.parquet.gz"), columns)).rejects.toThrow("parquet is not written as .gz");
  });
});

describe("typeOf", () => {
  it.each([
    [[1, 2, null], "integer"],
    [[1, 2.5], "double"],
    [[1, "a"], "text"],
    [[2 ** 60], "double"],
  ])("%j is %s", (values, type) => expect(typeOf(values)).toBe(type));
});

describe("writeAssignments", () => {
  it("numbers samples without ids", async () => {
    const path = join(folder, "j.csv");
    await writeAssignments(path, { labels: Uint32Array.of(1, 0, 1) });
    expect(await readFile(path, "utf8")).toBe("sample,cluster\n0,1\n1,0\n2,1\n");
  });

  it("writes what there is", async () => {
    const path = join(folder, "j.parquet");
    const ids = ["a", "b"];
    await writeAssignments(path, { ids, labels: [4, 2], classes: ["x", null], scores: Float32Array.of(0.5, 0.25) });
    expect(await query(`from ${quoted(path)}`)).toEqual([
      { id: "a", cluster: 4n, class: "x", score: 0.5 },
      { id: "b", cluster: 2n, class: null, score: 0.25 },
    ]);
  });
});
