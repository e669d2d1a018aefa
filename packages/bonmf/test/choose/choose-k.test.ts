import { describe, expect, it } from "vitest";
import { type ChooseProgress, chooseK } from "../../src/choose/choose-k.js";
import { DataError, OptionError } from "../../src/errors.js";
import { Dense } from "../../src/matrix/dense.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { fit } from "../../src/model/fit.js";
import { Random } from "../../src/random.js";
import { drawCloud, drawClusters, drawUniform } from "./data.js";

const ks = [2, 3, 4, 5, 6];
const few = { ks, method: "kmeans", restarts: 1 } as const;

describe("the recommendation", () => {
  it.each([2, 3, 5])("is %i where there are as many clusters", async (k) => {
    const { structure, trials, ...choice } = await chooseK(drawClusters(k, 300, 7), few);
    expect(choice).toMatchObject({ k, complete: true, ks, samples: 300, sampled: 300, method: "kmeans", seed: 0 });
    expect(structure).toBe(true);
    expect(choice.reason).toMatch(
      new RegExp(`^${k} round clusters describe the samples best, and gaps set them off .*\\. Two halves .*\\.$`),
    );
    const [before, own, after] = [k - 1, k, k + 1].map((each) => trials.find((trial) => trial.k === each));
    expect(own!.separation).toBeGreaterThan(own!.reference! + 0.5);
    expect(own!.stability).toBeGreaterThan(0.95);
    expect(own!.silhouette).toBeGreaterThan(before?.silhouette ?? 0);
    if (after) expect(own!.silhouette).toBeGreaterThan(after.silhouette!);
  });

  it("is the same without fits of all samples", async () => {
    const X = drawClusters(3, 300, 7);
    const steps: ChooseProgress[] = [];
    const onProgress = (step: ChooseProgress) => steps.push(step);
    const { trials, ...choice } = await chooseK(X, { ...few, fits: false, onProgress });
    const { trials: _, ...whole } = await chooseK(X, few);
    expect(choice).toEqual(whole);
    expect(trials).toEqual([]);
    expect(steps.pop()).toEqual({ done: 1, total: 1, measured: 1, k: 3, trial: null, model: null });
    expect(steps.length).toBeGreaterThan(10);
    for (const step of steps) expect(step).toMatchObject({ done: 0, total: 1, k: null, trial: null, model: null });
  });

  it.each([
    ["uniform, 2 features", drawUniform(400, 2)],
    ["uniform, 12 features", drawUniform(400, 12)],
    ["one normal cloud", drawClusters(3, 400, 0)],
    ["one elongated cloud", drawCloud(400, 3)],
    ["fewer samples than features", drawUniform(60, 80)],
    ["samples all alike", Array.from({ length: 40 }, () => [1, 2])],
  ])("is none for %s", async (_, X) => {
    const choice = await chooseK(X, few);
    expect(choice).toMatchObject({ k: 1, structure: false, complete: true });
    expect(choice.reason).toMatch(/^No clusters: for no k/);
  });

  it.each([
    ["one feature", drawCloud(200, 1), "lift"],
    ["two features", drawCloud(200, 2), "lift"],
    ["two features of the same unit", drawUniform(200, 2), "none"],
    ["three features of the same unit", drawUniform(200, 3), "none"],
  ] as const)("is none for noise in %s, by angle", async (_, X, scale) => {
    expect(await chooseK(X, { ks, restarts: 1, scale })).toMatchObject({ k: 1, structure: false });
  });

  it("goes by angle where the method does", async () => {
    const lengths = new Random(9);
    const stretched = drawClusters(3, 300, 12).map((row) => {
      const length = 1 + 9 * lengths.next();
      return row.map((x) => length * x);
    });
    expect((await chooseK(stretched, { ks, restarts: 1 })).k).toBe(3);
  });

  it("says that too few samples tell nothing", async () => {
    const choice = await chooseK(drawClusters(2, 9, 9), { ks: [2, 3] });
    expect(choice).toMatchObject({ k: 1, structure: false, path: [] });
    expect(choice.reason).toContain("that is too few");
    expect(choice.trials.map(({ k, separation }) => [k, separation])).toEqual([[2, null], [3, null]]); // biome-ignore format: a table
    expect((await chooseK([[1, 2]])).k).toBe(1);
  });

  it("grows its own range while the largest is the best, and no further", async () => {
    const { k, ks: tried } = await chooseK(drawClusters(8, 45, 40), { method: "kmeans", restarts: 1 });
    expect(tried[tried.length - 1]).toBe(9);
    expect(k).toBeGreaterThan(1);
  });
});

describe("the measures", () => {
  it("of every k are those of fit", async () => {
    const X = drawClusters(3, 120, 7);
    const { trials } = await chooseK(X, { ks: [3, 4], seed: 5, restarts: 2 });
    const model = await fit(X, { k: 4, seed: 5, restarts: 2, init: "plusplus" });
    expect(trials[1]).toMatchObject({
      k: 4,
      objective: model.potential,
      relativeError: model.relativeError,
      iterations: model.iterations,
      converged: model.converged,
    });
  });

  it("of one cluster are none", async () => {
    const { trials } = await chooseK(drawClusters(3, 60, 7), { ks: [1, 3] });
    expect(trials[0]).toMatchObject({ k: 1, silhouette: null, stability: null, separation: null, evidence: null });
  });
});

describe("laws", () => {
  const X = drawClusters(4, 240, 7);
  const chosen = async (rows: number[][], more = {}) => (await chooseK(rows, { ...few, ...more })).k;

  it("hold when samples or features change places", async () => {
    const order = new Random(8).permutation(240);
    expect(await chosen(Array.from(order, (i) => X[i]))).toBe(4);
    expect(await chosen(X.map((row) => [...row].reverse()))).toBe(4);
  });

  it("hold in other units", async () => {
    const { path } = await chooseK(X, few);
    const scaled = await chooseK(
      X.map((row) => row.map((x) => 1024 * x)),
      few,
    );
    expect(scaled.path.map(({ evidence }) => evidence)).toEqual(path.map(({ evidence }) => evidence));
  });

  it("hold for weights: none counts for nothing, all the same change nothing", async () => {
    const noise = drawUniform(60, 5, 3).map((row) => row.map((x) => 40 * x));
    const weights = [...X.map(() => 2), ...noise.map(() => 0)];
    const weighted = await chooseK([...X, ...noise], { ...few, weights });
    const plain = await chooseK(X, few);
    expect(weighted.k).toBe(4);
    expect(weighted.path.map(({ separation }) => separation)).toEqual(plain.path.map(({ separation }) => separation));
  });

  it("hold for dense and sparse samples, and any number of threads", async () => {
    const dense = Dense.from(X);
    const one = await chooseK(dense, { ...few, threads: 1 });
    expect(await chooseK(dense, { ...few, threads: 3 })).toEqual(one);
    expect(await chooseK(Sparse.fromDense(dense), few)).toEqual(one);
    expect((await chooseK(dense, { ...few, seed: 1 })).path).not.toEqual(one.path);
  });
});

describe("progress", () => {
  it.each([
    ["gaps", few, drawClusters(3, 300, 7)],
    ["gaps of many features", { ks }, drawUniform(300, 60)],
    ["hidden entries and gaps", { ks, method: "nmf" }, drawUniform(300, 20)],
  ] as const)("rises while %s are measured", async (_, options, X) => {
    const seen: number[] = [];
    await chooseK(X, { ...options, fits: false, onProgress: ({ measured }) => seen.push(measured) });
    expect(seen.length).toBeGreaterThan(10);
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
    expect([seen[0] < 0.3, seen.at(-1)]).toEqual([true, 1]);
  });

  it("stops the work at once, whatever it measures", async () => {
    const X = drawUniform(300, 60);
    for (const limit of [0, 0.2, 0.4]) {
      const stop = new AbortController();
      const seen: number[] = [];
      const onProgress = ({ measured }: ChooseProgress) => {
        seen.push(measured);
        if (measured > limit) stop.abort();
      };
      const choice = await chooseK(X, { ks, fits: false, signal: stop.signal, onProgress });
      expect(choice).toMatchObject({ complete: false, k: null });
      expect(seen.filter((measured) => measured > limit).length).toBeLessThan(3);
    }
  });
});

describe("abort and continuation", () => {
  const X = drawClusters(3, 120, 7);

  it.each([0, 1, 3])("after %i parts gives what is known, and the same in the end", async (parts) => {
    const whole = await chooseK(X, few);
    const stop = new AbortController();
    const seen: ChooseProgress[] = [];
    if (parts === 0) stop.abort();
    const onProgress = (progress: ChooseProgress) => {
      if (progress.done === 0) return;
      seen.push(progress);
      if (progress.done === parts) stop.abort();
    };
    const early = await chooseK(X, { ...few, signal: stop.signal, onProgress });
    expect(early).toMatchObject({ complete: false, k: parts === 0 ? null : 3 });
    expect(early.trials.map(({ k }) => k)).toEqual(ks.slice(0, Math.max(0, parts - 1)));
    expect(seen.map(({ done, total }) => [done, total])).toEqual(Array.from({ length: parts }, (_, i) => [i + 1, 6]));
    expect(await chooseK(X, { ...few, from: JSON.parse(JSON.stringify(early)) })).toEqual(whole);
  });

  it("needs the same samples and options", async () => {
    const from = await chooseK(X, few);
    await expect(chooseK(X.slice(1), { ...few, from })).rejects.toThrow(DataError);
    await expect(chooseK(X, { ...few, seed: 3, from })).rejects.toThrow("continue with the same");
  });
});

describe("bad input", () => {
  const X = drawClusters(2, 20, 7);
  it.each([
    [{ ks: [] }, "ks must be an array"],
    [{ ks: [2, 2.5] }, "ks must be a whole number, 1 or more, not 2.5"],
    [{ ks: [0] }, "ks must be a whole number"],
    [{ ks: [2, 21] }, "ks asks for 21 clusters, but there are only 20 samples"],
    [{ seed: -1 }, "seed must be a whole number"],
    [{ kss: [2] }, 'chooseK has no option "kss": did you mean "ks"?'],
    [{ k: 2 }, 'chooseK has no option "k"'],
    [{ method: "kmean" }, "kmean"],
  ])("%j is refused", async (options, message) => {
    const error = await chooseK(X, options as object).catch((reason) => reason);
    expect(error).toBeInstanceOf(OptionError);
    expect(error.message).toContain(message);
  });

  it("of samples is refused as by fit", async () => {
    await expect(chooseK([[1, Number.NaN], [2, 3]])).rejects.toThrow(DataError); // biome-ignore format: one line
    await expect(chooseK([])).rejects.toThrow(DataError);
    await expect(chooseK(X, { weights: [1] })).rejects.toThrow("20 samples but 1 weights");
  });
});
