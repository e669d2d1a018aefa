import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readData, readParts } from "../../src/read/read.js";

const folder = process.env.BONMF_DATA_DIR ?? "";

describe("real files", () => {
  const at = (path: string) => join(folder, path);

  it("W8a is the same whole and in parts", async () => {
    const whole = await readData([at("w8a/w8a.svm.gz")], {});
    expect([whole.X.samples, whole.X.features, whole.labels?.length]).toEqual([49_749, 300, 49_749]);
    const like = { features: null, count: 300, recipe: whole.recipe };
    let samples = 0;
    let sum = 0;
    for await (const { X } of readParts([at("w8a/w8a.svm.gz")], { like }, 20_000)) {
      samples += X.samples;
      if (X.kind === "sparse") sum += X.values.length;
    }
    expect(samples).toBe(49_749);
    expect(whole.X.kind === "sparse" && whole.X.values.length).toBe(sum);
  });

  it.each(["bbc", "r8"])("the documents of %s have the counts of their matrix", async (name) => {
    const words = gunzipSync(readFileSync(at(`${name}/${name}-vocab.txt.gz`)))
      .toString()
      .trim()
      .split("\n");
    const counts = await readData([at(`${name}/${name}.svm.gz`)], {});
    const like = { features: words, count: words.length, recipe: { kind: "text", text: TEXT } } as const;
    const data = await readData([at(`${name}/${name}-docs.csv.gz`)], { like, label: "class" });
    expect([data.X.samples, data.X.features]).toEqual([counts.X.samples, words.length]);
    expect(new Set(data.labels).size).toBe(new Set(counts.labels).size);
    if (data.X.kind !== "sparse" || counts.X.kind !== "sparse") return expect.fail("text is sparse");
    let differing = 0;
    for (let i = 0; i < counts.X.samples; i++) {
      const [a, b] = [data.X.row(i), counts.X.row(i)];
      if (b.some((count, f) => count !== a[f])) differing++;
    }
    expect(differing).toBe(0);
  });
});

const TEXT = { column: "text", stopWords: true, minDocuments: 2, maxShare: 0.5, maxWords: 20_000 };
