import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openPlain } from "../../src/engine/in-memory.js";
import { iterate } from "../../src/factor/iterate.js";
import type { Penalties } from "../../src/factor/penalty.js";
import type { Matrix } from "../../src/matrix/matrix.js";
import { Sparse } from "../../src/matrix/sparse.js";
import type { AbortError } from "../../src/model/abort.js";
import { codesToMatrix } from "../../src/model/codes.js";
import { fit, resume } from "../../src/model/fit.js";
import { loadModel, packModel, saveModel } from "../../src/model/model-file.js";
import { type FitOptions, resolveOptions } from "../../src/model/options.js";
import { encodeTensors } from "../../src/model/safetensors.js";
import { flip, type Grid, lossOf, sumSq, times } from "../oracle.js";
import { dense, draws, randomRows, record } from "../synthetic.js";

/** The loss `kullback-leibler`, and penalties: against naive formulas, and what must hold whatever the result. */

type Asked = Pick<FitOptions, "method" | "loss"> & Penalties;

const FREE: Penalties = { l1W: 0, l2W: 0, l1H: 0, l2H: 0 };
const BOTH: Penalties = { l1W: 0.01, l2W: 0.02, l1H: 0.03, l2H: 0.05 };
const CASES: [name: string, asked: Asked][] = [
  ["divergence", { method: "nmf", loss: "kullback-leibler", ...FREE }],
  ["divergence with l1", { method: "nmf", loss: "kullback-leibler", ...FREE, l1W: 0.02, l1H: 0.04 }],
  ["divergence with l1 and l2", { method: "nmf", loss: "kullback-leibler", ...BOTH }],
  ["nmf with l1 and l2", { method: "nmf", ...BOTH }],
  ["hals with l1 and l2", { method: "hals", ...BOTH }],
  ["hals with l1", { method: "hals", ...FREE, l1W: 0.02, l1H: 0.04 }],
];
const STEPWISE = CASES.filter(([, { method }]) => method === "nmf");
const ITERATIONS = 6;

/** D(X‖WH) where X is known, X m × n. */
function divergenceOf(X: Grid, W: Grid, H: Grid): number {
  const WH = times(W, H);
  const terms = X.map((row, f) =>
    row.map((x, i) => (Number.isNaN(x) ? 0 : (x > 0 ? x * Math.log(x / WH[f][i]) : 0) - x + WH[f][i])),
  );
  return terms.flat().reduce((sum, term) => sum + term, 0);
}

function objectiveOf({ loss, l1W, l2W, l1H, l2H }: Asked, X: Grid, W: Grid, H: Grid): number {
  const sum = (A: Grid) => A.flat().reduce((total, value) => total + value, 0);
  const [n, m] = [X[0].length, X.length];
  const penalty = n * (l1W * sum(W) + 0.5 * l2W * sumSq(W)) + m * (l1H * sum(H) + 0.5 * l2H * sumSq(H));
  return loss === undefined ? lossOf(X, { W, H }) + 2 * penalty : divergenceOf(X, W, H) + penalty;
}

/** One factor's multiplicative step: A (p × k) for X (p × q) ≈ A B, with weights of ΣA and ½ΣA². */
function stepOf(loss: Asked["loss"], X: Grid, A: Grid, B: Grid, l1: number, l2: number): Grid {
  const AB = times(A, B);
  if (loss === undefined) {
    const [above, below] = [times(X, flip(B)), times(AB, flip(B))];
    return A.map((row, f) => row.map((a, r) => (a * above[f][r]) / (below[f][r] + l1 + l2 * a)));
  }
  const above = times(
    X.map((row, f) => row.map((x, i) => (x > 0 ? x / AB[f][i] : 0))),
    flip(B),
  );
  return A.map((row, f) =>
    row.map((a, r) => {
      const c = B[r].reduce((sum, b) => sum + b, 0) + l1;
      const product = a * above[f][r];
      if (product === 0) return 0;
      return l2 > 0 ? (-c + Math.sqrt(c * c + 4 * l2 * product)) / (2 * l2) : product / c;
    }),
  );
}

const gridOf = (M: Matrix): Grid =>
  Array.from({ length: M.samples }, (_, i) => Array.from({ length: M.features }, (_, f) => M.at(i, f)));

const near = (actual: Grid, expected: Grid, share: number) => {
  const size = Math.max(...expected.flat().map(Math.abs));
  const off = Math.max(...actual.flatMap((row, i) => row.map((x, j) => Math.abs(x - expected[i][j]))));
  expect(off / size).toBeLessThan(share);
};

describe.each(STEPWISE)("%s against the naive formulas", (_, asked) => {
  it("agrees in W, H, objective and error from any W and H", async () => {
    const problem = { seed: fc.nat(1e6), n: fc.integer({ min: 5, max: 14 }), m: fc.integer({ min: 4, max: 9 }) };
    const shape = fc.record({ ...problem, k: fc.integer({ min: 1, max: 7 }), zeros: fc.constantFrom(0, 0.4) });
    await fc.assert(
      fc.asyncProperty(shape, async ({ seed, n, m, k, zeros }) => {
        if (k > n) return;
        const rows = randomRows(seed, n, m, zeros);
        const X = flip(rows);
        let [W, H] = [flip(randomRows(seed + 1, k, m)), flip(randomRows(seed + 2, n, k))];
        const values = Float64Array.from(flip(H).flat());
        const engine = await openPlain(dense(rows));
        const options = { k, maxIterations: ITERATIONS, tolerance: 0, ...asked };
        const outcome = await iterate(engine, resolveOptions(options, n, m), 0, null, {
          W: Float64Array.from(flip(W).flat()),
          codes: { form: "real", k, labels: null, values },
          history: [],
          repairs: 0,
        });
        for (const moment of outcome.history) {
          W = stepOf(asked.loss, X, W, H, n * asked.l1W, n * asked.l2W);
          H = flip(stepOf(asked.loss, rows, flip(H), flip(W), m * asked.l1H, m * asked.l2H));
          const objective = objectiveOf(asked, X, W, H);
          // Little is left of the terms where the approximation is close.
          expect(Math.abs(moment.potential - objective)).toBeLessThan(1e-10 * (objective + sumSq(X)));
          const error = Math.sqrt(lossOf(X, { W, H }) / sumSq(X));
          expect(Math.abs(moment.relativeError ** 2 - error ** 2)).toBeLessThan(1e-12);
        }
        expect(outcome.history.length).toBe(ITERATIONS);
        near(
          flip(gridOf(dense([...Array(k).keys()].map((r) => [...outcome.W.subarray(r * m, (r + 1) * m)])))),
          W,
          1e-9,
        );
        near(flip(gridOf(codesToMatrix(await engine.gather()))), H, 1e-9);
      }),
      { numRuns: 30, seed: 1 },
    );
  });
});

describe.each(CASES)("%s", (_, asked) => {
  const rows = randomRows(3, 700, 9, 0.4).map((row) => row.map((x) => Math.round(8 * x)));
  rows[5].fill(0);
  const X = dense(rows);
  const options = { k: 4, seed: 2, maxIterations: 60, tolerance: 0, ...asked };

  it("never raises its objective, which is that of the model's factors", async () => {
    for (const init of ["nndsvd", "random", "sample"] as const) {
      const model = await fit(X, { ...options, init });
      model.history.forEach(({ potential }, t) => {
        if (t > 0) expect(potential).toBeLessThanOrEqual(model.history[t - 1].potential * (1 + 1e-12));
      });
      const objective = objectiveOf(asked, flip(rows), flip(gridOf(model.W)), flip(gridOf(model.H)));
      expect(Math.abs(model.potential / objective - 1)).toBeLessThan(1e-9);
    }
  });

  it("takes a sample of weight 2 as two samples", async () => {
    const few = rows.slice(0, 60);
    const init = few.slice(10, 14).map((row) => row.map((x) => x + 0.5));
    const how = { ...options, init, maxIterations: 12 };
    const weights = few.map((_, i) => 1 + (i % 2));
    const heavy = await fit(dense(few), { ...how, weights });
    const twice = await fit(dense(few.flatMap((row, i) => (i % 2 === 1 ? [row, row] : [row]))), how);
    near(gridOf(heavy.W), gridOf(twice.W), 1e-9);
    expect(Math.abs(heavy.potential / twice.potential - 1)).toBeLessThan(1e-9);
  });

  it("gives the same bits from dense and sparse samples, zeros stored or not, on one thread and three", async () => {
    const model = await fit(X, { ...options, threads: 1 });
    const sparse = Sparse.fromDense(X);
    expect(record(await fit(sparse, { ...options, threads: 3 }))).toEqual(record(model));
    const all = new Sparse(
      X.samples,
      X.features,
      Uint32Array.from({ length: X.samples + 1 }, (_, i) => i * X.features),
      Uint32Array.from({ length: X.data.length }, (_, p) => p % X.features),
      X.data.slice(),
    );
    expect(record(await fit(all, options))).toEqual(record(model));
  });

  it("predicts its own labels, transforms as fitTransform does, and ends at the codes of its objective", async () => {
    const model = await fit(X, { ...options, maxIterations: 300 });
    expect([...model.predict(X)]).toEqual([...model.labels]);
    const H = model.transform(X);
    expect(gridOf(loadModel(saveModel(model)).transform(X))).toEqual(gridOf(H));
    const own = objectiveOf(asked, flip(rows), flip(gridOf(model.W)), flip(gridOf(H)));
    expect(own).toBeLessThan(model.potential * (1 + 1e-3));
  });

  it("is continued to the same bits, from a file too", async () => {
    const whole = await fit(X, options);
    const stop = new AbortController();
    const watch = {
      signal: stop.signal,
      onStep: ({ iteration }: { iteration: number }) => iteration === 7 && stop.abort(),
    };
    const error = await fit(X, { ...options, ...watch }).catch((reason: unknown) => reason);
    const { model } = error as AbortError;
    expect(model?.iterations).toBe(7);
    expect(record(await resume(loadModel(saveModel(model!)), X))).toEqual(record(whole));
  });
});

it.each([0.1, 0.7])("the divergence of known entries with penalties never rises, %s missing", async (share) => {
  const next = draws(11);
  const rows = randomRows(10, 400, 8, 0.3).map((row, i) =>
    row.map((x, f) => (next() < share && f !== i % 8 ? Number.NaN : x)),
  );
  const asked = { method: "nmf", loss: "kullback-leibler", ...BOTH } as const;
  const model = await fit(dense(rows), { k: 3, ...asked, missing: "mask", tolerance: 0, maxIterations: 40 });
  model.history.forEach(({ potential }, t) => {
    if (t > 0) expect(potential).toBeLessThanOrEqual(model.history[t - 1].potential * (1 + 1e-12));
  });
  const objective = objectiveOf(asked, flip(rows), flip(gridOf(model.W)), flip(gridOf(model.H)));
  expect(Math.abs(model.potential / objective - 1)).toBeLessThan(1e-9);
  const missing = rows.flat().filter(Number.isNaN).length;
  expect(missing / rows.flat().length).toBeCloseTo(share * (1 - 1 / 8), 1);
});

it.each([FREE, BOTH])("codes of new samples are no worse than those of plain steps, %j", async (penalties) => {
  const rows = randomRows(12, 60, 12, 0.5);
  const asked = { method: "nmf", loss: "kullback-leibler", ...penalties } as const;
  const model = await fit(dense(rows), { k: 5, ...asked, maxIterations: 30 });
  const fresh = randomRows(13, 40, 12, 0.5);
  const W = flip(gridOf(model.W));
  const found = gridOf(model.transform(dense(fresh)));
  fresh.forEach((row, i) => {
    let H: Grid = [[1, 1, 1, 1, 1]];
    for (let step = 0; step < 200; step++) H = stepOf(asked.loss, [row], H, flip(W), 12 * asked.l1H, 12 * asked.l2H);
    const free = { ...asked, l1W: 0, l2W: 0 };
    const [ours, plain] = [[found[i]], H].map((h) => objectiveOf(free, flip([row]), W, flip(h)));
    expect(ours).toBeLessThan(plain * (1 + 1e-5));
  });
});

it("the divergence of X · 4 is four times that of X, with the same labels", async () => {
  const rows = randomRows(8, 300, 7, 0.3);
  const options = { k: 3, method: "nmf", loss: "kullback-leibler", init: "sample", maxIterations: 40 } as const;
  const model = await fit(dense(rows), options);
  const large = await fit(dense(rows.map((row) => row.map((x) => 4 * x))), options);
  expect(large.potential).toBe(4 * model.potential);
  expect([...large.labels]).toEqual([...model.labels]);
});

it("one component ends at the divergence of independence after one iteration", async () => {
  const rows = randomRows(9, 40, 6, 0.2);
  const model = await fit(dense(rows), {
    k: 1,
    method: "nmf",
    loss: "kullback-leibler",
    maxIterations: 2,
    tolerance: 0,
  });
  const totals = flip(rows).map((column) => column.reduce((sum, x) => sum + x, 0));
  const all = totals.reduce((sum, x) => sum + x, 0);
  const expected = rows.map((row) => totals.map((total) => (total * row.reduce((sum, x) => sum + x, 0)) / all));
  const D = divergenceOf(
    rows,
    expected,
    [...Array(6).keys()].map((f) => [...Array(6).keys()].map((g) => +(f === g))),
  );
  expect(Math.abs(model.potential / D - 1)).toBeLessThan(1e-9);
});

it("l1 makes zeros, and components that nothing uses stay so", async () => {
  const next = draws(4);
  const rows = randomRows(4, 200, 12).map((row) => row.map((x) => x * next()));
  const zeros = async (l1: number) => {
    const model = await fit(dense(rows), { k: 5, method: "hals", l1W: l1, l1H: l1, maxIterations: 100 });
    expect(model.settings.emptyClusters).toBe(l1 > 0 ? "keep" : "reseed");
    return gridOf(model.H)
      .flat()
      .filter((h) => h === 0).length;
  };
  expect(await zeros(0.05)).toBeGreaterThan((await zeros(0)) + 100);
  const none = await fit(dense(rows), { k: 2, method: "hals", l1W: 100, l1H: 100 });
  expect([none.dead, none.repairs]).toEqual([[0, 1], 0]);
});

it("a feature that no prototype has leaves the divergence a number", async () => {
  const rows = randomRows(5, 30, 4);
  const init = randomRows(6, 2, 4).map((row) => [...row.slice(0, 3), 0]);
  const model = await fit(dense(rows), { k: 2, method: "nmf", loss: "kullback-leibler", init, maxIterations: 20 });
  expect(Number.isFinite(model.potential)).toBe(true);
  expect(model.W.at(0, 3)).toBe(0);
});

it("files of earlier versions have the squared error and no penalties", async () => {
  const model = await fit(dense(randomRows(7, 30, 5)), { k: 2, method: "nmf" });
  const { tensors, metadata } = packModel(model);
  const fields = JSON.parse(metadata.model);
  for (const name of ["loss", "l1W", "l2W", "l1H", "l2H"]) delete fields.settings[name];
  const old = loadModel(encodeTensors(tensors, { ...metadata, model: JSON.stringify(fields) }));
  expect(old.settings).toEqual(model.settings);
});

it.each<[Partial<FitOptions>, RegExp]>([
  [{ method: "hals", loss: "kullback-leibler" }, /belongs to method "nmf", not "hals"/],
  [{ method: "nmf", loss: "itakura-saito" as "frobenius" }, /choose one of "frobenius", "kullback-leibler"/],
  [{ method: "kmeans", l1H: 1 }, /l1H is for method "nmf" or "hals", not "kmeans"/],
  [{ method: "nmf", l2W: -1 }, /l2W must be a number, 0 or more/],
  [{ method: "hals", l2H: 1, missing: "mask" }, /with the squared error takes no penalties: omit/],
])("refuses %j", async (options, message) => {
  await expect(fit(randomRows(1, 20, 4), { k: 2, ...options })).rejects.toThrow(message);
});
