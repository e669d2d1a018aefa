import { describe, expect, it } from "vitest";
import { minimize } from "../../src/classify/lbfgs.js";
import { type Logistic, placeClasses, scoreCount, trainLogistic } from "../../src/classify/logistic.js";
import { openEngine, openPlain } from "../../src/engine/in-memory.js";
import { estimateNeed, streamSource } from "../../src/engine/out-of-core.js";
import { totalStats } from "../../src/engine/stats.js";
import type { Matrix } from "../../src/matrix/matrix.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { storeHere } from "../engine/stored.js";
import { bits, dense, draws, randomRows } from "../synthetic.js";

const N = 1500;
const M = 6;
const rows = randomRows(3, N, M, 0.6);
const y = classesOf(rows, 4);
const weights = Float64Array.from(rows, (_, i) => i % 4);

/** Classes that depend on the features, with some noise. */
function classesOf(rows: number[][], classes: number): Uint32Array {
  const next = draws(9);
  return Uint32Array.from(rows, ([a, b, c]) => Math.floor((a + 2 * b + c * c + next() / 2) * 10) % classes);
}

/** The mean loss and its gradient, naively from the formulas. */
function naive({ W, bias }: Logistic, classes: number, penalty: number, weights: ArrayLike<number>) {
  const gradient = new Float64Array(W.length + bias.length);
  let loss = 0;
  let total = 0;
  rows.forEach((x, i) => {
    const scores = Array.from(bias, (b, r) => b + x.reduce((sum, v, f) => sum + v * W[r * M + f], 0));
    const all = classes === 2 ? [0, scores[0]] : scores;
    const sum = all.reduce((s, score) => s + Math.exp(score), 0);
    const p = all.map((score) => Math.exp(score) / sum);
    const c = y[i] % classes;
    loss -= weights[i] * Math.log(p[c]);
    total += weights[i];
    for (let r = 0; r < bias.length; r++) {
      const place = classes === 2 ? 1 : r;
      const error = weights[i] * (p[place] - (c === place ? 1 : 0));
      x.forEach((v, f) => {
        gradient[r * M + f] += error * v;
      });
      gradient[W.length + r] += error;
    }
  });
  W.forEach((w, p) => {
    loss += 0.5 * penalty * w * w;
    gradient[p] += penalty * w;
  });
  return { value: loss / total, gradient: gradient.map((g) => g / total) };
}

async function trainOn(
  X: Matrix,
  classes: number,
  threads = 1,
  own: Float64Array | null = null,
  tolerance = 1e-7,
  isMostlyZero = false,
): Promise<Logistic> {
  const engine = await openEngine(X, { weights: own, threads, work: 1e12 });
  try {
    await placeClasses(
      engine,
      y.map((c) => c % classes),
      classes,
    );
    return await trainLogistic(engine, classes, { penalty: 0.5, tolerance, isMostlyZero });
  } finally {
    await engine.close();
  }
}

describe("the softmax rule", () => {
  it.each([2, 4])("gives the loss and the gradient of %i classes", async (classes) => {
    const k = scoreCount(classes);
    const next = draws(4);
    const W = Float64Array.from({ length: k * M }, () => 4 * next() - 2);
    const bias = Float64Array.from({ length: k }, () => next() - 0.5);
    const engine = await openPlain(dense(rows), { weights });
    await placeClasses(
      engine,
      y.map((c) => c % classes),
      classes,
    );
    const sums = totalStats(await engine.pass({ rule: "softmax", k, W, bias }));
    const { value, gradient } = naive({ W, bias }, classes, 0, weights);
    expect(sums.loss / sums.weight).toBeCloseTo(value, 12);
    [...sums.XHt, ...sums.HHt].forEach((g, p) => {
      expect(g / sums.weight).toBeCloseTo(gradient[p], 12);
    });
  });

  it("wants classes first", async () => {
    const engine = await openPlain(dense(rows));
    const step = { rule: "softmax", k: 1, W: new Float64Array(M), bias: new Float64Array(1) } as const;
    await expect(engine.pass(step)).rejects.toThrow(/no classes to learn/);
  });

  it.each([null, weights])("sums logarithms of products that would overflow, weights %#", async (own) => {
    // 20 equal scores: the product of 256 totals of 20 is above 2^1024.
    const step = { rule: "softmax", k: 20, W: new Float64Array(20 * M), bias: new Float64Array(20) } as const;
    const losses = await Promise.all(
      [openPlain, openEngine].map(async (open) => {
        const engine = await open(dense(rows, "f32"), { weights: own, threads: 1, work: 1 });
        await placeClasses(engine, y, 20);
        const { loss, weight } = totalStats(await engine.pass(step));
        await engine.close();
        expect(loss / weight).toBeCloseTo(Math.log(20), 12);
        return loss;
      }),
    );
    expect(losses[1]).toBe(losses[0]);
  });

  it("does not overflow far from 0", async () => {
    const engine = await openPlain(dense([[1000], [-1000]]));
    await placeClasses(engine, [0, 1], 2);
    const step = { rule: "softmax", k: 1, W: Float64Array.of(5), bias: new Float64Array(1) } as const;
    const sums = totalStats(await engine.pass(step));
    expect(sums.loss).toBe(10_000);
    expect([...sums.HHt]).toEqual([0]);
  });
});

describe("logistic regression", () => {
  it.each([2, 4])("reaches a stationary point of %i classes", async (classes) => {
    const found = await trainOn(dense(rows), classes, 1, weights);
    const { gradient } = naive(found, classes, 0.5, weights);
    for (const g of gradient) expect(Math.abs(g)).toBeLessThan(2e-7);
  });

  it.each([false, true])(
    "reaches the same point by sweeps in 32 bits, to their tolerance (by term: %s)",
    async (byTerm) => {
      const found = await trainOn(dense(rows, "f32"), 4, 1, weights, 1e-6, byTerm);
      const { gradient } = naive(found, 4, 0.5, weights);
      for (const g of gradient) expect(Math.abs(g)).toBeLessThan(1.2e-6);
    },
  );

  const SWEEPS = [
    ["64", "f64", 1e-7, false],
    ["32", "f32", 1e-6, false],
    ["32, each term of a sum by itself,", "f32", 1e-6, true],
  ] as const;
  it.each(SWEEPS)(
    "has the same bits on any threads, dense or sparse, plain or from disk, in %s bits",
    async (...how) => {
      const [, precision, tolerance, isMostlyZero] = how;
      const X = dense(rows, precision);
      const one = await trainOn(X, 4, 1, weights, tolerance, isMostlyZero);
      const kept = storeHere(Sparse.fromDense(X));
      const plan = { k: 4, form: "labels", threads: 1, effort: 1 } as const;
      const stored = await streamSource(kept, { memory: estimateNeed(kept, plan, 1), weights, window: 1 }).open(plan);
      await placeClasses(stored, y, 4);
      const plain = await openPlain(X, { weights });
      await placeClasses(plain, y, 4);
      const others = [
        await trainOn(X, 4, 2, weights, tolerance, isMostlyZero),
        await trainOn(X, 4, 3, weights, tolerance, isMostlyZero),
        await trainOn(Sparse.fromDense(X), 4, 3, weights, tolerance, isMostlyZero),
        await trainLogistic(stored, 4, { penalty: 0.5, tolerance, isMostlyZero }),
        await trainLogistic(plain, 4, { penalty: 0.5, tolerance, isMostlyZero }),
      ];
      await stored.close();
      for (const other of others) {
        expect(bits(other.W)).toBe(bits(one.W));
        expect(bits(other.bias)).toBe(bits(one.bias));
      }
    },
  );

  it("ends at once where it begins at the solution", async () => {
    const engine = await openPlain(dense(rows));
    await placeClasses(engine, y, 4);
    const options = { penalty: 0.5, tolerance: 1e-8 };
    const direct = await trainLogistic(engine, 4, options);
    const again = await trainLogistic(engine, 4, { ...options, start: direct, limit: 1 });
    expect(bits(again.W)).toEqual(bits(direct.W));
  });

  it("counts weight 2 as two copies, and does not depend on the order of the samples", async () => {
    const twice = [...rows, ...rows.filter((_, i) => i % 2 === 0)].reverse();
    const labels = [...y, ...y.filter((_, i) => i % 2 === 0)].reverse();
    const copies = await openPlain(dense(twice));
    await placeClasses(copies, labels, 4);
    const weighed = await openPlain(dense(rows), { weights: Float64Array.from(rows, (_, i) => (i % 2 === 0 ? 2 : 1)) });
    await placeClasses(weighed, y, 4);
    const a = await trainLogistic(copies, 4, { penalty: 1, tolerance: 1e-9 });
    const b = await trainLogistic(weighed, 4, { penalty: 1, tolerance: 1e-9 });
    a.W.forEach((w, p) => {
      expect(w).toBeCloseTo(b.W[p], 6);
    });
  });

  it("stops when asked", async () => {
    const engine = await openPlain(dense(rows));
    await placeClasses(engine, y, 4);
    const options = { penalty: 1, signal: AbortSignal.abort(new Error("enough")) };
    await expect(trainLogistic(engine, 4, options)).rejects.toThrow("enough");
  });
});

describe("minimize", () => {
  it("finds the minimum of a quadratic", async () => {
    const found = await minimize(
      async (x, gradient) => {
        gradient[0] = 2 * (x[0] - 3);
        gradient[1] = 200 * (x[1] + 1);
        return (x[0] - 3) ** 2 + 100 * (x[1] + 1) ** 2;
      },
      new Float64Array(2),
      { tolerance: 1e-9, limit: 100 },
    );
    expect(found.converged).toBe(true);
    expect(found.x[0]).toBeCloseTo(3, 8);
    expect(found.x[1]).toBeCloseTo(-1, 8);
  });

  it("ends where rounding hides progress, and at the limit", async () => {
    const flat = async (_: Float64Array, gradient: Float64Array) => {
      gradient[0] = 1;
      return 1;
    };
    const found = await minimize(flat, new Float64Array(1), { tolerance: 1e-9, limit: 1000 });
    expect(found.converged).toBe(false);
    const short = await minimize(flat, new Float64Array(1), { tolerance: 1e-9, limit: 1 });
    expect(short.evaluations).toBe(1);
  });
});
