import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openPlain } from "../../src/engine/in-memory.js";
import { type Checkpoint, iterate, type Outcome } from "../../src/factor/iterate.js";
import { takesSigned } from "../../src/factor/methods/index.js";
import type { MethodName } from "../../src/factor/settings.js";
import type { Matrix } from "../../src/matrix/matrix.js";
import { codesToMatrix } from "../../src/model/codes.js";
import { fit } from "../../src/model/fit.js";
import { resolveOptions } from "../../src/model/options.js";
import { flip, type Grid, leeSeungW, normaliseH, oneHot, runOracle, stepW } from "../oracle.js";
import { dense, ONE_HOT, REAL, randomRows } from "../synthetic.js";

const ITERATIONS = 7;

const problem = fc.record({
  seed: fc.integer({ min: 0, max: 2 ** 31 }),
  n: fc.integer({ min: 5, max: 14 }),
  m: fc.integer({ min: 4, max: 7 }),
  k: fc.integer({ min: 1, max: 4 }),
  zeros: fc.constantFrom(0, 0.3),
});

function gridOf(M: Matrix): Grid {
  return Array.from({ length: M.samples }, (_, i) => Array.from({ length: M.features }, (_, f) => M.at(i, f)));
}

/** Prototypes that differ enough for the pseudo-inverse not to magnify rounding. */
function apart(seed: number, k: number, m: number): Grid {
  return randomRows(seed, k, m).map((row, j) => row.map((w, f) => (f === j ? w + 2 : w)));
}

function expectClose(actual: Grid, expected: Grid): void {
  const size = Math.max(...expected.flat().map(Math.abs), 1e-300);
  actual.forEach((row, i) => {
    row.forEach((x, j) => {
      expect(Math.abs(x - expected[i][j]) / size, `entry ${i}, ${j}: ${x} is not ${expected[i][j]}`).toBeLessThan(1e-9);
    });
  });
  expect([actual.length, actual[0].length]).toEqual([expected.length, expected[0].length]);
}

type Look = { potential: number; relativeError: number };

function expectSameHistory(actual: readonly Look[], expected: readonly Look[]): void {
  expect(actual.length).toBe(expected.length);
  actual.forEach((moment, t) => {
    const { potential, relativeError } = expected[t];
    // The loss is what is left of ‖X‖²: where that is little, rounding shows.
    const off = 5e-10 + 1e-15 / relativeError ** 2;
    expect(Math.abs(moment.potential / potential - 1)).toBeLessThan(off);
    expect(Math.abs(moment.relativeError / relativeError - 1)).toBeLessThan(off);
  });
}

/** Goes on from any W and H, with no history behind it. */
async function runFrom(X: Matrix, method: MethodName, from: Checkpoint): Promise<{ outcome: Outcome; H: Grid }> {
  const engine = await openPlain(X);
  const fixed = { maxIterations: ITERATIONS, tolerance: 0, emptyClusters: "keep" } as const;
  const options = { k: from.codes.k, method, ...fixed };
  const outcome = await iterate(engine, resolveOptions(options, X.samples, X.features), 0, null, from);
  return { outcome, H: flip(gridOf(codesToMatrix(await engine.gather()))) };
}

describe.each(ONE_HOT)("%s against the naive formulas", (method) => {
  it.each([0, 0.5])("agrees in W, H, potential and error, iteration by iteration; moved by %f", async (moved) => {
    if (moved > 0 && !takesSigned(method)) return;
    const move = (rows: Grid) => rows.map((row) => row.map((x) => x - moved));
    await fc.assert(
      fc.asyncProperty(problem, async ({ seed, n, m, k, zeros }) => {
        const rows = move(randomRows(seed, n, m, zeros));
        const init = move(randomRows(seed + 1, k, m));
        const options = { k, method, init, maxIterations: ITERATIONS, tolerance: 0, emptyClusters: "keep" } as const;
        const model = await fit(dense(rows), options);
        const oracle = runOracle(method, flip(rows), flip(init), model.iterations);
        expectClose(flip(gridOf(model.W)), oracle.W);
        expectClose(flip(gridOf(model.H)), oracle.H);
        expectSameHistory(model.history, oracle.history);
      }),
      { numRuns: 40, seed: 1 },
    );
  });
});

describe.each(REAL)("%s against the naive formulas", (method) => {
  const settle = method === "onmf-ding" ? normaliseH : (factors: { W: Grid; H: Grid }) => factors;

  it("agrees from a given W, whose H⁰ is the floored pseudo-inverse solution", async () => {
    await fc.assert(
      fc.asyncProperty(problem, async ({ seed, n, m, k, zeros }) => {
        const rows = randomRows(seed, n, m, zeros);
        const init = apart(seed + 1, k, m);
        const options = { k, method, init, maxIterations: ITERATIONS, tolerance: 0 } as const;
        const model = await fit(dense(rows), options);
        expect(model.iterations).toBe(ITERATIONS);
        const oracle = runOracle(method, flip(rows), flip(init), ITERATIONS);
        const own = settle({ W: flip(gridOf(model.W)), H: flip(gridOf(model.H)) });
        expectClose(own.W, oracle.W);
        expectClose(own.H, oracle.H);
        expectSameHistory(model.history, oracle.history);
      }),
      { numRuns: 30, seed: 1 },
    );
  });

  it("agrees from any W and H", async () => {
    await fc.assert(
      fc.asyncProperty(problem, async ({ seed, n, m, k, zeros }) => {
        const rows = randomRows(seed, n, m, zeros);
        const W = randomRows(seed + 1, k, m, zeros);
        const codes = randomRows(seed + 2, n, k, zeros).map((row) =>
          row.map((h) => (method === "semi-binary" ? Math.round(Math.min(1, h)) : h)),
        );
        const { outcome, H } = await runFrom(dense(rows), method, {
          W: Float64Array.from(W.flat()),
          codes: { form: "real", k, labels: null, values: Float64Array.from(codes.flat()) },
          history: [],
          repairs: 0,
        });
        const oracle = runOracle(method, flip(rows), flip(W), ITERATIONS, { H: flip(codes) });
        const own = settle({ W: flip(gridOf(dense(chunk(outcome.W, m)))), H });
        expectClose(own.W, oracle.W);
        expectClose(own.H, oracle.H);
        expectSameHistory(outcome.history, oracle.history);
      }),
      { numRuns: 30, seed: 1 },
    );
  });
});

const chunk = (W: Float64Array, m: number): Grid =>
  Array.from({ length: W.length / m }, (_, j) => [...W.subarray(j * m, (j + 1) * m)]);

describe("options", () => {
  it.each([0, 0.25, 3])("onmf takes alpha %d", async (alpha) => {
    const rows = randomRows(5, 12, 6);
    const init = randomRows(6, 3, 6);
    const options = { k: 3, method: "onmf", alpha, init, maxIterations: ITERATIONS } as const;
    const model = await fit(dense(rows), options);
    const oracle = runOracle("onmf", flip(rows), flip(init), ITERATIONS, { alpha });
    expectClose(gridOf(model.W), flip(oracle.W));
    expectSameHistory(model.history, oracle.history);
  });

  it("semi-binary takes several sweeps", async () => {
    const rows = randomRows(7, 40, 6);
    const init = randomRows(8, 4, 6);
    const H = async (sweeps: number) => {
      const options = { k: 4, method: "semi-binary", sweeps, init, maxIterations: ITERATIONS, tolerance: 0 } as const;
      return flip(gridOf((await fit(dense(rows), options)).H));
    };
    for (const sweeps of [1, 2, 3]) {
      expect(await H(sweeps)).toEqual(runOracle("semi-binary", flip(rows), flip(init), ITERATIONS, { sweeps }).H);
    }
  });
});

describe('bonmf with update: "multiplicative", the paper to the letter', () => {
  it("agrees with Algorithm 1, real-valued first step included", async () => {
    await fc.assert(
      fc.asyncProperty(problem, async ({ seed, n, m, k, zeros }) => {
        const rows = randomRows(seed, n, m, zeros);
        const init = apart(seed + 1, k, m);
        const options = { k, init, update: "multiplicative", maxIterations: ITERATIONS } as const;
        const model = await fit(dense(rows), options);
        expect(model.settings.emptyClusters).toBe("keep");
        const oracle = runOracle("bonmf", flip(rows), flip(init), model.iterations, { multiplicative: true });
        expectClose(gridOf(model.W), flip(oracle.W));
        expectClose(gridOf(model.H), flip(oracle.H));
        expectSameHistory(model.history, oracle.history);
      }),
      { numRuns: 40, seed: 1 },
    );
  });

  it("takes the pseudo-inverse where prototypes repeat, as they must for k > 30 longest samples", async () => {
    const rows = randomRows(11, 30, 6);
    const few = randomRows(12, 3, 6);
    const init = [...few, ...few, few[0]];
    const model = await fit(dense(rows), { k: 7, init, update: "multiplicative", maxIterations: 1 });
    const oracle = runOracle("bonmf", flip(rows), flip(init), 1, { multiplicative: true });
    expectClose(gridOf(model.W), flip(oracle.W));
    // Rounding decides between copies of a prototype; which original wins is not its to decide.
    const originals = flip(oracle.H).map((h) => h.indexOf(1) % 3);
    expect(Array.from(model.labels, (label) => label % 3)).toEqual(originals);
  });

  it("has the cluster mean as its W step wherever W > 0", () => {
    fc.assert(
      fc.property(problem, ({ seed, n, m, k, zeros }) => {
        const X = flip(randomRows(seed, n, m, zeros));
        const W = flip(randomRows(seed + 1, k, m, 0.2));
        const H = oneHot(
          Array.from({ length: n }, (_, i) => i % k),
          k,
        );
        const paper = leeSeungW(X, { W, H });
        const mean = stepW("bonmf", X, { W, H });
        paper.forEach((row, f) => {
          row.forEach((w, j) => {
            expect(w).toBeCloseTo(W[f][j] > 0 ? mean[f][j] : 0, 14);
          });
        });
      }),
    );
  });

  it("therefore differs from the mean only in zeros that stay zero", async () => {
    const rows = randomRows(21, 20, 5);
    const init = randomRows(22, 2, 5);
    init[0][3] = 0;
    const paper = await fit(dense(rows), { k: 2, init, update: "multiplicative", maxIterations: 6 });
    expect(paper.W.at(0, 3)).toBe(0);
    const mean = await fit(dense(rows), { k: 2, init, maxIterations: 6 });
    expect(mean.W.at(0, 3)).toBeGreaterThan(0);
  });
});
