import { parseDecimal } from "bonmf/io";
import { makePlan, readCsv, readTable } from "bonmf-data";
import { describe, expect, it } from "vitest";
import { DECIMALS, FILE, TABLES, toPlain } from "../../../../packages/data/test/fixtures/tables.js";
import type { ReadOptions } from "../../src/read/data.js";
import { CsvReader } from "../../src/read/direct/csv/reader.js";
import { Duck } from "../../src/read/duckdb/duck.js";
import { openRelation } from "../../src/read/duckdb/relation.js";
import { summarizeRelation } from "../../src/read/duckdb/summaries.js";
import { readData } from "../../src/read/read.js";
import { makeFolder } from "./fixture.js";

const folder = makeFolder();

/** Files are called by their name only, as in the fixtures. */
async function read(text: string, options: ReadOptions, name = FILE) {
  const path = folder.put(name, text);
  const shorten = (message: string) => message.replaceAll(path, name);
  try {
    const data = await readData([path], options);
    return toPlain({ ...data, notes: data.notes.map(shorten) });
  } catch (error) {
    return { error: shorten((error as Error).message) };
  }
}

describe("a table is read as in packages/data, which the studio uses", () => {
  it.each(TABLES)("$name", async ({ text, options, expected, file }) => {
    expect(await read(text, options, file)).toEqual(expected);
  });
});

/** By packages/data, as the studio reads. */
function readAll(texts: readonly string[]) {
  const table = readCsv(new TextEncoder().encode(`v\n${texts.join("\n")}\n`), FILE);
  return readTable({ ...table, name: FILE, kind: "csv" }, {});
}

/** Decimals of 17 to 40 digits just beside, or at, the middle between two 32-bit numbers of any size. */
function makeDecimals(count: number, seed: number): string[] {
  const bits = new Uint32Array(1);
  const single = new Float32Array(bits.buffer);
  let state = seed;
  const draw = (n: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % n;
  };
  return Array.from({ length: count }, () => {
    bits[0] = draw(0x7f7ffffe);
    const low = single[0];
    bits[0]++;
    let middle = (low + single[0]) / 2;
    let places = 0;
    for (; !Number.isInteger(middle); places++) middle *= 2;
    const digits = BigInt(middle) * 5n ** BigInt(places);
    const extra = 20 + draw(20);
    const shifted = digits * 10n ** BigInt(extra) + BigInt(draw(3) - 1);
    return `${draw(2) ? "-" : ""}${shifted}e-${places + extra}`;
  });
}

describe("decimals are rounded once to 32 bits", () => {
  const singles = DECIMALS.map(([, single]) => single);
  const lines = DECIMALS.map(([text]) => text).join("\n");

  it("by DuckDB, with and without missing values beside them", async () => {
    expect(await read(`v\n${lines}\n`, {})).toMatchObject({ rows: singles.map((value) => [value]) });
    const cells = DECIMALS.map(([text]) => `${text},NA\n`).join("");
    expect(await read(`v,w\n${cells}`, { missing: "zero", strict: true })).toMatchObject({
      rows: singles.map((value) => [value, 0]),
    });
  });

  it("by threads", async () => {
    const files = [{ path: folder.put("threads.csv", `v\n${lines}\n`), name: "threads.csv" }];
    const csvGroups = await CsvReader.open(files, 1e6, {});
    const duck = await Duck.open();
    try {
      const relation = await openRelation(duck, files, "csv");
      const read = await csvGroups?.read(
        relation,
        makePlan((await summarizeRelation(duck, relation, {}, false)).summary, {}),
      );
      expect(Array.from(read?.X.data ?? [])).toEqual(singles);
    } finally {
      await csvGroups?.close();
      duck.close();
    }
  });

  it("of any decimal near the middle of two 32-bit numbers, in all of them alike", async () => {
    const texts = makeDecimals(2000, 7);
    const rows = texts.map((text) => [parseDecimal(text, "f32")]);
    const wrong = rows.filter(([single], i) => single !== Math.fround(Number(texts[i])));
    expect(wrong.length).toBeGreaterThan(100);
    expect(await read(`v\n${texts.join("\n")}\n`, {})).toMatchObject({ rows });
    expect(toPlain(await readAll(texts))).toMatchObject({ rows });
  });

  it("in LIBSVM, Matrix Market and ARFF, also as a table", async () => {
    const rows = singles.map((value) => [value]);
    const n = singles.length;
    const market = `%%MatrixMarket matrix array real general\n${n} 1\n${lines}\n`;
    expect(await read(market, {}, "a.mtx")).toMatchObject({ rows });
    const libsvm = DECIMALS.map(([text]) => `1 1:${text}\n`).join("");
    expect(await read(libsvm, {}, "a.svm")).toMatchObject({ rows });
    const arff = `@relation r\n@attribute v numeric\n@data\n${lines}\n`;
    expect(await read(arff, {}, "a.arff")).toMatchObject({ rows });
    expect(await read(arff, { missing: "zero" }, "b.arff")).toMatchObject({ rows });
  });
});
