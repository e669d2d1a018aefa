import { describe, expect, it } from "vitest";
import { openShard } from "../../src/engine/in-memory.js";
import { iterate } from "../../src/factor/iterate.js";
import { fit, resume } from "../../src/model/fit.js";
import { loadModel, saveModel } from "../../src/model/model-file.js";
import { resolveOptions } from "../../src/model/options.js";
import { dense, draws, randomRows, record } from "../synthetic.js";

/** Samples of k hidden parts, and some noise. */
function partRows(seed: number, n: number, m: number, k: number): number[][] {
  const next = draws(seed);
  const some = (share: number) => (next() < share ? 0 : next());
  const parts = Array.from({ length: k }, () => Array.from({ length: m }, () => some(0.7)));
  return Array.from({ length: n }, () => {
    const h = parts.map(() => some(0.6));
    return parts[0].map((_, f) => parts.reduce((sum, part, j) => sum + h[j] * part[f], 0.05 * next()));
  });
}

describe("dead components", () => {
  const X = dense(partRows(1, 300, 20, 6));

  it.each(["columns", "random", "sample"] as const)("are revived by hals from %s", async (init) => {
    for (let seed = 0; seed < 5; seed++) {
      const options = { k: 6, method: "hals", init, seed } as const;
      const [model, kept] = [await fit(X, options), await fit(X, { ...options, emptyClusters: "keep" })];
      expect(model.dead).toEqual([]);
      expect(model.relativeError).toBeLessThan(0.06);
      if (init !== "columns") continue;
      expect(kept.dead.length).toBeGreaterThan(0);
      expect(kept.relativeError).toBeGreaterThan(0.2);
      expect(model.repairs).toBeGreaterThan(0);
      const potentials = model.history.map(({ potential }) => potential);
      const rises = potentials.filter((potential, t) => t > 0 && potential > potentials[t - 1] * (1 + 1e-9));
      expect(rises).toEqual([]);
    }
  });

  it("are revived the same by 32-bit samples, several threads, and after an interruption", async () => {
    const many = dense(partRows(2, 1500, 20, 6), "f32");
    const options = { k: 6, method: "hals", init: "columns", maxIterations: 14 } as const;
    const whole = await fit(many, options);
    expect(whole.repairs).toBeGreaterThan(0);
    expect(record(await fit(many, { ...options, threads: 2 }))).toEqual(record(whole));
    for (const maxIterations of [1, 2, 3, 5]) {
      const early = await fit(many, { ...options, maxIterations });
      const late = await resume(loadModel(saveModel(early)), many, { maxIterations: 14 });
      expect(record(late)).toEqual(record(whole));
    }
  });

  it("stay where there is nothing left to explain", async () => {
    const X = dense(Array.from({ length: 12 }, (_, i) => [i + 1, 2 * i + 2, 0]));
    const init = [
      [1, 2, 0],
      [0, 0, 0],
      [0, 0, 0],
    ];
    const model = await fit(X, { k: 3, method: "hals", init });
    expect(model.relativeError).toBeLessThan(1e-6);
    expect(model.converged).toBe(true);
    expect(model.dead).toEqual([1, 2]);
  });

  it("are reported while a fit runs, and left alone by the methods of others", async () => {
    const options = { k: 6, method: "semi-binary", init: "nndsvd", seed: 1 } as const;
    const empty: number[] = [];
    const run = resolveOptions(options, X.samples, X.features);
    await iterate(await openShard(X), run, 1, (step) => empty.push(step.empty));
    const model = await fit(X, options);
    expect(model.repairs).toBe(0);
    expect(model.dead.length).toBe(empty.at(-1));
    expect(model.dead.length).toBeGreaterThan(0);
    expect((await fit(dense(randomRows(3, 40, 5)), { k: 3, method: "nmf" })).dead).toEqual([]);
  });

  it("of one-hot methods are empty clusters", async () => {
    const X = dense([
      [1, 0],
      [1, 0],
      [1, 0],
    ]);
    const model = await fit(X, { k: 2, emptyClusters: "keep" });
    expect(model.dead).toEqual([...model.counts.keys()].filter((j) => model.counts[j] === 0));
    expect(model.dead.length).toBe(1);
  });
});
