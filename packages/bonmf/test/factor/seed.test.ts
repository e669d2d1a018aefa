import { describe, expect, it } from "vitest";
import { openPlain } from "../../src/engine/in-memory.js";
import { surveyData } from "../../src/engine/survey.js";
import { METHODS } from "../../src/factor/methods/index.js";
import { nndsvd } from "../../src/factor/nndsvd.js";
import { seedRun } from "../../src/factor/seed.js";
import type { Matrix } from "../../src/matrix/matrix.js";
import { fit } from "../../src/model/fit.js";
import { type FitOptions, resolveOptions } from "../../src/model/options.js";
import { dot, flip, type Grid, times } from "../oracle.js";
import { ALL, blobRows, dense, ONE_HOT, REAL, randomRows, wholeRows } from "../synthetic.js";

/** W⁰ and H⁰ of a run that has not begun. */
async function seed(X: Matrix, options: FitOptions, weights: Float64Array | null = null) {
  const method = METHODS[options.method ?? "bonmf"];
  const engine = await openPlain(X, { weights });
  const survey = await surveyData(engine, method.unit ?? false, 30);
  const run = resolveOptions(options, X.samples, X.features);
  const { W, sums } = await seedRun(engine, method, run, survey, run.settings.seed);
  const prototypes = Array.from({ length: options.k }, (_, j) => [...W.subarray(j * X.features, (j + 1) * X.features)]);
  return { W: prototypes, H: sums === null ? null : await engine.gather().catch(() => null) };
}

const length = (x: number[]) => Math.sqrt(dot(x, x));
const unit = (x: number[]) => x.map((value) => value / length(x));
const rows = randomRows(3, 60, 5).map((row, i) => row.map((x) => x * (1 + i)));
const X = dense(rows);

describe("columns", () => {
  it("averages 10 of the 30 longest samples", async () => {
    // The last 30 rows are long, and each sample has a feature of its own: W shows who is in it.
    const tagged = Array.from({ length: 60 }, (_, i) =>
      Array.from({ length: 60 }, (_, f) => (f === i ? (i < 30 ? 1 : 2) : 0)),
    );
    const { W } = await seed(dense(tagged), { k: 8, init: "columns", seed: 4 });
    for (const w of W) {
      expect(w.slice(0, 30).every((x) => x === 0)).toBe(true);
      expect(w.filter((x) => x > 0).length).toBe(10);
      for (const x of w.slice(30)) expect(x === 0 || Math.abs(x - 0.2) < 1e-15).toBe(true);
    }
    expect(new Set(W.map(String)).size).toBe(8);
  });

  it("takes all there are when there are fewer than 10", async () => {
    const { W } = await seed(dense(rows.slice(0, 4)), { k: 2, init: "columns" });
    const mean = flip(rows.slice(0, 4)).map((column) => column.reduce((sum, x) => sum + x, 0) / 4);
    for (const w of W) {
      w.forEach((x, f) => {
        expect(x).toBeCloseTo(mean[f], 12);
      });
    }
  });
});

describe.each(["sample", "plusplus"] as const)("%s", (init) => {
  it.each(ONE_HOT)("takes k different samples for %s, at length 1 if it works on those", async (method) => {
    for (let s = 0; s < 5; s++) {
      const { W } = await seed(X, { k: 6, method, init, seed: s });
      const own = method === "spherical" ? rows.map(unit) : rows;
      const ids = W.map((w) => own.findIndex((row) => row.every((x, f) => Math.abs(x - w[f]) < 1e-12)));
      expect(ids.every((id) => id >= 0)).toBe(true);
      expect(new Set(ids).size).toBe(6);
    }
  });

  it("never takes a sample of weight 0", async () => {
    const weights = Float64Array.from(rows, (_, i) => (i < 7 ? 1 : 0));
    for (let s = 0; s < 5; s++) {
      const { W } = await seed(X, { k: 5, init, seed: s }, weights);
      for (const w of W) expect(rows.slice(0, 7).map(String)).toContain(String(w));
    }
  });

  it("takes samples again when there are too few", async () => {
    const few = [
      [1, 2],
      [0, 0],
      [0, 0],
    ];
    const { W } = await seed(dense(few), { k: 3, init });
    expect(W).toEqual([few[0], few[0], few[0]]);
  });
});

describe("sample", () => {
  it("takes each as often as its weight says", async () => {
    const weights = Float64Array.from({ length: 4 }, (_, i) => i + 1);
    const counts = [0, 0, 0, 0];
    for (let s = 0; s < 2000; s++) {
      const { W } = await seed(dense(wholeRows(1, 4, 3, 0)), { k: 1, init: "sample", seed: s }, weights);
      counts[wholeRows(1, 4, 3, 0).map(String).indexOf(String(W[0]))]++;
    }
    counts.forEach((count, i) => {
      expect(Math.abs(count - 200 * (i + 1))).toBeLessThan(5 * Math.sqrt(200 * (i + 1)));
    });
  });
});

describe("plusplus", () => {
  it("goes where no prototype is yet", async () => {
    // Four directions, of which one has nearly all samples.
    const few = Array.from({ length: 100 }, (_, i) => [i < 97 ? 1 + i : 0, +(i === 97), +(i === 98), +(i === 99)]);
    for (const method of ["bonmf", "spherical", "em-onmf"] as const) {
      for (let s = 0; s < 10; s++) {
        const { W } = await seed(dense(few), { k: 4, method, init: "plusplus", seed: s });
        expect(new Set(W.map((w) => w.findIndex((x) => x > 0))).size).toBe(4);
      }
    }
  });
});

describe("random", () => {
  it.each(ALL)("is positive, on the scale %s needs", async (method) => {
    const { W } = await seed(X, { k: 30, method, init: "random", seed: 1 });
    const all = W.flat();
    const mean = all.reduce((sum, w) => sum + w, 0) / all.length;
    const entries = rows.flat();
    const scale = (REAL as readonly string[]).includes(method)
      ? 0.5
      : entries.reduce((sum, x) => sum + x, 0) / entries.length;
    expect(Math.min(...all)).toBeGreaterThanOrEqual(0);
    expect(mean / scale).toBeGreaterThan(0.8);
    expect(mean / scale).toBeLessThan(1.2);
  });
});

describe("nndsvd", () => {
  /** The leading eigenpairs of XXᵀ by naive power iteration with deflation. */
  function leading(X: Grid, k: number): { u: number[]; sigma: number }[] {
    let A = times(X, flip(X));
    return Array.from({ length: k }, () => {
      let u = A.map((_, f) => 1 + f / 7);
      for (let t = 0; t < 3000; t++) u = unit(A.map((row) => dot(row, u)));
      const value = dot(
        u,
        A.map((row) => dot(row, u)),
      );
      A = A.map((row, f) => row.map((a, g) => a - value * u[f] * u[g]));
      return { u, sigma: Math.sqrt(value) };
    });
  }

  it("is the larger signed part of each singular pair", async () => {
    const data = randomRows(8, 40, 6, 0.5);
    const { W, coder } = await nndsvd(await openPlain(dense(data)), 3, 0);
    leading(flip(data), 3).forEach(({ u, sigma }, j) => {
      const v = data.map((x) => dot(x, u) / sigma);
      const part = (x: number[], sign: number) => x.map((value) => Math.max(0, sign * value));
      const mass = (sign: number) => length(part(u, sign)) * length(part(v, sign));
      const sign = mass(1) >= mass(-1) ? 1 : -1;
      const scale = Math.sqrt(sigma * mass(sign));
      unit(part(u, sign)).forEach((x, f) => {
        expect(W[j * 6 + f]).toBeCloseTo(scale * x, 5);
      });
      unit(part(v, sign)).forEach((x, i) => {
        expect(Math.max(0, dot([...coder.subarray(j * 6, j * 6 + 6)], data[i]))).toBeCloseTo(scale * x, 5);
      });
    });
  });

  it("reproduces a matrix of rank 1", async () => {
    const data = [1, 2, 3, 4].map((h) => [2 * h, 0, 5 * h]);
    const { W, coder } = await nndsvd(await openPlain(dense(data)), 1, 3);
    data.forEach((x) => {
      const h = dot([...coder], x);
      x.forEach((value, f) => {
        expect(h * W[f]).toBeCloseTo(value, 10);
      });
    });
  });

  it("fills zeros with the mean entry for multiplicative methods only, and has prototypes beyond m features", async () => {
    const data = randomRows(8, 40, 3, 0.5);
    const entries = data.flat();
    const mean = entries.reduce((sum, x) => sum + x, 0) / entries.length;
    const { W } = await seed(dense(data), { k: 3, method: "nmf", init: "nndsvd" });
    expect(W.flat().every((w) => w > 0)).toBe(true);
    expect(W.flat().some((w) => Math.abs(w - mean) < 1e-12)).toBe(true);
    const plain = await seed(dense(data), { k: 5, method: "hals", init: "nndsvd" });
    expect(plain.W.flat().some((w) => w === 0)).toBe(true);
    expect(plain.W.slice(3).some((w) => length(w) > 0)).toBe(true);
  });
});

const INITS = ["columns", "sample", "plusplus", "nndsvd", "random"] as const;

describe("empty clusters", () => {
  // The second prototype points where no sample does.
  const rows = [
    [4, 1, 0],
    [4, 2, 0],
    [1, 9, 0],
    [5, 1, 0],
  ];
  const init = [
    [1, 1, 0],
    [0, 0, 1],
  ];

  it.each(["bonmf", "spherical", "em-onmf"] as const)("%s reseeds with the worst fitting sample", async (method) => {
    const model = await fit(rows, { k: 2, method, init });
    expect([...model.labels]).toEqual([0, 0, 1, 0]);
    expect(model.repairs).toBe(1);
    const watched: number[] = [];
    await fit(rows, { k: 2, method, init, onStep: ({ empty }) => watched.push(empty) });
    expect(watched.slice(0, 2)).toEqual([1, 0]);
  });

  it("kmeans reseeds with the farthest sample", async () => {
    const far = [
      [4, 1, 0],
      [100, 100, 100],
    ];
    const model = await fit(rows, { k: 2, method: "kmeans", init: far });
    expect([...model.labels]).toEqual([0, 0, 1, 0]);
    expect(model.repairs).toBe(1);
  });

  it.each(ONE_HOT)("%s keeps them when asked to", async (method) => {
    const far = method === "kmeans" ? [init[0], [0, 0, 1000]] : init;
    const model = await fit(rows, { k: 2, method, init: far, emptyClusters: "keep" });
    expect([...model.labels]).toEqual([0, 0, 0, 0]);
    expect([...model.counts]).toEqual([4, 0]);
    expect([...model.W.row(1)]).toEqual(far[1]);
    expect(model.repairs).toBe(0);
    expect(model.converged).toBe(true);
  });

  it("never takes the last member of another cluster, however badly it fits", async () => {
    const data = [
      [1, 0, 0, 0],
      [8, 1, 0, 0],
      [0, 10, 0, 30],
    ];
    const angles = [
      [1, 0, 0, 0],
      [0, 1, 0, 0],
      [0, 0, 1, 0],
    ];
    // 25 away from its point, the third sample fits worse than any other, but no other point is nearer.
    const points = [
      [1, 0, 0, 0],
      [0, 10, 0, 55],
      [0, 0, 999, 0],
    ];
    for (const [method, start] of [
      ["bonmf", angles],
      ["spherical", angles],
      ["em-onmf", angles],
      ["kmeans", points],
    ] as const) {
      const model = await fit(data, { k: 3, method, init: start });
      expect([method, [...model.counts], model.labels[2], model.repairs]).toEqual([method, [1, 1, 1], 1, 1]);
    }
  });

  it("fills several at once, and counts each", async () => {
    const lines = [0, 1, 2, 3, 4].map((f) => Array.from({ length: 5 }, (_, g) => (f === g ? 3 : 1)));
    const start = [[1, 1, 1, 1, 1], ...[1, 2, 3, 4].map(() => [0, 0, 0, 0, 0])];
    const model = await fit(lines, { k: 5, init: start });
    expect([...model.counts]).toEqual([1, 1, 1, 1, 1]);
    expect(model.repairs).toBeGreaterThanOrEqual(4);
    expect(model.relativeError).toBeLessThan(1e-7);
  });

  it("are left when there are fewer directions than clusters", async () => {
    const parallel = [
      [1, 2],
      [2, 4],
      [3, 6],
    ];
    const model = await fit(parallel, { k: 2, init: [parallel[0], parallel[0]] });
    expect([...model.counts]).toEqual([3, 0]);
    expect(model.repairs).toBe(0);
    expect(model.stopped).toBe("fixed-point");
  });

  it("include cluster 0 when only all-zero samples are in it", async () => {
    const data = [[0, 0, 0], ...rows];
    const model = await fit(data, { k: 2, init: [init[1], init[0]] });
    expect(new Set(model.labels.slice(1)).size).toBe(2);
  });

  it("counts only weight: a cluster of samples of weight 0 is empty", async () => {
    const data = [[0, 0, 1], ...rows];
    const model = await fit(data, { k: 2, init, weights: [0, 1, 1, 1, 1] });
    expect(model.repairs).toBe(1);
    expect([...model.labels.slice(1)]).toEqual([0, 0, 1, 0]);
  });
});

describe("all-zero samples", () => {
  const zero = [0, 0, 0];
  const rows = [zero, [1, 0, 0], zero, [0, 2, 0], zero, [0, 1, 3], zero, [2, 0, 1]];

  it.each(["bonmf", "spherical", "em-onmf"] as const)("go to cluster 0 of %s and are counted", async (method) => {
    for (const init of INITS) {
      for (let seed = 0; seed < 10; seed++) {
        const model = await fit(rows, { k: 3, method, init, seed });
        expect(model.zeroSamples).toBe(4);
        for (const i of [0, 2, 4, 6]) expect(model.labels[i]).toBe(0);
        expect([...model.predict([zero])]).toEqual([0]);
      }
    }
  });

  it.each(["bonmf", "spherical", "em-onmf"] as const)("are never seeds of %s", async (method) => {
    const many = [...Array.from({ length: 25 }, () => zero), ...rows];
    for (const init of ["columns", "sample", "plusplus"] as const) {
      for (let seed = 0; seed < 10; seed++) {
        const { W } = await fit(many, { k: 4, method, init, seed, maxIterations: 1, emptyClusters: "keep" });
        for (let j = 0; j < 4; j++) expect([init, seed, j, W.row(j).some((w) => w > 0)]).toEqual([init, seed, j, true]);
      }
    }
  });

  it.each(["bonmf", "spherical", "em-onmf"] as const)("never repair an empty cluster of %s", async (method) => {
    const init = [
      [1, 1, 1],
      [0, 0, 0],
    ];
    const model = await fit([zero, zero, [1, 1, 1], [1, 1, 1.5]], { k: 2, method, init });
    expect(model.repairs).toBe(1);
    expect(model.W.row(1).some((w) => w > 0)).toBe(true);
    expect([model.labels[0], model.labels[1]]).toEqual([0, 0]);
    expect(model.labels[2]).not.toBe(model.labels[3]);
  });

  it("and nothing else: a model of nothing", async () => {
    for (const method of ALL) {
      const model = await fit([zero, zero], { k: 2, method, maxIterations: 5 });
      expect([model.relativeError, model.zeroSamples]).toEqual([0, 2]);
      for (const w of model.W.data) expect(Number.isFinite(w)).toBe(true);
    }
  });

  it("do not turn a prototype", async () => {
    const some = blobRows(5, 20, 4, 2).map((row) => row.map((x) => x + 1));
    const options = { k: 2, init: some.slice(0, 2) };
    const model = await fit(some, options);
    const other = await fit([...some, [0, 0, 0, 0]], options);
    expect([...other.labels].slice(0, 20)).toEqual([...model.labels]);
    const direction = (row: ArrayLike<number>) => Array.from(row, (w) => w / Math.hypot(...Array.from(row)));
    for (let j = 0; j < 2; j++) {
      const own = direction(model.W.row(j));
      direction(other.W.row(j)).forEach((w, f) => {
        expect(w).toBeCloseTo(own[f], 14);
      });
    }
  });
});
