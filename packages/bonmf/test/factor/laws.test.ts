import { describe, expect, it } from "vitest";
import { Dense } from "../../src/matrix/dense.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { fit } from "../../src/model/fit.js";
import type { FitOptions } from "../../src/model/options.js";
import { ALL, blobRows, dense, draws, ONE_HOT, randomRows, record, wholeRows } from "../synthetic.js";

/** What a change of the data or the start must do to the result, whatever the result is. */
const SEEDS = [1, 2, 3, 4, 5];

function shuffle(n: number, seed: number): number[] {
  const next = draws(seed);
  const order = Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

function expectNear(actual: ArrayLike<number>, expected: ArrayLike<number>): void {
  expect(actual.length).toBe(expected.length);
  for (let p = 0; p < actual.length; p++) {
    expect(Math.abs(actual[p] - expected[p])).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(expected[p])));
  }
}

describe.each(ONE_HOT)("%s from a given W", (method) => {
  const k = 4;
  const m = 6;
  const cases = SEEDS.map((seed) => {
    const rows = blobRows(seed, 50, m, 5).map((row) => (row.some((x) => x > 0) ? row : row.map(() => 1)));
    return { rows, init: rows.slice(10, 10 + k).map((row) => row.map((x) => x + 0.5)) };
  });
  const run = (rows: number[][], init: number[][], more: Partial<FitOptions> = {}) =>
    fit(dense(rows), { k, method, init, ...more });

  it("permuting the samples permutes the labels", async () => {
    for (const { rows, init } of cases) {
      const order = shuffle(rows.length, 9);
      const model = await run(rows, init);
      const other = await run(
        order.map((i) => rows[i]),
        init,
      );
      expect([...other.labels]).toEqual(order.map((i) => model.labels[i]));
      expectNear(other.W.data, model.W.data);
    }
  });

  it.each([2 ** 10, 2 ** -7])("scaling X by %d keeps the labels and scales W", async (scale) => {
    const scaled = (rows: number[][]) => rows.map((row) => row.map((x) => x * scale));
    for (const { rows, init } of cases) {
      const model = await run(rows, init);
      const other = await run(scaled(rows), scaled(init));
      expect([...other.labels]).toEqual([...model.labels]);
      expect(other.iterations).toBe(model.iterations);
      const factor = method === "bonmf" || method === "kmeans" ? scale : 1;
      expect([...other.W.data]).toEqual(Array.from(model.W.data, (w) => w * factor));
      if (method === "em-onmf")
        expect([...other.codes.values!]).toEqual([...model.codes.values!].map((h) => h * scale));
    }
  });

  it("a sample given twice is a sample of weight 2", async () => {
    for (const { rows, init } of cases) {
      const weights = rows.map((_, i) => 1 + (i % 3));
      const copies = rows.flatMap((row, i) => Array.from({ length: weights[i] }, () => ({ row, i })));
      const model = await run(rows, init, { weights });
      const other = await run(
        copies.map(({ row }) => row),
        init,
      );
      expect([...other.labels]).toEqual(copies.map(({ i }) => model.labels[i]));
      expectNear(other.W.data, model.W.data);
      expect(other.potential / model.potential).toBeCloseTo(1, 10);
      expect(other.relativeError / model.relativeError).toBeCloseTo(1, 10);
    }
  });

  it("a sample of weight 0 is absent", async () => {
    for (const { rows, init } of cases) {
      const weights = rows.map((_, i) => (i % 4 === 1 ? 0 : 1));
      const there = rows.map((_, i) => i).filter((i) => weights[i] > 0);
      const model = await run(rows, init, { weights });
      const other = await run(
        there.map((i) => rows[i]),
        init,
      );
      expect([...other.labels]).toEqual(there.map((i) => model.labels[i]));
      expectNear(other.W.data, model.W.data);
      expect(other.potential / model.potential).toBeCloseTo(1, 10);
    }
  });

  it("all weights times a constant change nothing but the potential", async () => {
    for (const { rows, init } of cases) {
      const weights = rows.map((_, i) => 1 + (i % 3));
      const model = await run(rows, init, { weights });
      const other = await run(rows, init, { weights: weights.map((w) => w * 8) });
      expect([...other.labels]).toEqual([...model.labels]);
      expect([...other.W.data]).toEqual([...model.W.data]);
      expect(other.potential).toBe(8 * model.potential);
    }
  });

  it("a feature that is always zero changes nothing", async () => {
    for (const { rows, init } of cases) {
      const widen = (rows: number[][]) => rows.map((row) => [...row.slice(0, 2), 0, ...row.slice(2)]);
      const model = await run(rows, init);
      const other = await run(widen(rows), widen(init));
      expect([...other.labels]).toEqual([...model.labels]);
      expect(other.history).toEqual(model.history);
      for (let j = 0; j < k; j++) {
        expect([...other.W.row(j)]).toEqual(widen([[...model.W.row(j)]])[0]);
      }
    }
  });

  it("permuting the prototypes permutes the labels", async () => {
    const order = [2, 0, 3, 1];
    for (const { rows: whole, init } of cases) {
      // Not whole numbers: a tie would go to the lowest index, whatever it is called.
      const rows = whole.map((row, i) => row.map((x, f) => x + ((i * 31 + f * 17) % 23) / 97));
      const model = await run(rows, init);
      const other = await run(
        rows,
        order.map((j) => init[j]),
      );
      expect(Array.from(other.labels, (label) => order[label])).toEqual([...model.labels]);
      expect([...other.W.data]).toEqual(order.flatMap((j) => [...model.W.row(j)]));
      expect(other.iterations).toBe(model.iterations);
    }
  });

  it("adding a sample far from the others' choice changes no other assignment rule: predict is per sample", async () => {
    const { rows, init } = cases[0];
    const model = await run(rows, init);
    const together = model.predict(dense(rows));
    const apart = rows.map((row) => model.predict(dense([row]))[0]);
    expect([...together]).toEqual(apart);
  });
});

describe("the form of the data does not matter, to the bit", () => {
  const INITS = ["columns", "sample", "plusplus", "nndsvd", "random"] as const;
  const rows = wholeRows(7, 40, 9, 0.6);
  const uneven = randomRows(8, 40, 9, 0.6);
  const weights = rows.map((_, i) => (i % 5) / 2);

  describe.each(ALL)("%s", (method) => {
    it.each(INITS)("from %s: dense = sparse", async (init) => {
      const options = { k: 4, method, init, seed: 3, maxIterations: 12 };
      for (const data of [rows, uneven]) {
        const X = dense(data);
        const model = await fit(X, options);
        expect(record(await fit(Sparse.fromDense(X), options))).toEqual(record(model));
        const heavy = record(await fit(X, { ...options, weights }));
        expect(record(await fit(Sparse.fromDense(X), { ...options, weights }))).toEqual(heavy);
        expect(heavy).not.toEqual(record(model));
      }
    });

    it("from a given W: dense = sparse", async () => {
      const options = { k: 3, method, init: randomRows(1, 3, 9), maxIterations: 12 };
      const X = dense(uneven);
      expect(record(await fit(Sparse.fromDense(X), options))).toEqual(record(await fit(X, options)));
    });

    it.each(INITS)("from %s: whole numbers in 32 bits = in 64 bits", async (init) => {
      const options = { k: 4, method, init, seed: 4, maxIterations: 12 };
      const single = await fit(Dense.from(rows, "f32"), options);
      const double = await fit(Dense.from(rows, "f64"), options);
      expect(record(await fit(rows, options))).toEqual(record(single));
      if (method === "semi-binary" || ONE_HOT.some((name) => name === method)) {
        expect(record(double)).toEqual(record(single));
        return;
      }
      // Products of 32-bit samples are summed in 32 bits.
      expect(record(double)).not.toEqual(record(single));
      single.history.forEach(({ potential }, i) => {
        expect(Math.abs(potential / double.history[i].potential - 1)).toBeLessThan(1e-5);
      });
    });
  });
});
