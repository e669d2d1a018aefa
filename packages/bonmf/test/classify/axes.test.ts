import { describe, expect, it } from "vitest";
import { areAxesCheap, divideAlong, findAxes } from "../../src/classify/axes.js";
import { guessCurvature } from "../../src/classify/curvature.js";
import { placeClasses, trainLogistic } from "../../src/classify/logistic.js";
import { openEngine } from "../../src/engine/in-memory.js";
import { Dense } from "../../src/matrix/dense.js";
import { draws } from "../synthetic.js";

// 60 features that say much the same: sums of 30 that do not, one after the other less of them.
const n = 1200;
const m = 60;
const next = draws(3);
const MIX = Float64Array.from({ length: 30 * m }, () => next() - 0.5);
const X = Dense.zeros(n, m, "f64");
const y = new Uint32Array(n);
for (let i = 0; i < n; i++) {
  const hidden = Array.from({ length: 30 }, (_, h) => (next() - 0.5) / (1 + h));
  for (let f = 0; f < m - 1; f++) {
    hidden.forEach((h, at) => {
      X.data[i * m + f] += h * MIX[f * 30 + at];
    });
  }
  // Classes that a line divides: the search is long.
  y[i] = hidden[1] > 0.1 ? 1 : hidden[0] + 2 * hidden[2] > 0 ? 2 : 0;
}

describe("axes of samples", () => {
  it("hold the squares of what features share, and leave the rest", () => {
    const { axes, squares, rest } = findAxes(X);
    expect(squares).toHaveLength(15);
    // 59 features of mean square 1; one has no values.
    const held = squares.reduce((sum, square) => sum + square, 0);
    expect(held).toBeGreaterThan(0.8 * 59);
    expect(held).toBeLessThan(59);
    expect(rest).toBeGreaterThan(0);
    expect(rest).toBeLessThan(0.3);
    for (let a = 0; a < 15; a++) expect(axes[a * m + m - 1]).toBe(0);
  });

  it("divide by the roots of their squares, and by that of the rest", () => {
    // Five axes: not a multiple of those taken at a time.
    const axes = new Float64Array(5 * 6);
    for (let a = 0; a < 5; a++) axes[a * 6 + a] = 1;
    const row = new Float64Array(6).fill(1);
    const given = { axes, squares: Float64Array.of(100, 64, 25, 16, 4), rest: 0.25 };
    const rounded = (row: Float64Array) => [...row].map((x) => Math.round(1e12 * x) / 1e12);
    expect(divideAlong(given, row, 0)).toBe(2);
    expect(rounded(row)).toEqual([0.1, 0.125, 0.2, 0.25, 0.5, 2]);
    // Where the penalty is all, every direction is the same.
    divideAlong(given, row.fill(3), 1);
    expect(rounded(row)).toEqual([3, 3, 3, 3, 3, 3]);
  });

  it("lead to the same coefficients in fewer sweeps where classes are well divided", async () => {
    const sizes = Float64Array.of(0, 0, 0);
    for (const c of y) sizes[c]++;
    const train = async (hasAxes: boolean) => {
      const engine = await openEngine(X, { weights: null, threads: 1, work: 1 });
      let sweeps = 0;
      const counted: typeof engine = {
        ...engine,
        samples: n,
        features: m,
        pass: (step, signal) => {
          sweeps++;
          return engine.pass(step, signal);
        },
      };
      await placeClasses(engine, y, 3);
      const first = guessCurvature(X, null, sizes, hasAxes ? findAxes(X) : null);
      const found = await trainLogistic(counted, 3, { penalty: 0.01, tolerance: 1e-7, first });
      await engine.close();
      return { W: found.W, sweeps };
    };
    const [plain, led] = [await train(false), await train(true)];
    expect(led.sweeps).toBeLessThan(0.9 * plain.sweeps);
    const most = plain.W.reduce((max, w) => Math.max(max, Math.abs(w)), 0);
    led.W.forEach((w, p) => {
      expect(Math.abs(w - plain.W[p])).toBeLessThan(1e-3 * most);
    });
  });

  it("are asked for where the sweeps they save take longer", () => {
    expect(areAxesCheap(10_000, 10)).toBe(true);
    expect(areAxesCheap(400, 40)).toBe(true);
    expect(areAxesCheap(1000, 1)).toBe(false);
  });
});
