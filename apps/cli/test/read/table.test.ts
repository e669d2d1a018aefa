import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Dense } from "bonmf";
import { describe, expect, test } from "vitest";
import type { Data, ReadOptions } from "../../src/read/data.js";
import { readTable, readTableParts, useFolder } from "./tables.js";

const { write, writeParquet, fail, path } = useFolder();
const rowsOf = ({ X }: Data) => Array.from({ length: X.samples }, (_, i) => Array.from((X as Dense).row(i)));
const abc = [
  [1, 2.5, 3],
  [4, 5, 6],
];

describe("kinds", () => {
  test.each([
    ["comma.csv", "a,b,c\n1,2.5,3\n4,5,6\n"],
    ["crlf.csv", "a,b,c\r\n1,2.5,3\r\n4,5,6\r\n"],
    ["mark.csv", "\ufeffa,b,c\n1,2.5,3\n4,5,6"],
    ["tab.tsv", "a\tb\tc\n1\t2.5\t3\n4\t5\t6\n"],
    ["semicolon.csv", "a;b;c\n1;2,5;3\n4;5,0;6\n"],
    ["quoted.csv", '"a","b","c"\n"1","2.5","3"\n"4","5","6"\n'],
    ["blank.csv", "a,b,c\n\n1,2.5,3\n\n4,5,6\n\n"],
    ["lines.jsonl", '{"a":1,"b":2.5,"c":3}\n{"c":6,"b":5,"a":4}\n'],
    ["list.json", '[{"a":1,"b":2.5,"c":3},{"a":4,"b":5,"c":6}]'],
  ])("%s", async (name, content) => {
    const data = await readTable([await write(name, content)], {});
    expect(rowsOf(data)).toEqual(abc);
    expect(data.features).toEqual(["a", "b", "c"]);
    const packed = await readTable([await write(`${name}.gz`, gzipSync(content))], {});
    expect(rowsOf(packed)).toEqual(abc);
  });

  test("without a header, also with spaces between", async () => {
    const data = await readTable([await write("bare.csv", "1,2.5,3\n4,5,6\n")], {});
    expect(data.features).toEqual(["column0", "column1", "column2"]);
    expect(rowsOf(data)).toEqual(abc);
    const counted = await readTable([await write("pandas.csv", "0,1,2\n1,2.5,3\n4,5,6\n")], {});
    expect(counted.features).toEqual(["0", "1", "2"]);
    expect(rowsOf(counted)).toEqual(abc);
    expect(rowsOf(await readTable([await write("spaces.csv", "1 2.5 3\n4 5 6\n")], {}))).toEqual(abc);
  });

  test("Parquet with all types of numbers", async () => {
    const columns = ["tinyint", "usmallint", "bigint", "hugeint", "float", "double", "decimal(9, 3)", "boolean"];
    const query = columns.map((type, c) => `1::${type} as c${c}`).join(", ");
    const data = await readTable([await writeParquet("types.parquet", `select ${query}`)], {});
    expect(rowsOf(data)).toEqual([columns.map(() => 1)]);
    expect(data.kind).toBe("parquet");
  });

  test("a query, with its own files or with those named as data", async () => {
    const file = await write("q.csv", "a,b\n1,2\n3,4\n5,6\n");
    const own = await readTable([], { sql: `select b, a + 1 as c from '${file}' where a > 1; ` });
    expect(own.features).toEqual(["b", "c"]);
    expect(rowsOf(own)).toEqual([
      [4, 4],
      [6, 6],
    ]);
    // Asked once: labels, means and features are those of the same rows.
    const sample = "select i, i as k, if(i % 7 = 0, null, i) as m from range(4000) t(i) using sample 300 rows";
    const some = await readTable([], { sql: sample, id: "k", missing: "mean" });
    expect(rowsOf(some).map(([i]) => i)).toEqual(some.ids);
    const known = rowsOf(some).filter(([i]) => i % 7 !== 0);
    const mean = known.reduce((sum, [i]) => sum + i, 0) / known.length;
    expect(some.recipe.fills?.m).toBeCloseTo(mean, 9);
    const sums = await readTable([], { sql: "select 1 as a, 10::hugeint as k", label: "k" });
    expect(sums.labels).toEqual([10]);
    const data = await readTable([file], { sql: "select sum(a) as s from data -- all of it" });
    expect(rowsOf(data)).toEqual([[9]]);
    expect(data.recipe).toEqual({ kind: "sql" });
  });

  test("CSV packed with zstd", async () => {
    const file = path("packed.csv.zst");
    const { DuckDBInstance } = await import("@duckdb/node-api");
    const connection = await (await DuckDBInstance.create()).connect();
    await connection.run(`copy (select range as a, range * 2 as b from range(5)) to '${file}'`);
    connection.closeSync();
    expect(rowsOf(await readTable([file], {}))).toEqual([0, 1, 2, 3, 4].map((a) => [a, 2 * a]));
  });
});

describe("files", () => {
  test("names with quotes and pattern characters are taken as they are", async () => {
    const names = ["it's.csv", `"x"; drop.csv`, "a[1].csv", "st*r.csv", "q?.csv", "'); select 1; --.csv"];
    await write("a1.csv", "v\n-1\n");
    for (const [i, name] of names.entries()) {
      expect(rowsOf(await readTable([await write(name, `v\n${i}\n`)], {}))).toEqual([[i]]);
    }
    const quoted = await writeParquet("it's.parquet", "select 7 as v");
    expect(rowsOf(await readTable([quoted], {}))).toEqual([[7]]);
  });

  test("columns' names too", async () => {
    const file = await write("odd.csv", `"a ""b""",it's,"x,y",id\n1,2,3,z\n`);
    const data = await readTable([file], { id: "id" });
    expect(data.features).toEqual(['a "b"', "it's", "x,y"]);
    expect(rowsOf(data)).toEqual([[1, 2, 3]]);
  });

  test("several, in their order, columns by name", async () => {
    const files = [
      await write("s1.csv", "a,b\n1,2\n"),
      await write("s2.csv", "b;a\n4;3\n"),
      await write("s3.csv.gz", gzipSync("a,b\n5,6\n")),
      await write("s4.csv", "a,b\n7,8.5\n"),
    ];
    const all = [
      [1, 2],
      [3, 4],
      [5, 6],
      [7, 8.5],
    ];
    expect(rowsOf(await readTable(files, {}))).toEqual(all);
    expect(rowsOf(await readTable([path("s?.csv"), path("s3.csv.gz")], {}))).toEqual([all[0], all[1], all[3], all[2]]);
  });

  test("many rows keep their order", async () => {
    const count = 100_000;
    const wanted = Float32Array.from({ length: count }, (_, i) => i);
    const lines = `i,j\n${Array.from(wanted, (i) => `${i},0\n`).join("")}`;
    for (const file of [
      await write("many.csv", lines),
      await write("many.csv.gz", gzipSync(lines)),
      await writeParquet("many.parquet", `select range as i, 0 as j from range(${count})`),
    ]) {
      const { X } = await readTable([file], { exclude: ["j"] });
      expect((X as Dense).data).toEqual(wanted);
    }
    const { X } = await readTable([], { sql: `select range as i from range(${count})` });
    expect((X as Dense).data).toEqual(wanted);
  });

  test("more rows than the first lines promise", async () => {
    const long = `1.${"0".repeat(500)}`;
    const file = await write("sizes.csv", `a,b\n${`${long},${long}\n`.repeat(1000)}${"3,4\n".repeat(100_000)}`);
    const { X } = await readTable([file], {});
    expect(X.samples).toBe(101_000);
    expect([X.at(0, 0), X.at(999, 1), X.at(1000, 0), X.at(100_999, 1)]).toEqual([1, 1, 3, 4]);
  });
});

describe("columns", () => {
  const text = "id,w,a,b,flag,class\n007,1,1,2,true,x\n8,0.5,3,4,false,y\n";

  test("one column can be name and weight", async () => {
    const path = await write("both.csv", "a,w\n1,3\n2,0.5\n");
    const both = { labels: [3, 0.5], weights: Float64Array.of(3, 0.5) };
    expect(await readTable([path], { label: "w", weight: "w" })).toMatchObject(both);
    expect(await readTable([path], { id: "w", weight: "w" })).toMatchObject({
      ids: both.labels,
      weights: both.weights,
    });
  });

  test("label, id and weight are no features; flags are 0 and 1", async () => {
    const data = await readTable([await write("roles.csv", text)], { label: "class", id: "id", weight: "w" });
    expect(data.features).toEqual(["a", "b", "flag"]);
    expect(rowsOf(data)).toEqual([
      [1, 2, 1],
      [3, 4, 0],
    ]);
    expect(data.labels).toEqual(["x", "y"]);
    expect(data.ids).toEqual(["007", "8"]);
    expect(data.weights).toEqual(Float64Array.of(1, 0.5));
  });

  test("those asked for, in that order, less those left out", async () => {
    const file = await write("chosen.csv", text);
    expect((await readTable([file], { features: ["b", "a"] })).features).toEqual(["b", "a"]);
    expect((await readTable([file], { features: ["b", "a"], exclude: ["b"] })).features).toEqual(["a"]);
  });

  test("numeric labels stay numbers unless they would lose digits", async () => {
    const query = "select 1 as a, 3 as small, 9007199254740993 as large, 0.1::float as half, '5' as text, true as flag";
    const file = await writeParquet("labels.parquet", `${query}`);
    const label = async (name: string) => {
      const { labels } = await readTable([file], { label: name, features: ["a"] });
      return labels?.[0];
    };
    expect(await label("small")).toBe(3);
    expect(await label("large")).toBe("9007199254740993");
    expect(await label("half")).toBe(0.1);
    expect(await label("text")).toBe("5");
    expect(await label("flag")).toBe("true");
  });

  test("one feature for each value", async () => {
    const file = await write("hot.csv", "a,size,colour\n1,10,red\n2,9,blue\n3,10,\n");
    const options: ReadOptions = { oneHot: ["colour", "size"], missing: "zero" };
    const data = await readTable([file], options);
    expect(data.features).toEqual(["a", "size=9", "size=10", "colour=blue", "colour=red"]);
    expect(rowsOf(data)).toEqual([
      [1, 0, 1, 0, 1],
      [2, 1, 0, 1, 0],
      [3, 0, 1, 0, 0],
    ]);
    expect(data.recipe.categories).toEqual({ size: ["9", "10"], colour: ["blue", "red"] });
    expect(await fail(readTable([file], { oneHot: ["colour"] }))).toContain('hot.csv, line 4, column "colour"');
    expect((await readTable([file], { oneHot: true, missing: "drop" })).features?.slice(2)).toEqual([
      "colour=blue",
      "colour=red",
    ]);
  });

  test("too many values for that", async () => {
    const file = await write("wide.csv", `a,b\n${Array.from({ length: 1001 }, (_, i) => `1,v${i}\n`).join("")}`);
    expect(await fail(readTable([file], { oneHot: ["b"] }))).toContain("more than 1000 different values");
  });

  test("constant features are noted", async () => {
    const { notes } = await readTable([await write("same.csv", "a,b,c\n1,2,0\n1,3,0\n")], {});
    expect(notes).toEqual(['2 features are the same in every sample: "a", "c"']);
  });
});

describe("missing values", () => {
  const text = "a,b,class\n1,,x\n,4,y\n3,8,z\n";
  const read = async (missing: ReadOptions["missing"]) =>
    readTable([await write("gaps.csv", text)], { missing, label: "class" });

  test("zero", async () => {
    const data = await read("zero");
    expect(rowsOf(data).flat()).toEqual([1, 0, 0, 4, 3, 8]);
    expect(data.notes).toEqual(["2 missing values were set to 0"]);
    expect(data.recipe.fills).toEqual({ a: 0, b: 0 });
  });

  test("mean", async () => {
    const data = await read("mean");
    expect(rowsOf(data).flat()).toEqual([1, 6, 2, 4, 3, 8]);
    expect(data.recipe.fills).toEqual({ a: 2, b: 6 });
  });

  test("drop", async () => {
    const data = await read("drop");
    expect(rowsOf(data)).toEqual([[3, 8]]);
    expect(data.labels).toEqual(["z"]);
    expect(data.notes).toEqual(["2 samples with missing values were dropped"]);
    const all = readTable([await write("none.csv", "a,b\n1,\n,2\n")], { missing: "drop" });
    expect(await fail(all)).toContain("every row has a missing value");
  });

  test("signs for missing values, early and late, also of a label", async () => {
    for (const lines of [1, 5000]) {
      const file = await write("signs.csv", `a,b,class\n${"1,2,x\n".repeat(lines)}NA,null,y\n?,N/A,NA\n3,NaN,z\n`);
      const data = await readTable([file], { missing: "zero", features: ["a", "b"] });
      expect(rowsOf(data).slice(lines).flat()).toEqual([0, 0, 0, 0, 3, 0]);
      const { labels } = await readTable([file], { missing: "drop", label: "class", features: ["a"] });
      expect(labels?.slice(lines)).toEqual(["z"]);
      expect(await fail(readTable([file], { missing: "zero", label: "class" }))).toContain(
        `signs.csv, line ${lines + 3}, column "class": the value is missing\nnothing can fill it: --sql "select * from data where class is not null" omits such rows`,
      );
    }
  });

  test("drop in Parquet keeps the others over many chunks", async () => {
    const query =
      "select range as a, case when range % 3 = 0 then null else range end as b, range as id from range(10000)";
    const data = await readTable([await writeParquet("drop.parquet", query)], { missing: "drop", id: "id" });
    const kept = Array.from({ length: 10_000 }, (_, i) => i).filter((i) => i % 3 !== 0);
    expect(data.ids).toEqual(kept);
    expect(rowsOf(data)).toEqual(kept.map((i) => [i, i]));
  });
});

describe("like a model", () => {
  const like = (features: readonly string[] | null, more: object = {}, count = features?.length ?? 0) => ({
    like: { features, count, recipe: { kind: "csv" as const, ...more } },
  });

  test("columns by name, in the model's order", async () => {
    const file = await write("later.csv", "class,b,a\nx,1,2\n");
    const data = await readTable([file], like(["a", "b"]));
    expect(rowsOf(data)).toEqual([[2, 1]]);
    expect(data.notes).toEqual(['the model does not use "class"']);
  });

  test("categories and fills of the fit", async () => {
    const file = await write("again.csv", "colour,a\nblue,1\ngreen,\n");
    const recipe = { categories: { colour: ["blue", "red"] }, fills: { a: 7 } };
    const data = await readTable([file], like(["a", "colour=blue", "colour=red"], recipe));
    expect(rowsOf(data)).toEqual([
      [1, 1, 0],
      [7, 0, 0],
    ]);
    expect(data.recipe).toEqual({ kind: "csv", ...recipe });
    expect(data.notes).toEqual([
      "1 missing value was set to what the model says",
      'column "colour" has values without a feature, which count as none: "green"',
    ]);
  });

  test("differences are listed", async () => {
    const file = await write("other.csv", "width,hight\n1,2\n");
    expect(await fail(readTable([file], like(["width", "height", "depth"])))).toBe(
      'other.csv has other features than the model: it lacks "height", "depth"; it has besides "hight"\n' +
        "did you mean hight?",
    );
    expect(await fail(readTable([file], like(null, {}, 3)))).toBe(
      "other.csv has 2 features, but the model was fitted on 3\n" +
        "choose the columns of the fit with --features or --exclude",
    );
    expect(rowsOf(await readTable([file], like(null, {}, 2)))).toEqual([[1, 2]]);
  });
});

describe("parts", () => {
  test("join to the whole, with what belongs to each row", async () => {
    const query = "select range as a, range % 7 as b, 'n' || range as id, range % 3 as class from range(5000)";
    const file = await writeParquet("parts.parquet", query);
    const options = { id: "id", label: "class" };
    const whole = await readTable([file], options);
    for (const rows of [1000, 2048, 3000, 5000, 9999]) {
      const parts: Data[] = [];
      for await (const part of readTableParts([file], options, rows)) parts.push(part);
      expect(parts.map(({ X }) => X.samples).slice(0, -1)).toEqual(Array(Math.ceil(5000 / rows) - 1).fill(rows));
      expect(parts.flatMap(rowsOf)).toEqual(rowsOf(whole));
      expect(parts.flatMap(({ ids }) => ids)).toEqual(whole.ids);
      expect(parts.flatMap(({ labels }) => labels)).toEqual(whole.labels);
    }
  });

  test("name the row of the file, not of the part", async () => {
    const file = await write("late.csv", `a,b\n${"1,2\n".repeat(3000)}3,\n`);
    const run = async () => {
      for await (const { X } of readTableParts([file], {}, 1000)) expect(X.samples).toBe(1000);
    };
    expect(await fail(run())).toContain('late.csv, line 3002, column "b": the value is missing');
  });

  test("can be left early", async () => {
    const file = await writeParquet("long.parquet", "select range as a from range(300000)");
    for await (const { X } of readTableParts([file], {}, 500)) {
      expect(X.samples).toBe(500);
      break;
    }
    expect(rowsOf(await readTable([file], {})).length).toBe(300_000);
  });
});

test("progress ends at the number of rows", async () => {
  const calls: [number, number | null, string][] = [];
  const file = await write("progress.csv", `a,b\n${"1,2\n".repeat(10_000)}`);
  await readTable([file], { onProgress: (...call) => calls.push(call) });
  expect(calls.length).toBeGreaterThan(1);
  expect(calls.at(-1)).toEqual([10_000, 10_000, "rows"]);
  for (const [done, total] of calls) expect(total).toBeGreaterThanOrEqual(done);
});

test("the signal stops a query at work, with its reason", async () => {
  const control = new AbortController();
  const reason = new Error("enough");
  const sql = "select sum(a.range * b.range) as s from range(10000000) a, range(10000000) b";
  const reading = readTable([], { sql, signal: control.signal });
  setTimeout(() => control.abort(reason), 50);
  await expect(reading).rejects.toBe(reason);
  const late = readTable([], { sql: "select 1 as a", signal: control.signal });
  await expect(late).rejects.toBe(reason);
});

test("the signal stops reading between chunks", async () => {
  const control = new AbortController();
  const reason = new Error("enough");
  const onProgress = () => control.abort(reason);
  const reading = readTable([], { sql: "select range as a from range(1000000)", signal: control.signal, onProgress });
  await expect(reading).rejects.toBe(reason);
});

test("an error after millions of values is not the end of the file", async () => {
  const sql = "select case when range = 20000000 then 'x' else '1' end::float as a from range(20000001)";
  expect(await fail(readTable([], { sql }))).toBe("Could not convert string 'x' to FLOAT");
});

test("nothing is left in the folder for temporary files", async () => {
  await readTable([], { sql: "select range as a from range(10)" });
  const left = readdirSync(tmpdir()).filter((name) => name.startsWith(`bonmf-duckdb-${process.pid}`));
  expect(left).toEqual([]);
});

const datasets = process.env.BONMF_DATA_DIR ?? "";

test.each(["optdigits", "diabetes", "pendigits"])("%s equals its text, value by value", async (name) => {
  const file = join(datasets, name, `${name}.csv.gz`);
  const [header, ...lines] = gunzipSync(readFileSync(file)).toString().trim().split("\n");
  const cells = lines.map((line) => line.split(","));
  const data = await readTable([file], { label: "class" });
  expect(data.features).toEqual(header.split(",").slice(0, -1));
  expect((data.X as Dense).data).toEqual(Float32Array.from(cells.flatMap((row) => row.slice(0, -1)).map(Number)));
  expect(data.labels?.map(String)).toEqual(cells.map((row) => row.at(-1)));
});
