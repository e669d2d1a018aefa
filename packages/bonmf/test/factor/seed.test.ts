import { describe, expect, it } from "vitest";
import { openPlain } from "../../src/engine/in-memory.js";
import { METHODS } from "../../src/factor/methods/index.js";
import { nndsvd } from "../../src/factor/nndsvd.js";
import { seedRun } from "../../src/factor/seed.js";
import { surveyData } from "../../src/factor/survey.js";
import type { Matrix } from "../../src/matrix/matrix.js";
import { type FitOptions, resolveOptions } from "../../src/model/options.js";
import { dot, flip, type Grid, times } from "../oracle.js";
import { ALL, dense, ONE_HOT, REAL, randomRows, wholeRows } from "../synthetic.js";

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
