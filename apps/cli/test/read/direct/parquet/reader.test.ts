import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { DuckDBInstance } from "@duckdb/node-api";
import type { Dense } from "bonmf";
import { makePlan } from "bonmf-data";
import { describe, expect, it } from "vitest";
import type { Data, ReadOptions } from "../../../../src/read/data.js";
import { ParquetReader } from "../../../../src/read/direct/parquet/reader.js";
import { Duck } from "../../../../src/read/duckdb/duck.js";
import type { TableRows } from "../../../../src/read/duckdb/query.js";
import { openRelation } from "../../../../src/read/duckdb/relation.js";
import { summarizeRelation } from "../../../../src/read/duckdb/summaries.js";
import { readTable, useFolder } from "../../tables.js";
import { expectTable } from "../same.js";

const { path, write, fail } = useFolder();

async function run(sql: string): Promise<void> {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  await connection.run(sql);
  connection.closeSync();
  instance.closeSync();
}

async function make(name: string, query: string, settings = "row_group_size 2048"): Promise<string> {
  await run(`copy (${query}) to '${path(name)}' (format parquet, ${settings})`);
  return path(name);
}

/** Straight from the files, however small they are. */
async function direct(files: readonly string[], options: ReadOptions = {}): Promise<TableRows | null> {
  const sources = files.map((path) => ({ path, name: path }));
  const strict = { strict: true, ...options };
  const direct = ParquetReader.open(sources, 1e6, strict);
  const duck = await Duck.open(options.signal);
  try {
    const alone = await direct?.readAlone();
    if (alone) return alone.found;
    const relation = await openRelation(duck, sources, "parquet");
    const { summary } = await summarizeRelation(duck, relation, strict, false);
    return (await direct?.read(relation, makePlan(summary, strict), duck)) ?? null;
  } finally {
    await direct?.close();
    duck.close();
  }
}

async function expectSame(files: readonly string[], options: ReadOptions = {}): Promise<TableRows> {
  return expectTable(await direct(files, options), files, options);
}

const NUMBERS = ["tinyint", "smallint", "integer", "bigint", "utinyint", "usmallint", "uinteger", "ubigint"];

describe("the same bits as DuckDB's", () => {
  it("for every type of plain numbers", async () => {
    const some = [...NUMBERS, "float", "double"].map((type, c) => `((range * ${c + 3}) % 120)::${type} as "${type}"`);
    const wide = "range * 1234567890123 as big, (range * 987654321 + 4000000000000000000)::ubigint as huge";
    const signs = "(random() - 0.5) * 1e30 as far, (-range)::integer as minus, -0.0::float as zero";
    const top = "(4294967295 - range)::uinteger as top";
    const query = `select ${some.join(", ")}, ${wide}, ${signs}, ${top} from range(5000)`;
    const { constant } = await expectSame([await make("types.parquet", query)]);
    expect(constant).toEqual(["zero"]);
  });

  it.each(["uncompressed", "snappy"])("packed as %s, by dictionaries of any width or none", async (codec) => {
    const widths = [1, 2, 3, 9, 200, 300, 1500].map((w) => `(hash(range) % ${w})::integer as w${w}`);
    // Runs, what repeats at a distance, and what does not repeat at all.
    const more =
      "range // 700 as runs, (range % 64)::double * 1.25 as again, random()::float as noise, range * 3 as own";
    const query = `select ${widths.join(", ")}, ${more} from range(6000)`;
    await expectSame([await make(`${codec}.parquet`, query, `row_group_size 2048, codec ${codec}`)]);
    const plain = `row_group_size 4096, codec ${codec}, dictionary_size_limit 0`;
    await expectSame([await make(`${codec}-plain.parquet`, query, plain)]);
  });

  it("in large row groups, cut by columns", async () => {
    const list = Array.from({ length: 70 }, (_, c) => `(hash(range + ${c}) % ${c + 2})::integer as c${c}`);
    const file = await make("wide.parquet", `select ${list.join(", ")} from range(9000)`, "row_group_size 100000");
    await expectSame([file], { features: ["c5", "c69", "c0"] });
    await expectSame([file]);
  });

  it("on several threads, as large files are read", async () => {
    const list = Array.from({ length: 12 }, (_, c) => `random()::float as c${c}`).join(", ");
    // Literals, and then what repeats.
    const half = "if(range % 20480 < 17000, random(), 7)::float as half";
    const query = `select ${list}, ${half}, range as id from range(200_000)`;
    const file = await make("large.parquet", query, "row_group_size 20480");
    const bits = ({ X }: Data) =>
      createHash("sha256")
        .update((X as Dense).data)
        .digest("hex");
    const streamed = bits(await readTable([], { sql: `select * exclude (id) from '${file}'` }));
    expect(bits(await readTable([file], { exclude: ["id"] }))).toBe(streamed);
    const data = await readTable([file], { id: "id" });
    expect(bits(data)).toBe(streamed);
    expect(data.ids?.at(-1)).toBe(199_999);
  });

  it("from several files, in their order, whatever else is in them", async () => {
    const files = [
      await make("a.parquet", "select range as x, random() as y from range(3000)"),
      await make("b.parquet", "select 'text' as other, random() as y, range + 3000 as x from range(10)"),
      await make("c.parquet", "select range + 3010 as x, random() as y from range(2500)"),
    ];
    await expectSame([files[0], files[0]]);
    const { X } = await expectSame(files);
    expect(Array.from({ length: X.samples }, (_, i) => X.row(i)[0])).toEqual(Array.from({ length: 5510 }, (_, i) => i));
  });

  it("with labels, names and weights beside", async () => {
    const query = "select 'n' || range as name, range as a, (range % 3) as class, range / 7 as w from range(5000)";
    const { side } = await expectSame([await make("names.parquet", query)], {
      id: "name",
      label: "class",
      weight: "w",
    });
    expect(side.ids?.[4999]).toBe("n4999");
  });

  const { files, columns } = JSON.parse(
    readFileSync(new URL("../../fixtures/parquet.json", import.meta.url), "utf8"),
  ) as {
    files: Record<string, string>;
    columns: Record<string, number[]>;
  };
  it.each(Object.entries(files))("of pyarrow's file %s", async (name, content) => {
    const file = await write(`${name}.parquet`, Buffer.from(content, "base64"));
    // "required" is gzipped, which DuckDB reads.
    const X = name === "required" ? ((await readTable([file], {})).X as Dense) : (await expectSame([file])).X;
    for (const [f, values] of Object.values(columns).entries()) {
      expect(Array.from({ length: X.samples }, (_, i) => X.row(i)[f])).toEqual(values.map(Math.fround));
    }
  });
});

describe("left to DuckDB", () => {
  it.each([
    ["a missing value", "if(range = 4500, null, range) as a"],
    ["a missing value nobody counted", "if(range = 4500, 'nan'::double, range) as a"],
    ["infinity", "if(range = 10, 'inf'::float, range) as a"],
    ["a number too large", "if(range = 4999, 1e39, range) as a"],
    ["decimals", "range::decimal(9, 2) as a"],
    ["truth", "range % 2 = 0 as a"],
    ["nested columns", "range as a, {x: range} as b", { features: ["a"] }],
  ])("%s", async (name, list, options: ReadOptions = {}) => {
    const file = await make(`${name}.parquet`, `select ${list} from range(5000)`);
    expect(await direct([file], options)).toBeNull();
  });

  it.each(["gzip", "brotli", "zstd"])("what is packed as %s", async (codec) => {
    const file = await make(`${codec}.parquet`, "select range as a from range(9)", `codec ${codec}`);
    expect(await direct([file])).toBeNull();
  });

  it("categories, missing labels, other encodings, columns that are folders", async () => {
    const some = "select range as a, if(range = 7, null, 'x') as kind from range(20)";
    const file = await make("kinds.parquet", some);
    expect(await direct([file], { oneHot: ["kind"], missing: "zero" })).toBeNull();
    expect(await direct([file], { label: "kind" })).toBeNull();
    expect(await direct([file], { label: "kind", missing: "drop" })).toBeNull();
    const delta = await make(
      "delta.parquet",
      "select range as a from range(9)",
      "parquet_version v2, dictionary_size_limit 0",
    );
    expect(await direct([delta])).toBeNull();
    expect(await direct([await make("a=7.parquet", "select range as b from range(9)")])).toBeNull();
  });

  it("files that do not agree", async () => {
    const first = await make("int.parquet", "select range as a from range(5)");
    const second = await make("double.parquet", "select range + 0.5::double as a from range(5)");
    expect(await direct([first, second])).toBeNull();
    expect(await direct([first, await make("case.parquet", "select range as A from range(5)")])).toBeNull();
  });
});

it.each(["uncompressed", "snappy"])("leaves what is damaged (%s) to DuckDB, wherever that is", async (codec) => {
  const query = "select range as a, (range % 100)::integer as b, (hash(range) % 7)::double as c from range(2500)";
  const bytes = await readFile(await make("whole.parquet", query, `row_group_size 2048, codec ${codec}`));
  const footer = bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8);
  const step = Math.ceil(footer / 40);
  let refused = 0;
  for (let at = 4; at < footer; at += step) {
    const hurt = Buffer.from(bytes);
    for (let i = 0; i < 4; i++) hurt[at + i] ^= 0xa5;
    const file = await write("hurt.parquet", hurt);
    // As there are no checksums, what looks whole is read, and then as DuckDB reads it.
    if ((await direct([file])) === null) refused++;
    else await expectSame([file]);
  }
  expect(refused).toBeGreaterThan(0);
  expect(refused).toBeLessThan(40);
  const cut = await write("cut.parquet", bytes.subarray(0, footer - 10));
  expect(await fail(readTable([cut], {}))).toContain("cut.parquet cannot be read");
});

it("tells how far it is, and stops when asked", async () => {
  const file = await make("far.parquet", "select range as a from range(40000)");
  const calls: [number, number | null][] = [];
  await direct([file], { onProgress: (done, total) => calls.push([done, total]) });
  expect(calls.at(-1)).toEqual([40_000, 40_000]);
  expect(calls.length).toBeGreaterThan(1);
  const control = new AbortController();
  const reading = direct([file], { signal: control.signal, onProgress: () => control.abort(new Error("enough")) });
  await expect(reading).rejects.toThrow("enough");
});
