import { gzipSync } from "node:zlib";
import { makePlan } from "bonmf-data";
import { describe, expect, it } from "vitest";
import type { ReadOptions } from "../../../../src/read/data.js";
import { CsvReader } from "../../../../src/read/direct/csv/reader.js";
import { Duck } from "../../../../src/read/duckdb/duck.js";
import type { TableRows } from "../../../../src/read/duckdb/query.js";
import { openRelation } from "../../../../src/read/duckdb/relation.js";
import { summarizeRelation } from "../../../../src/read/duckdb/summaries.js";
import { readTable, useFolder } from "../../tables.js";
import { expectTable } from "../same.js";

const { write, fail } = useFolder();

/** Straight from the files, however small they are, in blocks that cut lines. */
async function direct(files: readonly string[], options: ReadOptions = {}, block = 100): Promise<TableRows | null> {
  const sources = files.map((path) => ({ path, name: path }));
  const strict = { strict: true, ...options };
  const csvGroups = await CsvReader.open(sources, 1e6, strict, block);
  const duck = await Duck.open(options.signal);
  try {
    const relation = await openRelation(duck, sources, "csv");
    const { summary } = await summarizeRelation(duck, relation, strict, false);
    return (await csvGroups?.read(relation, makePlan(summary, strict))) ?? null;
  } finally {
    await csvGroups?.close();
    duck.close();
  }
}

async function expectSame(files: readonly string[], options: ReadOptions = {}, block?: number): Promise<TableRows> {
  return expectTable(await direct(files, options, block), files, options);
}

/** Numbers below 1, always the same ones. */
function makeDraw(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const bits = new Int32Array(1);
const single = new Float32Array(bits.buffer);

/** Halfway between two 32-bit numbers, or nearly so. */
function drawBetween(draw: () => number): string {
  bits[0] = Math.floor(draw() * 0x7f000000);
  const low = single[0];
  bits[0]++;
  return ((low + single[0]) / 2).toPrecision(1 + Math.floor(60 * draw()));
}

describe("the same bits as DuckDB's", () => {
  it("for numbers of every spelling", async () => {
    const draw = makeDraw();
    const whole = () => String(Math.floor(10 ** (25 * draw()))).replace(/e.*/, "");
    const ways = [
      () => String(draw() * draw()),
      () => String((draw() - 0.5) * 10 ** Math.floor(80 * draw() - 45)),
      () => drawBetween(draw),
      () => `${draw() < 0.5 ? "-" : ""}00${whole()}`,
      () => 16_777_216 + Math.floor(2 ** 25 * draw()) + [".0", "", "e0", ".5"][Math.floor(4 * draw())],
      () => (1000 * draw()).toFixed(Math.floor(30 * draw())),
      () => (draw() * 10 ** -Math.floor(50 * draw())).toFixed(60),
      () => (draw() - 0.5).toExponential(Math.floor(20 * draw())).replace("e", draw() < 0.5 ? "E" : "e"),
      () =>
        ["", "-", " ", "  -"][Math.floor(4 * draw())] + [".5", "5.", "0", "0.0", "0e9", "1E+2"][Math.floor(6 * draw())],
    ];
    const rows = Array.from({ length: 3000 }, () => ways.map((spell) => spell()).join(","));
    const file = await write("spelling.csv", `${ways.map((_, c) => `c${c}`).join(",")}\n${rows.join("\n")}\n`);
    await expectSame([file]);
    await expectSame([file], {}, 2 ** 20);
  });

  it.each([
    ["LF", "a,b\n1,2\n3,4\n"],
    ["CR LF", "a,b\r\n1,2\r\n3,4\r\n"],
    ["no end of the last line", "a,b\n1,2\n3,4"],
    ["no end of the last line after CR LF", "a,b\r\n1,2\r\n3,4"],
    ["blank lines at the end", "a,b\n1,2\n3,4\n\n\n\n"],
    ["blank lines at the end after CR LF", "a,b\r\n1,2\r\n3,4\r\n\r\n"],
    ["no header", "1,2\n3,4\n5,6\n"],
    ["a header in quotes", '"a,x","b"\n1,2\n3,4\n'],
    ["a byte order mark", "\ufeffa,b\n1,2\n3,4\n"],
    ["semicolons", "a;b\n1,5;2\n3;4,25\n"],
    ["tabs", "a\tb\n1\t2\n3\t4\n"],
    ["blanks", "1 2 3\n4 5 6\n7 8 9\n"],
    ["one column", "a\n1\n2\n"],
    ["one row", "a,b\n1,2\n"],
  ])("with %s", async (name, text) => {
    const file = await write(`${name}.csv`, text);
    for (const block of process.env.BONMF_SWEEPS === "all" ? [1, 3, 7, 1000] : [3, 1000])
      await expectSame([file], {}, block);
  });

  it("with lines longer than blocks and slices, and many rows in one block", async () => {
    const draw = makeDraw();
    const row = () => Array.from({ length: 3500 }, () => draw().toFixed(20)).join(",");
    const names = Array.from({ length: 3500 }, (_, c) => `column ${c}`).join(",");
    const file = await write("wide.csv", `${names}\n${Array.from({ length: 12 }, row).join("\n")}\n`);
    await expectSame([file], {}, 50_000);
    const many = Array.from({ length: 40_000 }, (_, i) => `${i},${i % 7},5\n`).join("");
    const { constant } = await expectSame([await write("many.csv", `a,b,c\n${many}`)], {}, 2 ** 20);
    expect(constant).toEqual(["c"]);
  });

  it("from some of the columns, in another order", async () => {
    const rows = Array.from({ length: 50 }, (_, i) => `${i},text ${i},${i / 4},"more, ${i}",${-i}`);
    const file = await write("some.csv", `a,b,c,d,e\n${rows.join("\n")}\n`);
    const { X } = await expectSame([file], { features: ["e", "a"] });
    expect(Array.from(X.row(49))).toEqual([-49, 49]);
    await expectSame([file], { exclude: ["b", "d"] });
  });

  it("from several files, written in different ways", async () => {
    const files = [
      await write("first.csv", "a,b\n1,2\n3,4"),
      await write("second.csv", "a,b\n5,6\n7,8\n"),
      await write("third.csv", "b;a\r\n10;9\r\n12;11\r\n"),
    ];
    const { X } = await expectSame(files, {}, 5);
    expect(Array.from(X.data)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
  });

  it("with labels, names and weights beside", async () => {
    const kinds = [" tea ", '"green, tea"', "thé", "7"];
    const rows = Array.from({ length: 400 }, (_, i) => `n${i},${i},${kinds[i % 4]},${i % 5 === 0 ? "" : i},${i / 8}`);
    const file = await write("names.csv", `name,a,class,code,w\n${rows.join("\n")}\n`);
    const { side } = await expectSame([file], { label: "class", id: "name", weight: "w", exclude: ["code"] });
    expect(side.labels?.slice(0, 4)).toEqual([" tea ", "green, tea", "thé", "7"]);
    await expectSame([file], { label: "class", id: "class", features: ["w"] });
    await expectSame([file], { label: "class", id: "code", features: ["a"] });
  });
});

describe("left to DuckDB", () => {
  const rows = Array.from({ length: 40 }, (_, i) => `${i},${i / 2},x${i}`);
  const make = (name: string, line: string) =>
    write(`${name}.csv`, `a,b,c\n${rows.join("\n")}\n${line}\n${rows.join("\n")}\n`);
  it.each([
    ["a missing value", ",1,x"],
    ["a missing value by name", "NA,1,x"],
    ["a missing label", "1,1,"],
    ["infinity", "inf,1,x"],
    ["a number too large", "1e39,1,x"],
    ["a number in quotes", '"1",1,x'],
    ["a word", "one,1,x"],
    ["a plus", "+1,1,x"],
    ["a blank after a number", "1 ,1,x"],
    ["half an exponent", "1e,1,x"],
    ["a minus alone", "-,1,x"],
    ["a point alone", ".,1,x"],
    ["too few values", "1,1"],
    ["too many values", "1,1,x,2"],
    ["a blank line", ""],
    ["another end of line", "1,1,x\r"],
    ["a break in quotes", '1,1,"x\ny"'],
    ["quotes in quotes", '1,1,"x ""y"""'],
    ["a quote amid a text", '1,1,x"y'],
  ])("%s", async (name, line) => {
    expect(await direct([await make(name, line)], { label: "c" }).catch(() => null)).toBeNull();
  });

  it("texts that are not UTF-8, and those nobody looks at that may not be", async () => {
    const latin = await write("latin.csv", Buffer.from(`a,b\n1,caf\xe9\n${"2,x\n".repeat(20)}`, "latin1"));
    expect(await direct([latin], { label: "b" }).catch(() => null)).toBeNull();
    expect(await direct([latin], { features: ["a"] }).catch(() => null)).toBeNull();
  });

  it("what has to be found or filled, or is packed", async () => {
    const file = await make("fine", "1,1,x");
    expect(await direct([file], { label: "c" })).not.toBeNull();
    expect(await direct([file], { oneHot: ["c"] })).toBeNull();
    expect(await direct([file], { label: "c", missing: "zero" })).toBeNull();
    expect(await direct([await write("packed.csv", gzipSync("a,b\n1,2\n"))])).toBeNull();
    expect(await direct([await write("truth.csv", "a,b\ntrue,1\nfalse,2\n")])).toBeNull();
    const noted = `a,b\n${"1,2\n".repeat(9)}# note\n${"3,4\n".repeat(9)}`;
    expect(await direct([await write("noted.csv", noted)]).catch(() => null)).toBeNull();
  });

  it("more rows than where they were counted", async () => {
    const size = 3e6;
    let text = "a,b\n";
    while (text.length < size) {
      const counted = Math.abs(((text.length / size) * 4) % 1);
      text += counted < 0.15 || counted > 0.85 ? `1.${"0".repeat(200)},2\n` : "3,4\n";
    }
    const file = await write("uneven.csv", text);
    expect(await direct([file], {}, 2 ** 16)).toBeNull();
    expect((await readTable([file], {})).X.samples).toBe(text.split("\n").length - 2);
  });
});

describe("large files", () => {
  const many = Array.from({ length: 120_000 }, (_, i) => `${i},${i / 8},${i % 1000},${(i * 7919) % 100_003},0.125\n`);
  const text = `a,b,c,d,e\n${many.join("")}${many.join("")}`;

  it("are read on several threads to the same numbers", async () => {
    const data = await readTable([await write("large.csv", text)], { label: "c" });
    expect(data.X.samples).toBe(240_000);
    expect(data.notes).toEqual(['1 feature is the same in every sample: "e"']);
    expect(data.labels?.at(-1)).toBe(999);
    for (const i of [0, 119_999, 120_000, 239_999]) {
      const k = i % 120_000;
      expect(Array.from(data.X.row(i))).toEqual([k, k / 8, (k * 7919) % 100_003, 0.125]);
    }
  });

  it.each([
    ["1,2,3,4,\n", 'hurt.csv, line 240002, column "e": the value is missing'],
    ["1,2,3,4,five\n", 'hurt.csv, line 240002, column "e": "five" is not a number'],
    ["1,2,3,4,inf\n", 'hurt.csv, line 240002, column "e": the value is infinite'],
    ["1,2,3,4\n", "hurt.csv, line 240002: 4 values where the table has 5 columns"],
    ["1,2,3,4,NA\n", 'hurt.csv, line 240002, column "e": the value is missing'],
  ])("that end in %j are refused as ever", async (line, message) => {
    const file = await write("hurt.csv", text + line);
    expect(await fail(readTable([file], {}))).toContain(message);
  });

  it("tell how far they are, and stop when asked", async () => {
    const file = await write("far.csv", text);
    const calls: [number, number | null][] = [];
    await readTable([file], { onProgress: (done, total) => calls.push([done, total]) });
    expect(calls.at(-1)).toEqual([240_000, 240_000]);
    expect(calls.length).toBeGreaterThan(3);
    const control = new AbortController();
    const reading = readTable([file], {
      signal: control.signal,
      onProgress: () => control.abort(new Error("enough")),
    });
    await expect(reading).rejects.toThrow("enough");
  });
});
