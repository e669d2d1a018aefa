import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readTable, useFolder } from "../tables.js";

const { write, writeParquet, fail, path } = useFolder();
const remedy = "fill or drop missing values with --missing median, mean, zero or drop";

test("no such file", async () => {
  await write("measures.csv", "a,b\n1,2\n");
  expect(await fail(readTable([path("mesures.csv")], {}))).toBe(
    "mesures.csv: there is no such file\ndid you mean measures.csv?",
  );
});

test("an empty file, and one with a header alone", async () => {
  expect(await fail(readTable([await write("empty.csv", "")], {}))).toBe("empty.csv is empty");
  expect(await fail(readTable([await write("empty.jsonl", "")], {}))).toBe("empty.jsonl is empty");
  expect(await fail(readTable([await write("head.csv", "a,b\n")], {}))).toBe("head.csv has columns but no rows");
});

test("a ragged row, early and late", async () => {
  const hint = "\ncorrect the line, or put values that hold the delimiter in quotes";
  const early = await write("early.csv", "a,b,c\n1,2,3\n4,5\n6,7,8\n");
  expect(await fail(readTable([early], {}))).toBe(`early.csv, line 3: 2 values where the table has 3 columns${hint}`);
  const long = await write("long.csv", "a,b,c\n1,2,3\n4,5,6,7\n6,7,8\n");
  expect(await fail(readTable([long], {}))).toBe(`long.csv, line 3: 4 values where the table has 3 columns${hint}`);
  const late = await write("late.csv", `a,b,c\n${"1,2,3\n".repeat(5000)}4,5\n`);
  expect(await fail(readTable([late], {}))).toBe(`late.csv, line 5002: 2 values where the table has 3 columns${hint}`);
});

test("text in a numeric column, early and late", async () => {
  const hint =
    "\ncorrect it, or omit the column with --exclude b; --label b if it is the class, " +
    "--one-hot b for one feature per value";
  const early = await write("text.csv", "a,b\n1,2\n\n3,4\n5,12o\n7,8\n");
  expect(await fail(readTable([early], {}))).toBe(`text.csv, line 5, column "b": "12o" is not a number${hint}`);
  const late = await write("later.csv", `a,b\n${"1,2\n".repeat(5000)}3,x"y\n`);
  expect(await fail(readTable([late], {}))).toBe(`later.csv, line 5002, column "b": "x\\"y" is not a number${hint}`);
});

test("columns of text, with what to do", async () => {
  const file = await write("flowers.csv", "width,colour,kind\n1,red,rose\n2,blue,iris\n3,red,rose\n");
  expect(await fail(readTable([file], {}))).toBe(
    'flowers.csv: columns "colour", "kind" are not numeric\n' +
      "--label kind if that is the class, --one-hot colour,kind for one feature per value, or --exclude colour,kind",
  );
  expect(await fail(readTable([file], { label: "kind" }))).toBe(
    'flowers.csv: column "colour" is not numeric\n--one-hot colour for one feature per value, or --exclude colour',
  );
});

test("dates are no numbers", async () => {
  const file = await writeParquet("dates.parquet", "select 1 as a, date '2024-01-01' as day");
  expect(await fail(readTable([file], {}))).toContain('column "day" is not numeric');
});

test("missing values, by line of the file", async () => {
  const file = await write("gaps.csv", 'name,b\n"two\nlines",1\n\nx,\ny,3\n');
  const options = { id: "name" };
  expect(await fail(readTable([file], options))).toBe(`gaps.csv, line 5, column "b": the value is missing\n${remedy}`);
  for (const sign of ["NA", "nan", "?", "NULL"]) {
    const file = await write("signs.csv", `a,b\n1,2\n3,${sign}\n`);
    expect(await fail(readTable([file], {}))).toBe(`signs.csv, line 3, column "b": the value is missing\n${remedy}`);
  }
});

test("missing values in the second file, of each kind", async () => {
  const csv = [await write("one.csv", "a,b\n1,2\n3,4\n"), await write("two.csv", "a,b\n1,2\n3,\n")];
  expect(await fail(readTable(csv, {}))).toContain('two.csv, line 3, column "b"');
  const lines = [await write("one.jsonl", '{"a":1}\n{"a":2}\n'), await write("two.jsonl", '{"a":1}\n\n{"a":null}\n')];
  expect(await fail(readTable(lines, {}))).toContain('two.jsonl, line 3, column "a"');
  const parquet = [
    await writeParquet("one.parquet", "select 1.5 as a from range(3)"),
    await writeParquet("two.parquet", "select case when range = 1 then null else 2.5 end as a from range(3)"),
  ];
  expect(await fail(readTable(parquet, {}))).toContain('two.parquet, row 2, column "a"');
  const sql = "select unnest([1, 2, null]) as a";
  expect(await fail(readTable([], { sql }))).toContain('row 3 of the query, column "a"');
});

test("NaN and infinity in Parquet, also past the first chunk", async () => {
  const pick = (value: string) =>
    `select case when range = 3000 then '${value}' else '1' end::float as a from range(4000)`;
  const nan = await writeParquet("nan.parquet", pick("nan"));
  expect(await fail(readTable([nan], {}))).toBe(`nan.parquet, row 3001, column "a": the value is missing\n${remedy}`);
  const infinite = await writeParquet("inf.parquet", pick("-inf"));
  expect(await fail(readTable([infinite], { missing: "zero" }))).toBe(
    'inf.parquet, row 3001, column "a": the value is infinite\nfeatures must be finite numbers, up to 3.4e38',
  );
  const large = await writeParquet("large.parquet", "select 1e39::double as a");
  expect(await fail(readTable([large], {}))).toContain("too large: features are 32-bit numbers");
});

test("infinity in CSV", async () => {
  const file = await write("inf.csv", "a,b\n1,2\n3,inf\n");
  expect(await fail(readTable([file], {}))).toContain('inf.csv, line 3, column "b": the value is infinite');
});

test("unknown columns, with the nearest names", async () => {
  const file = await write("names.csv", "width,height,class\n1,2,a\n3,4,b\n");
  expect(await fail(readTable([file], { label: "clas" }))).toBe(
    'names.csv has no column "clas" for --label\ndid you mean class?',
  );
  expect(await fail(readTable([file], { features: ["widht"], label: "class" }))).toBe(
    'names.csv has no column "widht" for --features\ndid you mean width?',
  );
  expect(await fail(readTable([file], { exclude: ["zzz"] }))).toBe(
    'names.csv has no column "zzz" for --exclude\nits columns are "width", "height", "class"',
  );
  expect(await fail(readTable([file], { oneHot: ["Class"] }))).toContain("for --one-hot\ndid you mean class?");
});

test("no feature is left", async () => {
  const file = await write("alone.csv", "class\na\nb\n");
  expect(await fail(readTable([file], { label: "class" }))).toContain("no column is left to be a feature");
});

test("weights must be 0 or more", async () => {
  const file = await write("weights.csv", "a,w\n1,1\n2,-1\n");
  expect(await fail(readTable([file], { weight: "w" }))).toBe(
    'weights.csv, line 3, column "w": -1 is no weight\nweights are numbers, 0 or more',
  );
});

test("truncated gzip, though what is left are whole rows", async () => {
  const rows = Array.from({ length: 50_000 }, (_, i) => `${(i * 7919) % 1000},${(i * 31) % 997}\n`).join("");
  const packed = gzipSync(`a,b\n${rows}`);
  const file = await write("cut.csv.gz", packed.subarray(0, packed.length / 2));
  expect(await fail(readTable([file], {}))).toBe(
    "cut.csv.gz: the gzip file ends too early: it is cut short\ndownload or copy it again",
  );
});

test("truncated Parquet, by half and to a few bytes", async () => {
  const query = "select random()::float as a from range(20000)";
  const bytes = await readFile(await writeParquet("whole.parquet", query));
  const says = (name: string) => `${name} cannot be read: it is cut short or damaged\ndownload or write it again`;
  const cut = await write("cut.parquet", bytes.subarray(0, bytes.length / 2));
  expect(await fail(readTable([cut], {}))).toBe(says("cut.parquet"));
  const tiny = await write("tiny.parquet", bytes.subarray(0, 6));
  expect(await fail(readTable([tiny], {}))).toBe(says("tiny.parquet"));
});

test("malformed JSON", async () => {
  const file = await write("bad.jsonl", '{"a":1}\n{"a":\n');
  expect(await fail(readTable([file], {}))).toContain("bad.jsonl, line 2: ");
  const first = await write("first.jsonl", '{"a":}\n{"a":1}\n');
  expect(await fail(readTable([first], {}))).toContain("first.jsonl, line 1: ");
  const blanks = await write("blanks.jsonl", '\n\n{"a":1}\n\n{"a":}\n{"a":3}\n');
  expect(await fail(readTable([blanks], {}))).toContain("blanks.jsonl, line 5: ");
  const inside = await write("inside.jsonl", '{"a":1}\n\n\n{"a":}\n');
  expect(await fail(readTable([inside], {}))).toContain("inside.jsonl, line 4: ");
  const array = await write("array.json", '\n[{"a":1},\n{"a":}]\n');
  expect(await fail(readTable([array], {}))).toContain("array.json, entry 2: ");
  const spread = await write("spread.json", '{\n"a":1}\n{"a":}\n');
  expect(await fail(readTable([spread], {}))).toContain("spread.json, entry 2: ");
});

test("an open quote", async () => {
  const file = await write("quote.csv", `a,name\n${"1,x\n".repeat(3000)}2,"y\n3,z\n`);
  expect(await fail(readTable([file], { id: "name" }))).toContain("quote.csv, line 3002: a quote is opened");
});

test("bad SQL", async () => {
  expect(await fail(readTable([], { sql: "select from where" }))).toBe('--sql: syntax error at or near "where"');
  expect(await fail(readTable([], { sql: "select * from nothing" }))).toContain("--sql: Table with name nothing");
  expect(await fail(readTable([], { sql: `select * from '${path("none.parquet")}'` }))).toBe(
    "none.parquet: there is no such file",
  );
});

test("nothing is fetched from the network", async () => {
  const sql = "select * from 's3://bucket/a.parquet'";
  expect(await fail(readTable([], { sql }))).toBe(
    "this needs DuckDB's extension httpfs, and nothing is fetched from the network\nread a file on this machine",
  );
});

test("files with different columns", async () => {
  const files = [await write("ab.csv", "a,b\n1,2\n"), await write("ac.csv", "a,c\n1,2\n")];
  const says = 'has no column "b", but';
  expect(await fail(readTable(files, {}))).toContain(`ac.csv ${says} ab.csv has`);
  const parquet = [
    await writeParquet("ab.parquet", "select 1 as a, 2 as b"),
    await writeParquet("a.parquet", "select 1 as a"),
  ];
  expect(await fail(readTable(parquet, {}))).toContain(`a.parquet ${says} ab.parquet has`);
});
