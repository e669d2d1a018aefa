import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readData, readParts } from "../../../src/read/read.js";
import { failure, makeFolder, rowsOf } from "../fixture.js";

const folder = makeFolder();
const lines = [
  "Cats chase mice.",
  "",
  "Mice fear the cats; cats do not care.",
  "Stocks fell and bonds fell.",
  "It is.",
];

describe("text", () => {
  it("is one document a line of a file, without blank lines", async () => {
    const text = `${lines.join("\r\n")}\n`;
    for (const path of [folder.put("a.txt", text), folder.put("a.txt.gz", gzipSync(text))]) {
      const data = await readData([path], {});
      expect(data).toMatchObject({
        kind: "text",
        features: ["bonds", "care", "cats", "chase", "fear", "fell", "mice", "stocks"],
        ids: [1, 3, 4, 5],
        labels: null,
        notes: ["1 of 4 documents holds none of the 8 words"],
      });
      expect(rowsOf(data.X)).toEqual([
        [0, 0, 1, 1, 0, 0, 1, 0],
        [0, 1, 2, 0, 1, 0, 1, 0],
        [1, 0, 0, 0, 0, 2, 0, 1],
        [0, 0, 0, 0, 0, 0, 0, 0],
      ]);
      expect(data.recipe.text).toEqual({ stopWords: true, minDocuments: 1, maxShare: 0.9, maxWords: 20_000 });
    }
  });

  it.each([
    ["UTF-8", (text: string) => Buffer.from(text), "café – 手机"],
    ["UTF-8 with a mark", (text: string) => Buffer.from(`\ufeff${text}`), "café – 手机"],
    ["Latin 1", (text: string) => Buffer.from(text, "latin1"), "café ½"],
    ["ASCII", (text: string) => Buffer.from(text), "plain"],
  ])("keeps each line as it is, but for blank ones, in %s", async (name, encode, word) => {
    const wide = name.startsWith("UTF-8") ? "\u2003" : "";
    const nbsp = name === "ASCII" ? "" : "\u00a0";
    const all = [
      word,
      "  indented",
      "\u0001",
      "\r",
      ` \t${nbsp}${wide}`,
      "",
      `${nbsp} ${word}\r`,
      wide || "\f",
      "cats fell",
    ];
    const kept = all.filter((line) => line.trim() !== "");
    for (const end of ["", "\n"]) {
      const { texts, ids } = await readData([folder.put("lines.txt", encode(all.join("\n") + end))], { kind: "text" });
      expect([...texts!]).toEqual(kept);
      expect(ids).toEqual(kept.map((line) => all.indexOf(line) + 1));
    }
  });

  it("is read by a thread where it is long, with the texts", async () => {
    const texts = Array.from({ length: 60_000 }, (_, i) =>
      `document ${i % 50_000} about ${"é".repeat(i % 3)} matters `.repeat(3),
    );
    const { X, ids, texts: found, features } = await readData([folder.put("long.txt", texts.join("\n"))], {});
    expect([...found!]).toEqual(texts);
    expect(ids).toEqual(texts.map((_, i) => i + 1));
    expect(rowsOf(X.take([50_007]))).toEqual(rowsOf(X.take([7])));
    expect(features).toContain("1007");
  });

  it("keeps the words found in most documents", async () => {
    const data = await readData([folder.put("b.txt", lines.join("\n"))], { words: { maxWords: 2 } });
    expect(data.features).toEqual(["cats", "mice"]);
  });

  it("is one document a file of a folder, with the folder as label when asked", async () => {
    folder.put("news/sport/1.txt", "goal\n\ngoal match");
    folder.put("news/money/2.txt", "bank\nmoney");
    const data = await readData([`${folder.path}/news`], { label: "folder" });
    expect(data).toMatchObject({
      features: ["bank", "goal", "match", "money"],
      ids: ["money/2.txt", "sport/1.txt"],
      labels: ["money", "sport"],
    });
    expect(rowsOf(data.X)).toEqual([
      [1, 0, 0, 1],
      [0, 2, 1, 0],
    ]);
  });

  it("of several files is known by file and line", async () => {
    const paths = [folder.put("c1.txt", "red fish\n"), folder.put("c2.txt", "\nblue fish\n")];
    expect((await readData(paths, {})).ids).toEqual([`${paths[0]}:1`, `${paths[1]}:2`]);
  });

  it("is counted by a model's words, in parts", async () => {
    const path = folder.put("d.txt", "fish, fish\nwhale\n\nblue sea\nsea sea\n");
    const like = { features: ["sea", "fish"], count: 2, recipe: { kind: "text" } } as const;
    const parts = [];
    for await (const { X, ids, notes } of readParts([path], { like }, 2)) parts.push({ rows: rowsOf(X), ids, notes });
    expect(parts).toEqual([
      {
        rows: [
          [0, 2],
          [0, 0],
        ],
        ids: [1, 2],
        notes: ["1 of 2 documents holds none of the 2 words"],
      },
      { rows: [[1, 0]], ids: [4], notes: [] },
      { rows: [[2, 0]], ids: [5], notes: [] },
    ]);
    expect(rowsOf((await readData([path], { like })).X)).toEqual([
      [0, 2],
      [0, 0],
      [1, 0],
      [2, 0],
    ]);
  });

  it("that looks like a table is text again for a model of text", async () => {
    const path = folder.put("e.txt", "fish, sea\nfish, whale\n");
    const like = { features: ["sea"], count: 1, recipe: { kind: "text" } } as const;
    expect(rowsOf((await readData([path], { like })).X)).toEqual([[1], [0]]);
  });

  it("in Latin 1 is read, with a note", async () => {
    const path = folder.put("f.txt", Buffer.from("die Größe zählt\n", "latin1"));
    const data = await readData([path], {});
    expect(data.features).toEqual(["die", "größe", "zählt"]);
    expect(data.notes).toEqual(["some of the text is not UTF-8 and was read as Latin 1"]);
  });

  it("says when there is nothing in it", async () => {
    const path = folder.put("g.txt", "\n \n");
    expect(await failure(readData([path], { kind: "text" }))).toMatchObject({ message: `${path} holds no text` });
    const stops = folder.put("h.txt", "it is the\n");
    expect(await failure(readData([stops], {}))).toMatchObject({
      message: `${stops}: there are no words in the text but stop words (--stop-words none counts them)`,
    });
  });
});
