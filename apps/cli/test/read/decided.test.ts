import { readCsv, readTable } from "bonmf-data";
import { expect, it } from "vitest";
import { toPlain } from "../../../../packages/data/test/fixtures/tables.js";
import type { Data, ReadOptions } from "../../src/read/data.js";
import { readData, readParts } from "../../src/read/read.js";
import { useFolder } from "./tables.js";

const { write, writeParquet } = useFolder();

function inMemory(name: string, text: string, options: ReadOptions): Promise<Data> {
  return readTable({ ...readCsv(new TextEncoder().encode(text), name), name, kind: "csv" }, options);
}

/** Reads whole and in parts as packages/data does, which knows all of a table before it plans. */
async function expectSame(name: string, text: string, options: ReadOptions = {}): Promise<Data> {
  const path = await write(name, text);
  const wanted = toPlain(await inMemory(name, text, options));
  const data = await readData([path], options);
  expect(toPlain(data)).toEqual(wanted);
  const rows: number[][] = [];
  const notes: string[] = [];
  for await (const part of readParts([path], options, 7000)) {
    expect(part.features).toEqual(wanted.features);
    expect(part.recipe).toEqual(wanted.recipe);
    rows.push(...toPlain(part).rows.map((row) => [...row]));
    notes.push(...part.notes);
  }
  expect(rows).toEqual(wanted.rows);
  expect(notes).toEqual(wanted.notes);
  return data;
}

/** More than 4 MB, which threads read where the columns are plain numbers. */
const ROWS = 50_000;
const FILLER = "0.12345678,0.87654321,".repeat(5);

function makeLarge(last: string): string {
  const names = Array.from({ length: 10 }, (_, f) => `f${f}`).join(",");
  const lines = Array.from({ length: ROWS - 1 }, (_, i) => `${i},${FILLER}${(i * 7) % 11},${i % 3},5`);
  return `,${names},a,class,same\n${lines.join("\n")}\n${ROWS - 1},${FILLER}${last}\n`;
}

it("large tables of numbers lose row numbers and constants, also those that only reading shows", async () => {
  const { features, labels, notes } = await expectSame("numbers.csv", makeLarge("1.5,2,5"));
  expect(features).toEqual(["a"]);
  expect(labels?.slice(-2)).toEqual([(ROWS - 2) % 3, 2]);
  expect(notes.length).toBe(2);
});

it("values that are missing late are filled", async () => {
  const { X, recipe, notes } = await expectSame("gap.csv", makeLarge("NA,2,5"));
  expect(recipe.fills).toEqual({ a: 5 });
  expect([...X.row(ROWS - 1)]).toEqual([5]);
  expect(notes).toContain('1 missing value is filled by the median of "a" (1); --missing changes that');
});

it("text that comes late among numbers counts as missing", async () => {
  const { notes } = await expectSame("text.csv", makeLarge("five,2,5"));
  expect(notes).toContain('texts among numbers count as missing: "a" (1, as "five")');
});

it("what only reading shows may leave prose alone", async () => {
  const prose = ["the film was long and rather dull to watch", "a wonderful story with a great ending"];
  const text = `review,n\n${prose.map((line) => `${line},1`).join("\n")}\n`;
  const { kind } = await expectSame("prose.csv", text);
  expect(kind).toBe("text");
});

it("constant columns of large Parquet files are left out, and pixels are kept", async () => {
  const numbers = Array.from({ length: 12 }, (_, c) => `hash(range * ${c + 3}) % 1000003 / 7 as c${c}`).join(", ");
  const file = await writeParquet("same.parquet", `select ${numbers}, 4 as same from range(60000)`);
  const { features, X, notes } = await readData([file], {});
  expect([features?.length, X.features, features?.includes("same")]).toEqual([12, 12, false]);
  expect(notes.join()).toContain('left out: "same" (the same value in every row)');
  expect((await readData([file], { strict: true })).features).toContain("same");
  const pixels = Array.from({ length: 49 }, (_, p) => `(range * ${p}) % 5 as pixel${p}`).join(", ");
  const pictures = await writeParquet("pixels.parquet", `select ${pixels} from range(50)`);
  const data = await readData([pictures], {});
  expect(data.features?.length).toBe(49);
  expect(data.notes).toEqual([
    '10 features are the same in every sample: "pixel0", "pixel5", "pixel10", "pixel15", "pixel20" and 5 more',
  ]);
});

it("a model's table is read as it was, whatever it looks like now", async () => {
  const fitted = "id,k,a,b,when\n1,x,1,5,2024-01-01\n2,y,,6,2024-01-02\n3,x,4,7,2024-01-03\n4,y,7,8,2024-01-04\n";
  const { features, recipe, X } = await expectSame("fitted.csv", fitted);
  expect(features).toEqual(["k=x", "k=y", "a", "b"]);
  const like = { features, recipe, count: X.features };
  const later = await write("later.csv", "b,a,k,id,class\n9,,z,17,c\n9,2,x,18,c\n");
  const data = await readData([later], { like });
  expect(toPlain(data)).toMatchObject({
    rows: [
      [0, 0, 4, 9],
      [1, 0, 2, 9],
    ],
    ids: [17, 18],
    labels: null,
    recipe,
  });
  expect(data.notes[0]).toBe('the model does not use "class"');
});

it("tables of thousands of columns are read", async () => {
  const m = 2501;
  const row = (i: number) => Array.from({ length: m }, (_, f) => (f === 7 && i === 2 ? "" : (i * f) % 13)).join(",");
  const names = Array.from({ length: m }, (_, f) => `gene${f}`).join(",");
  const { X } = await expectSame("wide.csv", `${names}\n${[1, 2, 3, 4, 5].map(row).join("\n")}\n`);
  expect(X.features).toBeLessThan(m);
});
