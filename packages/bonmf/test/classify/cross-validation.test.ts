import { describe, expect, it } from "vitest";
import { type AutoOptions, auto } from "../../src/classify/auto.js";
import { folds } from "../../src/classify/folds.js";
import { Dense } from "../../src/matrix/dense.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { deriveSeed } from "../../src/random.js";
import { fitScaler } from "../../src/scale/scaler.js";
import { blobRows, draws } from "../synthetic.js";
import { cosine, rankSamples } from "./handmade.js";

const X = blobRows(1, 120, 4, 3);
const y = X.map((_, i) => "abc"[(i + (i % 6 === 0 ? 1 : 0)) % 3]);
const queries = blobRows(2, 40, 4, 3);

describe("the cross-validation of auto", () => {
  it.each(["none", "split"] as const)("is what leaving folds out by hand gives (%s)", async (scale) => {
    const { tried } = await auto(X, y, { scales: [scale], seed: 5, folds: 4 });
    const repeats = [0, 1, 2, 3].flatMap((repeat) => folds(y, 4, deriveSeed(5, repeat)));
    const parts = repeats.map(({ train, test }) => {
      const scaler = fitScaler(scale, Dense.from(X).take(train));
      const Z = scaler.transform(Dense.from(X)) as Dense;
      const rows = Array.from(X, (_, i) => Array.from(Z.row(i)));
      return {
        test,
        lists: Array.from(test, (i) =>
          rankSamples(Array.from(train, (t) => cosine(rows[t], rows[i]))).map((p) => train[p]),
        ),
      };
    });
    const votes = tried.filter(({ metric, votes }) => metric === "angle" && votes === "equal");
    expect(votes).toHaveLength(7);
    for (const { neighbors, accuracy, deviation, folds } of votes) {
      const right = parts
        .slice(0, folds)
        .map(({ test, lists }) => lists.filter((list, p) => winner(list.slice(0, neighbors)) === y[test[p]]).length);
      expect(accuracy).toBe(right.reduce((a, b) => a + b) / (30 * folds));
      const variance = right.reduce((sum, count) => sum + (count / 30 - accuracy) ** 2, 0) / Math.max(1, folds - 1);
      expect(deviation).toBeCloseTo(Math.sqrt(variance), 12);
    }
  });

  function winner(voters: number[]): string {
    const votes = (label: string) => voters.filter((i) => y[i] === label).length;
    const top = Math.max(...["a", "b", "c"].map(votes));
    return y[voters.find((i) => votes(y[i]) === top) ?? -1];
  }

  it("names the features and keeps the notes", async () => {
    const names = { featureNames: ["p", "q", "r", "s"], tags: { source: "made up" } };
    const { model } = (await auto(X, y, { scales: ["none"], neighbors: [3], ...names })).classifier;
    expect(model).toMatchObject(names);
    const few = auto(X, y, { featureNames: ["p"] });
    await expect(few).rejects.toThrow("there are 4 features but 1 feature names: give one for each feature");
  });

  it("is decided by the seed alone", async () => {
    const one = await auto(X, y, { seed: 3 });
    const again = await auto(X, y, { seed: 3 });
    const other = await auto(X, y, { seed: 4 });
    expect(again.tried).toEqual(one.tried);
    expect(again.classifier.explain(queries)).toEqual(one.classifier.explain(queries));
    expect(other.tried).not.toEqual(one.tried);
  });

  it("sees nothing but the samples given", async () => {
    const beside = Dense.from([...X, ...X.map((row) => row.map(() => Number.NaN))]);
    const labels = [...y, ...y];
    const alone = await auto(X, y, { sample: 60 });
    const part = await auto(beside.slice(0, 120), labels.slice(0, 120), { sample: 60 });
    expect(part.tried).toEqual(alone.tried);
    expect(part.classifier.explain(queries)).toEqual(alone.classifier.explain(queries));
  });

  it("looks at a sample of large data, and learns from all of it", async () => {
    const rare = y.with(50, "rare");
    const { classifier, tried } = await auto(X, rare, { sample: 30, scales: ["none"] });
    // Four splits into five folds of 6 samples.
    for (const { accuracy, folds } of tried) expect(Math.abs(((accuracy * 6 * folds) % 1) - 0.5)).toBeCloseTo(0.5, 9);
    expect(classifier.classes).toContain("rare");
    expect(classifier.model.labels).toHaveLength(120);
  });

  it("gives the same on sparse data", async () => {
    const options: AutoOptions = { scales: ["none", "minmax"], seed: 2 };
    const dense = await auto(X, y, options);
    const sparse = await auto(Sparse.fromDense(Dense.from(X)), y, options);
    expect(sparse.tried).toEqual(dense.tried);
    expect(sparse.classifier.explain(queries)).toEqual(dense.classifier.explain(queries));
  });

  it("keeps very sparse data sparse", async () => {
    const next = draws(6);
    const rows = Array.from({ length: 90 }, (_, i) => {
      const topic = 20 * (i % 3);
      return new Map([0, 1, 2].map(() => [topic + Math.floor(20 * next()), 1 + next()]));
    });
    const labels = rows.map((_, i) => i % 3);
    const { tried, classifier } = await auto(Sparse.from(rows, 60), labels);
    expect(new Set(tried.map(({ scale }) => scale))).toEqual(new Set(["none", "tfidf"]));
    expect(classifier.score(Sparse.from(rows, 60), labels)).toBeGreaterThan(0.9);
  });
});
