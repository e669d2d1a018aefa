import { describe, expect, it } from "vitest";
import { measureCurvature } from "../../src/classify/curvature.js";
import { trainPath } from "../../src/classify/linear.js";
import { type Logistic, placeClasses, trainLogistic } from "../../src/classify/logistic.js";
import { chooseEvenly, startWarm } from "../../src/classify/warm-start.js";
import { openEngine } from "../../src/engine/in-memory.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { fit } from "../../src/model/fit.js";
import { bits, dense, draws, randomRows } from "../synthetic.js";

const n = 8200;
const rows = randomRows(3, n, 6, 0.5);
const X = dense(rows);
const next = draws(4);
/** Three classes by two features and chance. */
const y = Uint32Array.from(rows, ([a, b]) => Math.max(0, Math.min(2, Math.floor(1.5 * (a + b) + 2 * next() - 0.5))));
const weights = Float64Array.from(rows, (_, i) => 1 + (i % 3));
const all = { samples: X, y, classes: 3, weights };
const zeros: Logistic = { W: new Float64Array(18), bias: new Float64Array(3) };

const open = (k: number) => ({ k, form: "labels", threads: 1, effort: 1 }) as const;

async function train(start: Logistic) {
  const opened = await openEngine(X, { weights, threads: 1, work: 1 });
  let sweeps = 0;
  const pass: typeof opened.pass = (step, signal) => {
    sweeps++;
    return opened.pass(step, signal);
  };
  const engine = { ...opened, samples: n, features: 6, pass };
  await placeClasses(engine, y, 3);
  const found = await trainLogistic(engine, 3, {
    penalty: 1,
    tolerance: 1e-5,
    start,
    curvature: (at, penalty) => measureCurvature(X, weights, at, penalty),
  });
  await opened.close();
  return { found, sweeps };
}

describe("a search that begins with one sample of four", () => {
  it("ends in the same place after fewer sweeps of all", async () => {
    const start = await startWarm(all, zeros, { penalty: 1 }, open(3));
    const [cold, warm] = [await train(zeros), await train(start)];
    expect(warm.sweeps).toBeLessThan(0.7 * cold.sweeps);
    cold.found.W.forEach((w, p) => {
      // The start is near; the end is the same.
      expect(Math.abs(start.W[p] - w)).toBeLessThan(0.6);
      expect(Math.abs(warm.found.W[p] - w)).toBeLessThan(0.05);
    });
  });

  it("chooses as many of each class, or all, and each stands for its share", () => {
    const own = Uint32Array.from({ length: 80 }, (_, i) => (i % 8 === 7 ? 1 : i === 0 ? 2 : 0));
    const { ids, factors } = chooseEvenly(own, 3, 15);
    const chosen = [0, 1, 2].map((c) => Array.from(ids).filter((i) => own[i] === c));
    expect(chosen.map(({ length }) => length)).toEqual([7, 7, 1]);
    for (const [c, factor] of [69 / 7, 10 / 7, 1].entries()) expect(factors[c]).toBeCloseTo(factor, 12);
    // From the whole file, not from its beginning.
    expect(Math.min(...chosen[0])).toBeLessThan(10);
    expect(Math.max(...chosen[0])).toBeGreaterThan(70);
  });

  it("begins as before where those were too few, or lack a class", async () => {
    const few = { samples: X.slice(0, 3999), y: y.slice(0, 3999), classes: 3, weights: null };
    expect(await startWarm(few, zeros, { penalty: 1 }, open(3))).toBe(zeros);
    const lacking = y.map((c) => Math.min(c, 1));
    expect(await startWarm({ ...all, y: lacking }, zeros, { penalty: 1 }, open(3))).toBe(zeros);
  });

  it("has the same bits dense and sparse, on one thread and on two", async () => {
    const model = await fit(X.slice(0, 50), { k: 1 });
    const bitsOf = async (Z: typeof X | Sparse, threads: number) => {
      const options = { sharpness: null, weights, threads };
      const [{ W, bias }] = await trainPath({ model, Z, y, classes: 3 }, [1], options);
      return [bits(W), bits(bias)];
    };
    const first = await bitsOf(X, 1);
    expect(await bitsOf(X, 2)).toEqual(first);
    expect(await bitsOf(Sparse.fromDense(X), 2)).toEqual(first);
  });
});
