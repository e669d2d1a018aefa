import { describe, expect, it } from "vitest";
import { chooseK } from "../../src/choose/choose-k.js";
import { Dense } from "../../src/matrix/dense.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { budget } from "../budget.js";
import { drawMixtures, drawUniform } from "./data.js";

const ks = [2, 3, 4, 5, 6, 7];
const few = { method: "nmf", ks, restarts: 1, maxIterations: 3 } as const;

describe("the number of prototypes by hidden entries", () => {
  it.each([2, 4])("is the planted rank %i", async (rank) => {
    const seeds = Array.from({ length: budget(3, 10) }, (_, seed) => seed);
    let right = 0;
    for (const seed of seeds) {
      const { k } = await chooseK(drawMixtures(90, 24, rank, 0.5, seed + 1), { ...few, seed });
      if (k === rank) right++;
    }
    expect(right).toBeGreaterThanOrEqual(Math.floor(0.9 * seeds.length));
  });

  it.each(["hals", "semi-binary"] as const)("decides for %s", async (method) => {
    const choice = await chooseK(drawMixtures(120, 24, 3, 0.3), { ...few, method });
    expect(choice).toMatchObject({ k: 3, structure: true, rule: "held-out" });
    expect(choice.reason).toMatch(
      /^3 prototypes predict entries hidden from the fit as well as any .*\. More would .*\.$/,
    );
  });

  it.each([
    ["uniform noise", drawUniform(150, 20)],
    [
      "one prototype and noise",
      drawUniform(150, 20).map((row, i) => row.map((x, f) => (1 + i / 99) * (1 + f / 9) + x)),
    ],
    ["one prototype", drawMixtures(60, 8, 1, 0)],
    ["samples all alike", Array.from({ length: 40 }, () => [1, 2, 3])],
    ["zeros", Array.from({ length: 40 }, () => [0, 0, 0, 0])],
  ])("is none for %s", async (_, X) => {
    expect(await chooseK(X, few)).toMatchObject({ k: 1, structure: false, rule: null });
  });

  it("is a measure of every k, relative to one prototype", async () => {
    const { trials, heldOut } = await chooseK(drawMixtures(100, 20, 3, 0.3), { ...few, ks: [1, 2, 3, 5] });
    expect(heldOut.map(({ k }) => k)).toEqual([1, 2, 3, 4, 5]);
    expect(trials.map((trial) => trial.heldOut)).toEqual([0, 1, 2, 4].map((at) => heldOut[at].error));
    expect(trials[0].heldOut).toBe(1);
    expect(trials[2].heldOut).toBeLessThan(trials[1].heldOut!);
    expect(trials[3].heldOut).toBeGreaterThan(trials[2].heldOut!);
  });

  it("has a bound where components are far too many", async () => {
    const X = drawMixtures(60, 6, 1, 0.5).map((row) => row.map((x) => x - 0.7));
    const { heldOut } = await chooseK(X, { ...few, method: "hals", scale: "split", ks: [2, 6, 12] });
    for (const { error } of heldOut) expect(error).toBeLessThan(30);
  });

  it("is not measured for methods that give a sample one prototype, nor where there is too little", async () => {
    const X = drawMixtures(40, 6, 2, 0.1);
    for (const method of ["bonmf", "onmf", "em-onmf"] as const) {
      const { heldOut, trials } = await chooseK(X, { ...few, method, ks: [2] });
      expect([heldOut, trials[0].heldOut]).toEqual([[], null]);
    }
    expect((await chooseK(X.map((row) => row.slice(0, 2)), { ...few, ks: [2] })).heldOut).toEqual([]); // biome-ignore format: one line
    expect((await chooseK(X.slice(0, 15), { ...few, ks: [2] })).heldOut).toEqual([]);
    const wide = await chooseK(X, { ...few, ks: [2, 9] });
    expect(wide.trials.map(({ heldOut }) => heldOut === null)).toEqual([false, true]);
  });

  it("extends the default range while its end is the best", async () => {
    const { k, ks: tried } = await chooseK(drawMixtures(45, 40, 12, 0.05), { ...few, ks: undefined });
    expect(tried[tried.length - 1]).toBe(9);
    expect(k).toBeGreaterThan(5);
  });
});

describe("laws", () => {
  const X = drawMixtures(40, 140, 3, 0.3);
  const measure = async (samples: Dense | Sparse | number[][], more = {}) =>
    (await chooseK(samples, { ...few, ks: [2, 3, 4], ...more })).heldOut;

  it("hold for dense and sparse samples, threads, units, and weights that are all the same", async () => {
    const dense = Dense.from(X);
    const known = await measure(dense);
    expect(await measure(Sparse.fromDense(dense))).toEqual(known);
    expect(await measure(dense, { threads: 3 })).toEqual(known);
    expect(await measure(X.map((row) => row.map((x) => x * 1024)))).toEqual(known);
    expect(await measure(dense, { weights: X.map(() => 0.5) })).toEqual(known);
    expect(await measure(dense, { seed: 1 })).not.toEqual(known);
  });

  it("hold for samples that count for nothing", async () => {
    const noise = drawUniform(20, 140);
    const weights = [...X.map(() => 1), ...noise.map(() => 0)];
    expect(await measure([...X, ...noise], { weights })).toEqual(await measure(X));
  });

  it("hold when the search is stopped and continued", async () => {
    const whole = await chooseK(X, few);
    const stop = new AbortController();
    const early = await chooseK(X, {
      ...few,
      signal: stop.signal,
      onProgress: ({ done }) => done === 2 && stop.abort(),
    });
    expect(early).toMatchObject({ complete: false, k: whole.k, heldOut: whole.heldOut });
    expect(await chooseK(X, { ...few, from: JSON.parse(JSON.stringify(early)) })).toEqual(whole);
  });
});
