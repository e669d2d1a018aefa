import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openPlain } from "../../src/engine/in-memory.js";
import { surveyData } from "../../src/engine/survey.js";
import { METHODS } from "../../src/factor/methods/index.js";
import { seedRun } from "../../src/factor/seed.js";
import { fit, fitTransform } from "../../src/model/fit.js";
import { resolveOptions } from "../../src/model/options.js";
import { dot, flip, type Grid, lossOf, oneHot, stepH, stepW, sumSq, times, unitColumns } from "../oracle.js";
import { ALL, bits, dense, ONE_HOT, randomRows } from "../synthetic.js";

const INITS = ["columns", "sample", "plusplus", "nndsvd", "random"] as const;

/** Small whole numbers: zeros, repeated samples, ties and parallel samples are common. */
const problem = fc
  .record({
    n: fc.integer({ min: 1, max: 12 }),
    m: fc.integer({ min: 1, max: 4 }),
    init: fc.constantFrom(...INITS),
    seed: fc.integer({ min: 0, max: 2 ** 40 }),
    maxIterations: fc.constantFrom(1, 2, 5, 60),
  })
  .chain((shape) => {
    const value = fc.integer({ min: 0, max: 4 });
    const row = fc.array(value, { minLength: shape.m, maxLength: shape.m });
    return fc.record({
      rows: fc.array(row, { minLength: shape.n, maxLength: shape.n }),
      k: fc.integer({ min: 1, max: Math.min(shape.n, 5) }),
      init: fc.constant(shape.init),
      seed: fc.constant(shape.seed),
      maxIterations: fc.constant(shape.maxIterations),
    });
  });

const lengthOf = (x: number[]) => Math.sqrt(dot(x, x));

/** Non-zero samples count once for each direction (or, for k-means, each point). */
function distinct(method: string, rows: number[][]): number {
  if (method === "kmeans") return new Set(rows.map(String)).size;
  const found: number[][] = [];
  for (const x of rows) {
    if (lengthOf(x) === 0) continue;
    if (!found.some((y) => dot(x, y) >= (1 - 1e-12) * lengthOf(x) * lengthOf(y))) found.push(x);
  }
  return found.length;
}

describe.each(ALL)("%s", (method) => {
  const { form, sense } = METHODS[method];
  const climbs = method !== "onmf" && method !== "onmf-ding" && method !== "semi-binary";

  it("keeps its promises on any data", async () => {
    await fc.assert(
      fc.asyncProperty(problem, async ({ rows, ...options }) => {
        const X = dense(rows);
        const steps: number[] = [];
        const { model, H } = await fitTransform(X, {
          ...options,
          method,
          onStep: ({ iteration }) => steps.push(iteration),
        });

        expect(steps).toEqual(model.history.map(({ iteration }) => iteration));
        expect(steps).toEqual(steps.map((_, t) => t + 1));
        expect(model.iterations).toBeLessThanOrEqual(options.maxIterations);
        for (const w of model.W.data) expect(w >= 0 && w < Number.POSITIVE_INFINITY).toBe(true);
        for (const { potential, relativeError } of model.history) {
          expect(Number.isFinite(potential)).toBe(true);
          expect(Number.isFinite(relativeError)).toBe(true);
        }
        expect(model.zeroSamples).toBe(rows.filter((x) => x.every((v) => v === 0)).length);

        // predict and transform on the training data, converged or not.
        expect([...model.predict(X)]).toEqual([...model.labels]);
        expect(H).toEqual(model.transform(X));
        for (const label of model.labels) expect(label).toBeLessThan(options.k);

        if (form !== "real") {
          expect(bits(model.labels)).toBe(bits(model.codes.labels));
          for (let i = 0; i < rows.length; i++) {
            const code = [...H.row(i)];
            expect(code.filter((h) => h !== 0).length).toBeLessThanOrEqual(1);
            if (form === "labels") expect(code[model.labels[i]]).toBe(1);
          }
        }

        if (climbs) {
          const slack = 1e-11 * (sense > 0 ? Math.abs(model.potential) : sumSq(rows));
          model.history.slice(1).forEach(({ potential }, t) => {
            expect(sense * (potential - model.history[t].potential)).toBeGreaterThanOrEqual(-slack);
          });
        }
      }),
      { numRuns: 120 },
    );
  });
});

describe("semi-binary", () => {
  it("never raises the loss in its H step", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), fc.integer({ min: 1, max: 4 }), (seed, k) => {
        const X = flip(randomRows(seed, 12, 5));
        const W = flip(randomRows(seed + 1, k, 5));
        const H = flip(randomRows(seed + 2, 12, k)).map((row) => row.map((h) => (h > 0.5 ? 1 : 0)));
        const after = stepH("semi-binary", X, { W, H });
        expect(lossOf(X, { W, H: after })).toBeLessThanOrEqual(lossOf(X, { W, H }) * (1 + 1e-12));
      }),
    );
  });

  it("keeps H binary", async () => {
    const { codes } = await fit(dense(randomRows(4, 30, 6)), { k: 4, method: "semi-binary" });
    expect(new Set(codes.values)).toEqual(new Set([0, 1]));
  });

  it("begins from codes of the data, not from the floor that multiplicative methods need", async () => {
    // Two blocks of large numbers: the mean entry is far above ½, but half of NNDSVD's H is zero.
    const X = dense(Array.from({ length: 8 }, (_, i) => (i < 4 ? [300, 200, 0, 0] : [0, 0, 200, 100])));
    const engine = await openPlain(X);
    const run = resolveOptions({ k: 2, method: "semi-binary", init: "nndsvd" }, 8, 4);
    await seedRun(engine, METHODS["semi-binary"], run, await surveyData(engine, false, 30), 0);
    const { values } = await engine.gather();
    expect(values!.reduce((ones, bit) => ones + bit, 0)).toBe(8);
  });
});

describe.each(ONE_HOT)("%s at its end", (method) => {
  it("is fixed: another W step and H step change nothing", async () => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const rows = randomRows(seed, 40, 5);
      const model = await fit(dense(rows), { k: 4, method, seed, maxIterations: 2000, tolerance: 1e-15 });
      expect(model.converged).toBe(true);
      const X = method === "spherical" ? unitColumns(flip(rows)) : flip(rows);
      const W: Grid = flip(Array.from({ length: 4 }, (_, j) => [...model.W.row(j)]));
      const H: Grid =
        method === "em-onmf"
          ? oneHot(model.labels, 4).map((row) => row.map((bit, i) => bit * model.codes.values![i]))
          : oneHot(model.labels, 4);
      const nextW = stepW(method, X, { W, H });
      const near = method === "em-onmf" ? 1e-6 : 1e-12;
      nextW.flat().forEach((w, p) => {
        expect(Math.abs(w - W.flat()[p])).toBeLessThan(near);
      });
      const nextH = stepH(method, X, { W: nextW, H });
      expect(nextH[0].map((_, i) => nextH.findIndex((row) => row[i] !== 0))).toEqual([...model.labels]);
    }
  });

  it("has no empty cluster unless there are too few different samples", async () => {
    await fc.assert(
      fc.asyncProperty(problem, async ({ rows, k, init, seed }) => {
        const model = await fit(dense(rows), { k, init, seed, method, maxIterations: 500 });
        if (model.stopped !== "fixed-point" && model.stopped !== "tolerance") return;
        const used = new Set(Array.from(model.labels).filter((_, i) => method === "kmeans" || lengthOf(rows[i]) > 0))
          .size;
        // At least: rounding may spread parallel samples over parallel prototypes.
        expect(used).toBeGreaterThanOrEqual(Math.min(k, distinct(method, rows)));
      }),
      { numRuns: 300 },
    );
  });
});

describe("ties", () => {
  it.each(ONE_HOT)("go to the lowest index in %s", async (method) => {
    const w = [3, 1, 2];
    const model = await fit(
      [
        [1, 0, 0],
        [1, 2, 3],
      ],
      { k: 2, method, init: [w, w], maxIterations: 1 },
    );
    expect([...model.labels]).toEqual([0, 0]);
  });

  it("of equal distances go to the lowest index", async () => {
    // (1,0) is 1 away from both (1,1) and (2,0).
    const X = [
      [1, 0],
      [1, 1],
      [2, 0],
    ];
    const init = [
      [1, 1],
      [2, 0],
    ];
    const model = await fit(X, { k: 2, method: "kmeans", init, maxIterations: 1 });
    expect([...model.labels]).toEqual([0, 0, 1]);
  });

  it("of equal angles go to the lowest index", async () => {
    const X = [
      [1, 1],
      [1, 0],
      [0, 1],
    ];
    const init = [
      [0, 5],
      [5, 0],
    ];
    const model = await fit(X, { k: 2, init, maxIterations: 1 });
    expect([...model.labels]).toEqual([0, 1, 0]);
  });
});

describe("what the potential means", () => {
  it("bonmf's is the samples' length along their prototypes", async () => {
    const rows = randomRows(9, 30, 5);
    const model = await fit(dense(rows), { k: 3, seed: 1 });
    const WtX = times(
      Array.from({ length: 3 }, (_, j) => [...model.W.row(j)]),
      flip(rows),
    );
    const along = rows.reduce((sum, _, i) => {
      const j = model.labels[i];
      return sum + WtX[j][i] / lengthOf([...model.W.row(j)]);
    }, 0);
    expect(along).toBeCloseTo(model.potential, 10);
  });
});
