import { describe, expect, it } from "vitest";
import type { Engine } from "../../src/engine/engine.js";
import { openEngine, openPlain } from "../../src/engine/in-memory.js";
import { estimateNeed, streamSource } from "../../src/engine/out-of-core.js";
import { totalStats } from "../../src/engine/stats.js";
import { iterate } from "../../src/factor/iterate.js";
import type { Step } from "../../src/kernel/step.js";
import { gridFor, type Sums } from "../../src/kernel/sums.js";
import { Dense } from "../../src/matrix/dense.js";
import type { Matrix } from "../../src/matrix/matrix.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { fit } from "../../src/model/fit.js";
import { resolveOptions } from "../../src/model/options.js";
import { isThorough } from "../budget.js";
import { bits, codeBits, draws } from "../synthetic.js";
import { storeHere } from "./stored.js";

/** Samples with signs: bounds, 16-bit scores and exact sums hold for them too, so every engine gives the plain one's bits. */
const METHODS = ["bonmf", "spherical", "kmeans"] as const;

/** Samples around k centres on both sides of the origin, with opposite pairs, zeros and very different lengths. */
function signedRows(seed: number, n: number, m: number, k: number, zeros: number): number[][] {
  const next = draws(seed);
  const normal = () => next() + next() + next() + next() - 2;
  const centres = Array.from({ length: k }, () => Array.from({ length: m }, () => 2 * normal()));
  const rows = Array.from({ length: n }, (_, i) =>
    centres[i % k].map((c) => (next() < zeros ? 0 : (c + 2 * normal()) * [1, 1, 1e-3, 40][i % 4])),
  );
  rows[1] = rows[0].map((x) => -x);
  rows[n >> 1].fill(0);
  return rows;
}

/** [n, m, k, share of zeros, what it meets] */
const SHAPES = [
  [900, 5, 3, 0, "Hamerly"],
  [900, 16, 7, 0, "16 bits first"],
  [700, 70, 13, 0, "16 bits first, several panels"],
  [300, 130, 60, 0, "Yinyang"],
  [700, 60, 9, 0.8, "CSR"],
  [250, 310, 100, 0.8, "CSR, Yinyang"],
] as const;

type Open = (X: Matrix, weights: Float64Array | null, k: number) => Promise<Engine>;
const ENGINES: Record<string, Open> = {
  kernels: (X, weights) => openEngine(X, { weights, threads: 1, work: 0 }),
  "2 threads": (X, weights) => openEngine(X, { weights, threads: 2, work: 0 }),
  stored(X, weights, k) {
    const stored = storeHere(X);
    const plan = { k, form: "labels", threads: 1, effort: 1 } as const;
    return streamSource(stored, { memory: estimateNeed(stored, plan, 1), weights, window: 1 }).open(plan);
  },
};

const sumBits = ({ XHt, HHt, products: _, ...rest }: Sums) => ({ XHt: bits(XHt), HHt: bits(HHt), ...rest });

describe.each(SHAPES)("%i × %i, k %i, %f zeros: %s", (n, m, k, zeros) => {
  const rows = signedRows(n + m, n, m, k, zeros);
  const weights = Float64Array.from(rows, (_, i) => (i % 5 === 0 ? 0 : 1 + (i % 7) / 3));
  const precisions = isThorough ? (["f32", "f64"] as const) : (["f32"] as const);

  it.each(METHODS)("%s: whole runs are the plain engine's to the bit", async (method) => {
    for (const precision of precisions) {
      const X = Dense.from(rows, precision);
      for (const [w, init] of [
        [null, "plusplus"],
        [weights, "sample"],
      ] as const) {
        const run = resolveOptions({ k, method, seed: 3, init }, n, m);
        const expected = await openPlain(X, { weights: w });
        const outcome = await iterate(expected, run, 3, null);
        expect(outcome.history.length).toBeGreaterThan(1);
        for (const [name, open] of Object.entries(ENGINES)) {
          for (const own of [X, Sparse.fromDense(X)]) {
            const engine = await open(own, w, k);
            const other = await iterate(engine, run, 3, null);
            expect({ name, W: bits(other.W), history: other.history }).toEqual({
              name,
              W: bits(outcome.W),
              history: outcome.history,
            });
            expect(codeBits(await engine.gather())).toEqual(codeBits(await expected.gather()));
            await engine.close();
          }
        }
        // Cosines of means: what rises never falls.
        if (method !== "kmeans") {
          outcome.history.forEach(({ potential }, t) => {
            if (t > 0) expect(potential).toBeGreaterThanOrEqual(outcome.history[t - 1].potential * (1 - 1e-12));
          });
        }
      }
    }
  });

  it.each(["cosine", "distance"] as const)("%s: any prototypes may follow any others", async (rule) => {
    const next = draws(9);
    const X = Dense.from(rows);
    const most = Array.from({ length: m }, (_, f) => rows.reduce((most, row) => Math.max(most, Math.abs(row[f])), 0));
    const exact = { grid: Float64Array.from(most, (x) => gridFor(n * x)), weightGrid: gridFor(n) };
    const random = () => Float64Array.from({ length: k * m }, () => 4 * next() - 2);
    const first = random();
    // A zero prototype that gets a direction whose values add up to 0, and the other way round.
    const zeroed = first.slice().fill(0, 0, m);
    const balanced = zeroed.slice();
    balanced[0] = 1;
    balanced[1] = -1;
    const turned = first.map((w) => -w);
    const near = first.map((w) => w * (1 + 1e-4 * next()));
    const steps = [first, near, zeroed, balanced, zeroed, turned, first, first, random()].map(
      (W): Step => ({ rule, k, W, ...exact }),
    );
    const plain = await openPlain(X);
    const kernels = await openEngine(X, { weights: null, threads: 1, work: 0 });
    for (const step of steps) {
      const expected = sumBits(totalStats(await plain.pass(step)));
      expect(sumBits(totalStats(await kernels.pass(step)))).toEqual(expected);
      expect(codeBits(await kernels.gather())).toEqual(codeBits(await plain.gather()));
    }
    await kernels.close();
  });
});

describe("a model of signed samples", () => {
  const rows = signedRows(4, 500, 14, 5, 0);

  it.each(METHODS)("%s predicts its labels, and is the same on any number of threads", async (method) => {
    const options = { k: 5, method, seed: 2, init: "plusplus", restarts: 3 } as const;
    const model = await fit(rows, options);
    expect([...model.predict(rows)]).toEqual([...model.labels]);
    expect(model.W.data.some((w) => w < 0)).toBe(true);
    const other = await fit(rows, { ...options, threads: 2 });
    expect(bits(other.W.data)).toBe(bits(model.W.data));
    expect(bits((await fit(Sparse.fromDense(Dense.from(rows)), options)).W.data)).toBe(bits(model.W.data));
  });

  it.each(["columns", "sample", "plusplus", "nndsvd", "random"] as const)("starts from %s", async (init) => {
    for (const method of METHODS) {
      const model = await fit(rows, { k: 5, method, init });
      expect(model.converged).toBe(true);
      expect(model.counts.every((count) => count > 0)).toBe(true);
    }
  });

  it("turns with the samples: −X has the labels of X", async () => {
    for (const method of METHODS) {
      const options = { k: 5, method, seed: 2, init: "plusplus" } as const;
      const turned = await fit(
        rows.map((row) => row.map((x) => -x)),
        options,
      );
      expect([...turned.labels]).toEqual([...(await fit(rows, options)).labels]);
    }
  });

  it("fills empty clusters with signed samples", async () => {
    const init = rows.slice(0, 5).map((row, j) => (j < 3 ? row : row.map(() => 0)));
    const model = await fit(rows, { k: 5, init });
    expect(model.repairs).toBeGreaterThan(0);
    expect(model.counts.every((count) => count > 0)).toBe(true);
  });
});
