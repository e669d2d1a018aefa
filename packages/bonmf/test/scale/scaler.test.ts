import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DataError, FormatError, OptionError } from "../../src/errors.js";
import { Dense } from "../../src/matrix/dense.js";
import type { Matrix } from "../../src/matrix/matrix.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { fitScaler, restoreScaler, SCALES, type ScaleName } from "../../src/scale/scaler.js";

/** What every scaler must keep; what each one computes is tested in its own file. */
const dense = (rows: number[][]) => Dense.from(rows, "f64");
const value = fc.oneof(
  { arbitrary: fc.constantFrom(0, 1, -2, 0.1), weight: 2 },
  { arbitrary: fc.double({ min: -1e6, max: 1e6, noNaN: true }), weight: 1 },
);
const rows = fc
  .record({ samples: fc.integer({ min: 1, max: 6 }), features: fc.integer({ min: 1, max: 4 }) })
  .chain(({ samples, features }) => {
    const row = fc.array(value, { minLength: features, maxLength: features });
    return fc.array(row, { minLength: samples, maxLength: samples });
  });
const precision = fc.constantFrom("f32" as const, "f64" as const);
const values = (X: Matrix) => (X.kind === "dense" ? X.data : X.values);

function expectClose(actual: Dense, expected: Dense, tolerance: number): void {
  expect([actual.samples, actual.features]).toEqual([expected.samples, expected.features]);
  actual.data.forEach((value, p) => {
    expect(Math.abs(value - expected.data[p])).toBeLessThanOrEqual(tolerance);
  });
}

describe.each(SCALES)("%s", (name) => {
  const signedOut = ["none", "l2", "tfidf", "sqrt-tfidf", "standard", "lift", "exponent"].includes(name);

  it("gives finite values, of 0 or more unless it keeps signs, in the precision of the samples, and leaves those alone", () => {
    fc.assert(
      fc.property(rows, rows, precision, (rows, more, precision) => {
        const X = Dense.from(rows, precision);
        const before = X.data.slice();
        const scaler = fitScaler(name, X);
        const others = Dense.from(
          more.map((row) => rows[0].map((_, f) => row[f % row.length])),
          precision,
        );
        const [Z, fresh] = [scaler.transform(X), scaler.transform(others)];
        for (const out of [Z, fresh]) {
          expect(out.features).toBe(scaler.outputs);
          expect(out.precision).toBe(precision);
          expect(values(out).every((z) => (signedOut ? !Number.isNaN(z) : z >= 0))).toBe(true);
        }
        expect(values(Z).every(Number.isFinite)).toBe(true);
        expect(X.data).toEqual(before);
      }),
    );
  });

  it("treats dense and sparse samples alike, to the last bit", () => {
    fc.assert(
      fc.property(rows, precision, (rows, precision) => {
        const X = Dense.from(rows, precision);
        const sparse = Sparse.fromDense(X);
        const [a, b] = [fitScaler(name, X), fitScaler(name, sparse)];
        expect(b.state()).toEqual(a.state());
        // + 0 makes −0, which sparse samples do not hold, a 0.
        const [dense, filled] = [a.transform(X), b.transform(sparse)].map((Z) => Z.toDense().data.map((z) => z + 0));
        expect(filled).toEqual(dense);
      }),
    );
  });

  it("counts weight N as N repetitions and weight 0 as absence", () => {
    const pairs = rows.chain((rows) =>
      fc.tuple(
        fc.constant(rows),
        fc.array(fc.nat(3), { minLength: rows.length, maxLength: rows.length }).filter((w) => w.some((n) => n > 0)),
      ),
    );
    fc.assert(
      fc.property(pairs, ([rows, weights]) => {
        const repeated = dense(rows.flatMap((row, i) => Array<number[]>(weights[i]).fill(row)));
        const weighted = fitScaler(name, dense(rows), Float64Array.from(weights));
        const expected = fitScaler(name, repeated).state();
        for (const [key, values] of Object.entries(weighted.state())) {
          values.forEach((value, f) => {
            expect(Math.abs(value - expected[key][f])).toBeLessThanOrEqual(1e-9 * (1 + Math.abs(expected[key][f])));
          });
        }
      }),
    );
  });

  it("does the same after it was stored and restored", () => {
    fc.assert(
      fc.property(rows, (rows) => {
        const X = dense(rows);
        const scaler = fitScaler(name, X);
        const restored = restoreScaler(name, X.features, structuredClone(scaler.state()));
        const Z = scaler.transform(X).toDense();
        expect(restored.transform(X).toDense().data).toEqual(Z.data);
        expect(restored.inverse(Z).data).toEqual(scaler.inverse(Z).data);
        expect([restored.name, restored.features, restored.outputs]).toEqual([name, X.features, scaler.outputs]);
      }),
    );
  });

  it("names as many features as it gives", () => {
    const scaler = fitScaler(name, dense([[1, 2, 3]]));
    expect(scaler.featureNames(["a", "b", "c"])).toHaveLength(scaler.outputs);
    expect(new Set(scaler.featureNames(["a", "b", "c"])).size).toBe(scaler.outputs);
    expect(scaler.featureNames(["a", "b", "c"])[1]).toMatch(/^b/);
  });

  it("takes no samples to no samples", () => {
    const scaler = fitScaler(name, dense([[1, 2]]));
    expect(scaler.transform(Dense.zeros(0, 2)).samples).toBe(0);
    expect(scaler.transform(Sparse.from([], 2)).samples).toBe(0);
  });

  it("refuses another number of features and names both numbers", () => {
    const scaler = fitScaler(name, dense([[1, 2, 3]]));
    for (const use of [
      () => scaler.transform(Dense.zeros(1, 5)),
      () => scaler.transform(Sparse.from([[]], 5)),
      () => scaler.inverse(Dense.zeros(1, 5)),
      () => scaler.featureNames(["a", "b", "c", "d", "e"]),
    ]) {
      expect(use).toThrow(DataError);
      expect(use).toThrow(/[346] features, but was given 5/);
    }
  });

  it("refuses samples and weights it cannot learn from", () => {
    const fit = (rows: number[][], weights?: number[]) => () =>
      fitScaler(name, dense(rows), weights && Float64Array.from(weights));
    expect(fit([])).toThrow(/no samples/);
    expect(fit([[1], [Number.NaN]])).toThrow(/sample 1, feature 0 is NaN/);
    expect(fit([[1], [2]], [1])).toThrow(/2 samples need 2 weights, but there are 1/);
    expect(fit([[1], [2]], [1, -1])).toThrow(/weight of sample 1 is -1/);
    expect(fit([[1], [2]], [Number.NaN, 1])).toThrow(/weight of sample 0 is NaN/);
    expect(fit([[1], [2]], [0, 0])).toThrow(/every weight is 0/);
    expect(fit([[1], [2]], [1, -1])).toThrow(DataError);
  });
});

describe.each<ScaleName>(["none", "minmax", "shift", "split"])("inverse of %s", (name) => {
  it("gives back the samples", () => {
    fc.assert(
      fc.property(rows, (rows) => {
        const X = dense(rows);
        const scaler = fitScaler(name, X);
        expectClose(scaler.inverse(scaler.transform(X).toDense()), X, 1e-8);
      }),
    );
  });
});

describe.each<ScaleName>(["minmax", "shift", "split"])("sparse samples too many for %s", (name) => {
  const features = name === "split" ? 2 ** 14 : 2 ** 15;
  const tall = (samples: number) => {
    const offsets = new Uint32Array(samples + 1).fill(1);
    offsets[0] = 0;
    return new Sparse(samples, features, offsets, Uint32Array.of(0), Float32Array.of(-1));
  };

  it("are refused with a remedy", () => {
    const scaler = fitScaler(name, tall(10));
    expect(() => scaler.transform(tall(2 ** 15 + 1))).toThrow(DataError);
    expect(() => scaler.transform(tall(2 ** 15 + 1))).toThrow(/"tfidf", "l2" or "none"/);
  });
});

describe("values beyond the reach of float64", () => {
  const X = dense([
    [0, 1e308],
    [0, -1e308],
  ]);

  it("are refused by minmax, whose range they do not have", () => {
    expect(() => fitScaler("minmax", X)).toThrow(DataError);
    expect(() => fitScaler("minmax", X)).toThrow(/feature 1 are too large/);
  });

  it("have a standard deviation", () => {
    expect([...fitScaler("standard", X).transform(X).toDense().data]).toEqual([0, 1, 0, -1]);
  });
});

describe("restoreScaler", () => {
  it.each<[string, ScaleName, Record<string, Float64Array>, RegExp]>([
    ["a missing array", "minmax", { min: Float64Array.of(0, 0) }, /"range" .* 2 features, but it is undefined/],
    ["a short array", "shift", { low: Float64Array.of(0) }, /"low" .* 2 features, but it is 1 numbers/],
    ["other numbers", "shift", { low: Float32Array.of(0, 0) as unknown as Float64Array }, /but it is Float32Array/],
    ["NaN", "shift", { low: Float64Array.of(0, Number.NaN) }, /"low" .* is NaN for feature 1/],
    ["a negative range", "minmax", { min: Float64Array.of(0, 0), range: Float64Array.of(-1, 0) }, /"range" .* is -1/],
    ["a negative sd", "split", { mean: Float64Array.of(0, 0), sd: Float64Array.of(1, -2) }, /"sd" .* is -2/],
    ["an idf of 0", "tfidf", { idf: Float64Array.of(0, 1) }, /"idf" .* is 0 for feature 0/],
  ])("refuses %s", (_, name, state, message) => {
    expect(() => restoreScaler(name, 2, state)).toThrow(FormatError);
    expect(() => restoreScaler(name, 2, state)).toThrow(message);
  });

  it("refuses an unknown name and lists the known ones", () => {
    for (const name of ["zscore", "constructor", "__proto__"] as string[] as ScaleName[]) {
      expect(() => restoreScaler(name, 2, {})).toThrow(OptionError);
      expect(() => fitScaler(name, dense([[1]]))).toThrow(
        /choose one of none, minmax, shift, l2, tfidf, sqrt-tfidf, split, standard, lift/,
      );
    }
  });
});
