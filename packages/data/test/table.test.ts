import { describe, expect, it } from "vitest";
import {
  type ColumnTable,
  readArffTable,
  readCsv,
  readJson,
  readTable,
  type TableOptions,
  toColumn,
  toTable,
} from "../src/index.js";
import { DECIMALS, FILE, TABLES, toPlain } from "./fixtures/tables.js";

const encoder = new TextEncoder();
async function read(text: string, options: TableOptions = {}, name = FILE) {
  if (name.endsWith(".jsonl")) return readTable({ ...readJson(text, name), name, kind: "jsonl" }, options);
  const bytes = encoder.encode(text);
  if (name === FILE) return readTable({ ...readCsv(bytes, name), name, kind: "csv" }, options);
  return readTable({ ...(readArffTable(bytes, name) as ColumnTable), name, kind: "arff" }, options);
}

describe("a table is read as the command reads it", () => {
  it.each(TABLES)("$name", async ({ text, options, expected, file }) => {
    const result = read(text, options, file);
    if ("error" in expected) await expect(result).rejects.toThrow(expected.error);
    else expect(toPlain(await result)).toEqual(expected);
  });

  it("rounds decimals once", async () => {
    const { rows } = toPlain(await read(`v\n${DECIMALS.map(([text]) => text).join("\n")}\n`));
    expect(rows.flat()).toEqual(DECIMALS.map(([, single]) => single));
  });
});

describe("a table", () => {
  const fitted = "a,k\n1,x\n2,y\n";

  it("is read into the features of a model, which knows its categories and fills", async () => {
    const { features, recipe, X } = await read(fitted, { oneHot: ["k"], missing: "mean" });
    const like = { features, recipe, count: X.features };
    const data = await read("k,a,more\ny,,1\nz,3,2\n", { like });
    expect(toPlain(data)).toMatchObject({
      features: ["a", "k=x", "k=y"],
      rows: [
        [1.5, 0, 1],
        [3, 0, 0],
      ],
      recipe,
      notes: [
        'the model does not use "more"',
        "1 missing value was set to what the model says",
        'column "k" has values without a feature, which count as none: "z"',
      ],
    });
    await expect(read("a,q\n1,x\n", { like })).rejects.toThrow('it lacks "k"; it has besides "q"');
  });

  it("names the flag of a column that is not there, and the nearest", async () => {
    await expect(read(fitted, { label: "kk" })).rejects.toMatchObject({
      message: 'table.csv has no column "kk" for --label',
      hint: "did you mean k?",
    });
  });

  it("does not advise to fill a missing label", async () => {
    const unlabelled = read("a,k\n1,x\n2,\n3,y\n", { label: "k", missing: "median" });
    await expect(unlabelled).rejects.toMatchObject({
      message: 'table.csv, line 3, column "k": the value is missing',
      hint: 'nothing can fill it: --sql "select * from data where k is not null" omits such rows, --missing drop all rows with gaps',
    });
    expect((await read("a,k\n1,x\n2,\n3,y\n", { label: "k", missing: "drop" })).labels).toEqual(["x", "y"]);
  });

  it("is read again as text where a column turns out to be one late", async () => {
    const rows = Array.from({ length: 3000 }, (_, i) => `${i},${i === 2999 ? "late" : i % 3}`);
    const { features } = await read(`a,b\n${rows.join("\n")}\n`, { oneHot: true });
    expect(features).toEqual(["a", "b=0", "b=1", "b=2", "b=late"]);
    await expect(read(`a,b\n${rows.join("\n")}\n`, { strict: true })).rejects.toThrow(
      'line 3001, column "b": "late" is not a number',
    );
  });

  it("may come from JSON lines, where NA is a word and numbers are doubles", async () => {
    const table = readJson('{"a": 1, "k": "NA"}\n{"a": 2.5, "k": null, "b": true}\n', "t.jsonl");
    const data = await readTable({ ...table, name: "t.jsonl", kind: "jsonl" }, { oneHot: ["a", "k"], missing: "zero" });
    expect(toPlain(data)).toMatchObject({
      features: ["a=1.0", "a=2.5", "k=NA", "b"],
      rows: [
        [1, 0, 1, 0],
        [0, 1, 0, 1],
      ],
      notes: ["2 missing values were set to 0"],
    });
    expect(() => readJson('{"a": 1}\n[1]\n', "t.jsonl")).toThrow("t.jsonl, line 2 is not an object");
    expect(() => readJson('\n\n{"a": 1}\n\n[1]\n', "t.jsonl")).toThrow("t.jsonl, line 5 is not an object");
    expect(() => readJson('[{"a": 1}', "t.json")).toThrow("t.json is not valid JSON");
  });

  it("may have ten thousand columns", async () => {
    const row = (i: number) =>
      Array.from({ length: 10_001 }, (_, f) => (f === 7 && i === 2 ? "" : (i * f) % 13)).join(",");
    const names = Array.from({ length: 10_001 }, (_, f) => `gene${f}`).join(",");
    const { X, notes, recipe } = await read(`${names}\n${[1, 2, 3].map(row).join("\n")}\n`);
    // Every thirteenth is 0 throughout.
    expect(X.features).toBe(10_001 - 770);
    expect(recipe.fills).toEqual({ gene7: 7 });
    expect(notes.length).toBe(2);
  });

  it("of texts only has no features but the words of one of them", async () => {
    const texts = Array.from({ length: 6 }, (_, i) => (i % 2 ? `red apples ${i}` : `blue plums ${i}`));
    const table = {
      ...toTable([toColumn("t", texts), toColumn("y", [1, 2, 1, 2, 1, 2])]),
      name: "t",
      kind: "csv",
    } as const;
    const data = await readTable(table, { text: "t", label: "y" });
    expect(data).toMatchObject({ kind: "text", labels: [1, 2, 1, 2, 1, 2], recipe: { text: { column: "t" } } });
    expect(data.features).toEqual(["apples", "blue", "plums", "red"]);
  });
});

it("does what the README says", async () => {
  const text = "cup,hot,size,kind\na,1,big,tea\nb,2.5,small,tea\nc,4,big,coffee\n";
  const data = await read(text, { label: "kind", id: "cup", oneHot: ["size"] });
  expect(toPlain(data)).toMatchObject({
    features: ["hot", "size=big", "size=small"],
    labels: ["tea", "tea", "coffee"],
    recipe: { kind: "csv", label: "kind", id: "cup", categories: { size: ["big", "small"] } },
  });
  expect(Array.from(data.X.row(1))).toEqual([2.5, 0, 1]);
});
