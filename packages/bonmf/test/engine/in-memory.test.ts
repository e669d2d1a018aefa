/** The WebAssembly engine against the plain one, to the bit: SIMD, pruning and moving sums change nothing. */
import { describe, expect, it } from "vitest";
import type { Engine } from "../../src/engine/engine.js";
import { openPlain, openShard, shardOf } from "../../src/engine/in-memory.js";
import { pool } from "../../src/engine/pool.js";
import { blockSize, totalStats } from "../../src/engine/stats.js";
import { surveyData } from "../../src/engine/survey.js";
import { iterate } from "../../src/factor/iterate.js";
import { Dense, type Precision } from "../../src/matrix/dense.js";
import type { Matrix } from "../../src/matrix/matrix.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { type FitOptions, resolveOptions } from "../../src/model/options.js";
import { Random } from "../../src/random.js";
import { budget, isThorough } from "../budget.js";

/** Overlapping groups of samples with many zeros, exact duplicates, near-duplicates and an all-zero sample. */
function makeSamples(n: number, m: number, precision: Precision): Dense {
  const random = new Random(n + m);
  const X = Dense.zeros(n, m, precision);
  for (let i = 0; i < n; i++) {
    const group = i % 13;
    for (let f = 0; f < m; f++) {
      const high = (f * 7 + group * 3) % 13 < 5;
      X.data[i * m + f] = random.next() < 0.3 ? 0 : (high ? 5 : 1) * random.next();
    }
  }
  X.data.fill(0, 5 * m, 6 * m);
  for (let i = 20; i < n; i += 20) {
    X.row(i).set(X.row(i - 1));
    if (i % 40 === 0) X.data[i * m] += 1e-6;
  }
  return X;
}

async function run(engine: Engine, options: FitOptions) {
  const settled = resolveOptions(options, engine.samples, engine.features);
  const outcome = await iterate(engine, settled, options.seed ?? 0, null);
  return { ...outcome, codes: await engine.gather() };
}

async function expectSame(engine: Engine, X: Matrix, weights: Float64Array | null, options: FitOptions) {
  const plain = await run(await openPlain(X, { weights }), options);
  const quick = await run(engine, options);
  expect(quick.history).toEqual(plain.history);
  expect(quick.codes.labels).toEqual(plain.codes.labels);
  expect(quick.W).toEqual(plain.W);
  expect([quick.stopped, quick.repairs]).toEqual([plain.stopped, plain.repairs]);
  return quick;
}

describe.each([
  { n: 1200, m: 20, k: 7, why: "too little work for bounds" },
  { n: 900, m: 190, k: 11, why: "one panel, and bounds for each prototype" },
  { n: 500, m: 400, k: 20, why: "fewer groups than are looked at at a time" },
  { n: 700, m: 400, k: 37, why: "several groups" },
  { n: 600, m: 120, k: 130, why: "groups of several panels" },
  { n: 801, m: 3, k: 2, why: "three features" },
  { n: 2003, m: 12, k: 6, why: "small samples, an even number of prototypes" },
  { n: 1006, m: 5, k: 13, why: "small samples, an odd number of prototypes" },
  { n: 517, m: 7, k: 1, why: "one prototype" },
  { n: 700, m: 30, k: 14, why: "a last panel with few columns" },
])("$n × $m, k = $k: $why", ({ n, m, k }) => {
  describe.each(["f32", "f64"] as const)("%s", (precision) => {
    it.each(["dense", "sparse", "sparse but full"])("%s", async (kind) => {
      const X = makeSamples(n, m, precision);
      const random = new Random(7);
      if (kind === "sparse") for (let p = 0; p < X.data.length; p++) if (random.next() < 0.5) X.data[p] = 0;
      const samples = kind === "dense" ? X : Sparse.fromDense(X);
      const weights = Float64Array.from({ length: n }, () => 3 * random.next());
      const cases = (["bonmf", "kmeans", "spherical"] as const).flatMap((method) => [
        { method, w: null },
        { method, w: weights },
      ]);
      // One shape has every other case, the next one the others.
      for (const { method, w } of cases.filter((_, c) => isThorough || (c + k) % 2 === 0)) {
        const options: FitOptions = { k, method, seed: 1, init: "sample", maxIterations: budget(10, 25) };
        await expectSame(await openShard(samples, { weights: w }), samples, w, options);
      }
    });
  });
});

it.each([
  { m: 40, k: 8, method: "kmeans", why: "one panel" },
  { m: 900, k: 60, method: "kmeans", why: "several groups" },
  { m: 300, k: 40, method: "bonmf", why: "by angle" },
  { m: 60, k: 5, method: "nmf", why: "real coefficients" },
] as const)("sweeps dense samples that are mostly zeros without them: $why", async ({ m, k, method }) => {
  const X = makeSamples(budget(700, 1400), m, "f32");
  const random = new Random(9);
  for (let p = 0; p < X.data.length; p++) if (random.next() < 0.8) X.data[p] = 0;
  await expectSame(await openShard(X), X, null, { k, method, seed: 2, init: "sample", maxIterations: budget(10, 25) });
});

it("keeps dense samples whole where those it looked at were emptier than the rest", async () => {
  const X = makeSamples(1400, 40, "f32");
  for (let i = 0; i < 1400; i += 21) X.row(i).fill(0);
  await expectSame(await openShard(X), X, null, { k: 8, method: "kmeans", seed: 2, init: "sample", maxIterations: 25 });
});

it.each([
  [1, 20, 200],
  [20, 40, 200],
  [60, 40, 200],
  [2, 5, 10],
])("bounds nothing by prototypes that had no direction (%i of %i clusters empty, %i features)", async (empty, k, m) => {
  const X = makeSamples(900, m, "f32");
  const init = X.take(Array.from({ length: k }, (_, j) => 7 * j));
  init.data.fill(0, 0, Math.min(empty, k) * m);
  await expectSame(await openShard(X), X, null, { k, method: "bonmf", init, maxIterations: 25 });
});

it.each([
  { m: 200, k: 12 },
  { m: 8, k: 5 },
])("prunes, and says how much: $m features, k = $k", async ({ m, k }) => {
  const X = makeSamples(2000, m, "f32");
  const options: FitOptions = { k, method: "kmeans", seed: 3, init: "plusplus" };
  const products: number[] = [];
  await iterate(await openShard(X), resolveOptions(options, 2000, m), 3, (step) => products.push(step.products));
  expect(products.length).toBeGreaterThan(5);
  expect(products[0]).toBe(2000 * k);
  expect(Math.max(...products)).toBe(2000 * k);
  expect(products.at(-1)!).toBeLessThan(0.5 * 2000 * k);
});

it.each([
  { n: 1003, m: 24, k: 7, base: 1, noise: 1e-3, why: "some in doubt" },
  { n: 1003, m: 24, k: 7, base: 1, noise: 1e-5, why: "all in doubt" },
  { n: 515, m: 13, k: 11, base: 500, noise: 1, why: "an odd number of features" },
  { n: 777, m: 100, k: 3, base: 0, noise: 1, why: "few prototypes" },
])("scores in 16 bits what these can tell: $why", async ({ n, m, k, base, noise }) => {
  const random = new Random(n + m + k);
  const X = Dense.zeros(n, m, "f32");
  for (let p = 0; p < X.data.length; p++) X.data[p] = base + noise * random.next();
  for (const method of ["bonmf", "kmeans", "spherical"] as const) {
    const options: FitOptions = { k, method, seed: 4, init: "sample", maxIterations: 40 };
    await expectSame(await openShard(X), X, null, options);
    // By angle samples may be of any length; some are too long or too short for 16 bits.
    if (method === "kmeans") continue;
    const lengthy = new Dense(
      n,
      m,
      X.data.map((x, p) => x * 10 ** ((Math.floor(p / m) % 60) - 33)),
    );
    await expectSame(await openShard(lengthy), lengthy, null, options);
  }
});

it("agrees when pooled, however the blocks are dealt out", async () => {
  const X = makeSamples(3000, 40, "f32");
  const block = blockSize(X.samples);
  for (const cuts of [
    [0, 5],
    [0, 1, 2, 7],
  ]) {
    const shards = await Promise.all(
      cuts.map((first, s) => {
        const shard = shardOf(X, first, cuts[s + 1] ?? Math.ceil(X.samples / block));
        return openShard(shard, { offset: first * block, total: X.samples });
      }),
    );
    await expectSame(pool(shards), X, null, { k: 20, method: "bonmf", seed: 2 });
  }
});

it("repairs empty clusters alike", async () => {
  const X = makeSamples(400, 30, "f32");
  const init = new Dense(
    4,
    30,
    Float64Array.from({ length: 120 }, (_, q) => (q % 30 === 0 ? 1 : 0)),
  );
  const { repairs } = await expectSame(await openShard(X), X, null, { k: 4, method: "kmeans", init });
  expect(repairs).toBeGreaterThan(0);
});

it.each([64, 9])("takes a sweep back, and an aborted one leaves no trace: %i features", async (m) => {
  const X = makeSamples(2000, m, "f32");
  const engine = await openShard(X);
  const { grid, weightGrid } = await surveyData(engine, false, 0);
  const W = (from: number) => Float64Array.from(X.take([from, from + 1, from + 2, from + 3]).data);
  const step = (from: number) => ({ rule: "cosine", k: 4, W: W(from), grid, weightGrid }) as const;
  const first = totalStats(await engine.pass(step(1)));
  const labels = (await engine.gather()).labels;
  totalStats(await engine.pass(step(9)));
  expect((await engine.gather()).labels).not.toEqual(labels);
  await engine.revert();
  expect((await engine.gather()).labels).toEqual(labels);
  await expect(engine.pass(step(9), AbortSignal.abort(new Error("stop")))).rejects.toThrow("stop");
  expect((await engine.gather()).labels).toEqual(labels);
  const again = totalStats(await engine.pass(step(1)));
  expect(again.changed).toBe(0);
  expect(again.XHt).toEqual(first.XHt);
  expect([again.hash0, again.hash1]).toEqual([first.hash0, first.hash1]);
});

it.each([
  { m: 50, k: 9 },
  { m: 9, k: 4 },
])("goes on from codes put in place: $m features", async ({ m, k }) => {
  const X = makeSamples(1500, m, "f32");
  const options: FitOptions = { k, method: "kmeans", seed: 5, init: "sample" };
  const plain = await run(await openPlain(X), { ...options, maxIterations: 4 });
  const from = { W: plain.W, codes: plain.codes, history: plain.history, repairs: plain.repairs };
  const finish = async (engine: Engine) => {
    const { W, history } = await iterate(engine, resolveOptions(options, 1500, m), 5, null, from);
    return { W, history, labels: (await engine.gather()).labels };
  };
  expect(await finish(await openShard(X))).toEqual(await finish(await openPlain(X)));
});

it("agrees on samples of all sizes, shapes and fillings", async () => {
  for (let seed = 0; seed < budget(60, 200); seed++) {
    const random = new Random(seed);
    const [n, m] = [1 + random.below(400), 1 + random.below(40)];
    const k = Math.min(n, 1 + random.below(14));
    const [size, zeros, steps] = [10 ** (28 * random.next() - 14), random.next(), 1 + random.below(9)];
    const X = Dense.zeros(n, m, "f32");
    for (let p = 0; p < n * m; p++) X.data[p] = random.next() < zeros ? 0 : Math.ceil(steps * random.next()) * size;
    const samples = random.next() < 0.4 ? Sparse.fromDense(X) : X;
    const weights =
      random.next() < 0.3 ? Float64Array.from({ length: n }, (_, i) => (i === 0 ? 1 : random.below(3))) : null;
    for (const method of ["bonmf", "kmeans", "spherical"] as const) {
      const emptyClusters = random.next() < 0.5 ? "keep" : "reseed";
      const options: FitOptions = { k, method, seed, init: "sample", maxIterations: 30, emptyClusters };
      await expectSame(await openShard(samples, { weights }), samples, weights, options);
    }
  }
});
