import { describe, expect, it } from "vitest";
import { readCsv, readLibsvm, readNpy, writeCsv, writeLibsvm, writeNpy } from "../../src/io/index.js";
import type { Matrix } from "../../src/matrix/matrix.js";
import { datasets, loadDataset, paperDatasets, stemOf } from "../datasets.js";

function summarise(X: Matrix): { min: number; max: number; zeroRows: number } {
  let [min, max, zeroRows] = [Infinity, -Infinity, 0];
  for (let i = 0; i < X.samples; i++) {
    const row = X.row(i);
    for (const value of row) {
      if (value < min) min = value;
      if (value > max) max = value;
    }
    if (row.every((value) => value === 0)) zeroRows++;
  }
  return { min, max, zeroRows };
}

function tally(labels: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const label of labels) counts[label] = (counts[label] ?? 0) + 1;
  return counts;
}

describe("the datasets", () => {
  it.each(datasets.flatMap(({ files }) => files).map((file) => [stemOf(file), file] as const))(
    "%s is what the manifest says",
    async (name, file) => {
      const { X, labels = [], featureNames } = await loadDataset(name);
      const left = file.categoricalColumns?.length ?? 0;
      expect(X).toMatchObject({ samples: file.rows, features: file.features - left });
      expect(tally(labels)).toEqual(file.classCounts);
      const { min, max, zeroRows } = summarise(X);
      expect({ min, max, zeroRows }).toEqual({
        min: Math.fround(file.min),
        max: Math.fround(file.max),
        zeroRows: file.zeroRows,
      });
      if (file.format === "csv" || file.vocab) expect(featureNames).toHaveLength(X.features);
    },
  );

  it("holds the nine of the paper, each by name", () => {
    expect(datasets.filter(({ role }) => role === "paper").map(({ name }) => name)).toEqual(paperDatasets);
  });

  it("names words", async () => {
    const { featureNames } = await loadDataset("bbc");
    expect(featureNames?.every((word) => /^\S+$/.test(word))).toBe(true);
  });

  it("are the same after they were written and read", async () => {
    const sparse = await loadDataset("svmguide");
    const { X, labels } = readLibsvm(writeLibsvm(sparse), { features: 4 });
    expect([X, labels]).toEqual([sparse.X, sparse.labels]);
    const { name: _, ...dense } = await loadDataset("segment");
    expect(readCsv(writeCsv(dense), { label: "class" })).toEqual(dense);
    if (dense.X.kind === "dense") expect(readNpy(writeNpy(dense.X)).X).toEqual(dense.X);
  });
});
