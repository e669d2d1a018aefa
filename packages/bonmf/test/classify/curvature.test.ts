import { describe, expect, it } from "vitest";
import { guessCurvature, isCurvatureCheap, measureCurvature } from "../../src/classify/curvature.js";
import { minimize } from "../../src/classify/lbfgs.js";
import { placeClasses, trainLogistic } from "../../src/classify/logistic.js";
import { openEngine } from "../../src/engine/in-memory.js";
import { findProbabilities } from "../../src/kernel/encode.js";
import { sumScatter } from "../../src/kernel/scatter.js";
import { Dense } from "../../src/matrix/dense.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { dense, draws, randomRows } from "../synthetic.js";

// Features of very different sizes: slow without curvature.
const rows = randomRows(8, 900, 12, 0.7).map((x) => x.map((v, f) => v * 2 ** (f - 6)));
const next = draws(2);
const y = Uint32Array.from(rows, ([a, b, c, d]) => Math.floor(40 * (30 * a + 12 * b + 9 * c + 5 * d + next() / 3)) % 3);

/** Trains with and without curvature; counts the sweeps. */
async function train(classes: number, weights: Float64Array | null, isGiven: boolean) {
  const X = dense(rows);
  const own = y.map((c) => c % classes);
  const opened = await openEngine(X, { weights, threads: 1, work: 1 });
  let sweeps = 0;
  const engine: typeof opened = {
    ...opened,
    samples: opened.samples,
    features: opened.features,
    pass: (step, signal) => {
      sweeps++;
      return opened.pass(step, signal);
    },
  };
  await placeClasses(engine, own, classes);
  const curvature: Parameters<typeof trainLogistic>[2]["curvature"] = isGiven
    ? (at, penalty) => measureCurvature(X, weights, at, penalty)
    : undefined;
  // Three classes take more sweeps than the default allows.
  const limit = classes > 2 ? 5000 : undefined;
  const found = await trainLogistic(engine, classes, { penalty: 0.01, tolerance: 1e-9, limit, curvature });
  await engine.close();
  return { found, sweeps };
}

describe("the curvature of logistic regression", () => {
  it.each([2, 3])("leads to the same coefficients of %i classes in fewer sweeps", async (classes) => {
    const weights = Float64Array.from(rows, (_, i) => 1 + (i % 3));
    const plain = await train(classes, weights, false);
    const led = await train(classes, weights, true);
    // A tolerance that was asked for is reached, also after hundreds of sweeps.
    expect(plain.sweeps).toBeGreaterThan(classes > 2 ? 300 : 100);
    expect(led.sweeps).toBeLessThan(plain.sweeps / 2);
    const [a, b] = [plain, led].map(({ found: { W, bias } }) => [...W, ...bias]);
    const most = Math.max(...a.map(Math.abs));
    a.forEach((w, p) => {
      expect(Math.abs(w - b[p])).toBeLessThan(1e-3 * most);
    });
  });

  it("divides a gradient by the second derivative of the mean loss", () => {
    const X = dense([[1], [2], [3]]);
    const at = { W: Float64Array.of(0), bias: Float64Array.of(0) };
    // At 0 every p (1 − p) is ¼: (¼ Σ xx + λ, ¼ Σ x; ¼ Σ x, ¼ n) / n.
    const [a, b, c] = [(14 / 4 + 0.5) / 3, 6 / 4 / 3, 3 / 4 / 3];
    const gradient = Float64Array.of(a * 2 + b * 5, b * 2 + c * 5);
    measureCurvature(X, null, at, 0.5).divide(gradient);
    expect(gradient[0]).toBeCloseTo(2, 6);
    expect(gradient[1]).toBeCloseTo(5, 6);
  });

  it.each([1, 3])("of many samples, %i scores, is nearly that of all", (r) => {
    // The model is sure of most; every second weighs more.
    const many = randomRows(3, 60_000, 4).map((x) => x.map((v) => 40 * (v - 0.5)));
    const X = dense(many);
    const weights = Float64Array.from(many, (_, i) => 1 + (i % 2));
    const at = { W: Float64Array.from({ length: r * 4 }, (_, p) => Math.cos(p)), bias: new Float64Array(r).fill(0.5) };
    const P = findProbabilities(X, at.W, at.bias);
    for (let c = 0; c < r; c++) {
      const shares = weights.map((w, i) => w * P[i * r + c] * (1 - P[i * r + c]));
      const H = sumScatter(X, shares);
      const multiply = (v: number[]) =>
        v.map((_, f) => v.reduce((sum, w, g) => sum + H[5 * Math.max(f, g) + Math.min(f, g)] * w, 0));
      const v = [1, 2, 3, 1, 2];
      const Hv = multiply(v);
      const gradient = new Float64Array(5 * r);
      gradient.set(Hv.slice(0, 4), 4 * c);
      gradient[4 * r + c] = Hv[4];
      measureCurvature(X, weights, at, 1e-9).divide(gradient);
      const off = [...gradient.subarray(4 * c, 4 * c + 4), gradient[4 * r + c]].map((g, f) => g / 90_000 - v[f]);
      const dot = (a: number[], b: number[]) => a.reduce((sum, x, f) => sum + x * b[f], 0);
      // As many samples at even distances would be off by half.
      expect(dot(off, multiply(off)) / dot(v, Hv)).toBeLessThan(0.15 ** 2);
    }
  });

  it("is guessed from the samples and the sizes of classes alone", () => {
    const X = dense([[1], [2], [3], [0]]);
    // Classes of 3 and 1: every p (1 − p) is ¾ · ¼.
    const gradient = Float64Array.of(1, 1);
    guessCurvature(X, null, Float64Array.of(3, 1))(0.5).divide(gradient);
    expect(gradient[0]).toBeCloseTo(1 / Math.sqrt(((3 / 16) * 14 + 0.5) / 4), 12);
    expect(gradient[1]).toBeCloseTo(1 / Math.sqrt(3 / 16), 12);
    // A class that no sample has, or all, leaves something to divide by.
    const three = new Float64Array(6).fill(1);
    guessCurvature(X, null, Float64Array.of(4, 0, 0))(0).divide(three);
    for (const value of three) expect(Number.isFinite(value) && value > 0).toBe(true);
  });

  it("is asked for where it costs less than the sweeps it saves", () => {
    const ones = (n: number, m: number) => new Dense(n, m, new Float64Array(n * m).fill(1));
    expect(isCurvatureCheap(ones(5000, 30), 5000 * 30)).toBe(true);
    expect(isCurvatureCheap(ones(5000, 784), 5000 * 784)).toBe(false);
    // Few values a sample, but a matrix of 2,000 × 2,000.
    const wide = Dense.zeros(300, 2000, "f64");
    for (let i = 0; i < 300; i++) wide.data[i * 2000 + i] = 1;
    expect(isCurvatureCheap(wide, 300)).toBe(false);
    const narrow = Sparse.fromDense(Dense.from(Array.from({ length: 3000 }, (_, i) => [i % 2, i % 3, 1])));
    expect(isCurvatureCheap(narrow, narrow.values.length)).toBe(true);
  });

  it("is measured once, after as many steps as were asked for", async () => {
    const asked: number[] = [];
    let evaluations = 0;
    const scales = [1, 100, 1e4];
    const objective = async (x: Float64Array, gradient: Float64Array) => {
      evaluations++;
      x.forEach((v, p) => {
        gradient[p] = scales[p] * (v - 1);
      });
      return x.reduce((sum, v, p) => sum + 0.5 * scales[p] * (v - 1) ** 2, 0);
    };
    const curvature = () => {
      asked.push(evaluations);
      return {
        divide: (g: Float64Array) =>
          g.forEach((v, p) => {
            g[p] = v / scales[p];
          }),
      };
    };
    const { x, converged } = await minimize(objective, new Float64Array(3), { tolerance: 1e-9, limit: 50, curvature });
    expect([...x]).toEqual([1, 1, 1]);
    expect([converged, asked, evaluations]).toEqual([true, [1], 2]);
    evaluations = 0;
    await minimize(objective, new Float64Array(3), { tolerance: 1e-9, limit: 50, curvature, patience: 2 });
    expect(asked).toHaveLength(2);
    expect(asked[1]).toBeGreaterThan(2);
  });
});
