import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readData, readParts } from "../../../src/read/read.js";
import { failure, makeFolder, rowsOf } from "../fixture.js";

const folder = makeFolder();
const csv = [
  "text,class,n,weight",
  '"Cats chase, ""often"", mice",animals,7,1',
  "Stocks fell,money,8,2",
  '"Cats\nsleep",animals,9,0.5',
  ",money,10,1",
].join("\n");
const path = folder.put("docs.csv", `${csv}\n`);

describe("a text column", () => {
  it("becomes counts, with label, id and weight beside it", async () => {
    const data = await readData([path], { text: "text", label: "class", id: "n", weight: "weight" });
    expect(data).toMatchObject({
      kind: "text",
      features: ["cats", "chase", "fell", "mice", "sleep", "stocks"],
      labels: ["animals", "money", "animals", "money"],
      ids: [7, 8, 9, 10],
      weights: Float64Array.of(1, 2, 0.5, 1),
      recipe: { kind: "text", text: { column: "text", maxWords: 20_000 } },
      notes: ["1 of 4 documents holds none of the 6 words"],
    });
    expect(rowsOf(data.X).map((row) => row.join(""))).toEqual(["110100", "001001", "100010", "000000"]);
  });

  it("is found in JSON lines, gzipped files and queries", async () => {
    const lines = ["red fish", "blue fish"].map((body) => `${JSON.stringify({ body, n: 1 })}\n`).join("");
    const json = folder.put("docs.jsonl.gz", gzipSync(lines));
    expect((await readData([json], { text: "body" })).features).toEqual(["blue", "red"]);
    const sql = "select 'red fish' as body union all select 'green fish'";
    expect((await readData([], { sql, text: "body" })).features?.length).toBe(2);
  });

  it("is remembered for later samples, which come in parts", async () => {
    const { features, recipe } = await readData([path], { text: "text" });
    const like = { features, recipe, count: features?.length ?? 0 };
    const parts = [];
    for await (const { X, labels } of readParts([path], { like, label: "class" }, 3)) parts.push([X.samples, labels]);
    expect(parts).toEqual([
      [3, ["animals", "money", "animals"]],
      [1, ["money"]],
    ]);
  });

  it("of a gzipped file that is cut short is refused", async () => {
    const many = `text\n${Array.from({ length: 500 }, (_, i) => `word${i % 50} fish${i}`).join("\n")}\n`;
    const cut = folder.put("cut.csv.gz", gzipSync(many).subarray(0, -200));
    expect(await failure(readData([cut], { text: "text" }))).toMatchObject({
      message: `${cut}: the gzip file ends too early: it is cut short`,
    });
  });

  it("that is not there is an error with the nearest names", async () => {
    expect(await failure(readData([path], { text: "txt" }))).toMatchObject({
      name: "UserError",
      message: `${path} has no column "txt" for --text`,
      hint: "did you mean text?",
    });
    expect(await failure(readData([path], { text: "text", label: "clas" }))).toMatchObject({
      hint: "did you mean class?",
    });
    expect(await failure(readData([path], { text: "text", exclude: ["n"] }))).toMatchObject({
      message: "--exclude cannot be used with --text: the words are the features",
    });
    expect(await failure(readData([folder.put("head.csv", "text,class\n")], { text: "text" }))).toMatchObject({
      name: "UserError",
    });
  });
});
