import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { streamSource } from "../../src/engine/index.js";
import { DataError } from "../../src/errors.js";
import type { FitOptions } from "../../src/index.js";
import { multiplyBy } from "../../src/matrix/magnitude.js";
import type { Matrix } from "../../src/matrix/matrix.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { relativeError, singlePrototypeError } from "../../src/measure/reconstruction.js";
import { silhouette, silhouettes } from "../../src/measure/silhouette.js";
import { fit, resume } from "../../src/model/fit.js";
import type { Model } from "../../src/model/model.js";
import { loadModel, saveModel } from "../../src/model/model-file.js";
import { fitScaler } from "../../src/scale/scaler.js";
import { budget } from "../budget.js";
import { storeHere } from "../engine/stored.js";
import { ALL, bits, blobRows, dense, randomRows, record } from "../synthetic.js";

const RUNS = budget(5, 60);

/** Scale equivariance: X · 2ᵉ gives the same labels and errors as X, and W · 2ᵉ. */

const problem = fc.record({
  n: fc.integer({ min: 4, max: 14 }),
  m: fc.integer({ min: 1, max: 4 }),
  k: fc.integer({ min: 1, max: 4 }),
  rowSeed: fc.nat(1000),
  seed: fc.nat(1000),
  sparse: fc.boolean(),
});
type Problem = typeof problem extends fc.Arbitrary<infer T> ? T : never;

function samplesOf({ n, m, rowSeed, sparse }: Problem, precision: "f32" | "f64"): Matrix {
  const X = dense(randomRows(rowSeed, n, m, 0.2), precision);
  return sparse ? Sparse.fromDense(X) : X;
}

/** In two steps, since 2ᵉ itself may overflow. */
function shift(X: Matrix, exponent: number): Matrix {
  const half = Math.trunc(exponent / 2);
  return multiplyBy(multiplyBy(X, 2 ** half), 2 ** (exponent - half));
}

/** Even ones, for the square roots of `nndsvd`. */
const even = (least: number, most: number) => fc.integer({ min: least / 2, max: most / 2 }).map((half) => 2 * half);

describe.each(ALL)("%s", (method) => {
  const options = ({ k, seed }: Problem): FitOptions => ({ k, seed, method, maxIterations: 20 });

  it.each([
    ["f64", [-980, 980], [-102, 102]],
    ["f32", [-104, 118], [-102, 102]],
  ] as const)(
    "finds in extreme %s values what it finds in ordinary ones, to the bit",
    async (precision, all, inner) => {
      const extreme = even(all[0], all[1]).filter((e) => e <= inner[0] || e >= inner[1]);
      await fc.assert(
        fc.asyncProperty(problem, extreme, async (problem, exponent) => {
          const X = samplesOf(problem, precision);
          const expected = await fit(X, { ...options(problem), scale: "exponent" });
          const Y = shift(X, exponent);
          const model = await fit(Y, options(problem));
          expect(model.scaler.name).toBe("exponent");
          expect(record(model)).toEqual(record(expected));
          expect(model.explained).toBe(expected.explained);
          expect(model.predict(Y)).toEqual(model.labels);
          expect(model.measureErrors(Y)).toEqual(expected.measureErrors(X));
          const loaded = loadModel(saveModel(model));
          expect(record(loaded)).toEqual(record(model));
          expect(loaded.predict(Y)).toEqual(model.labels);
          expect(model.reconstruct(Y).data.every(Number.isFinite)).toBe(true);
        }),
        { seed: 18, numRuns: RUNS },
      );
    },
  );
});

// Not `onmf`, whose α has the unit of X². `nndsvd` fills zeros of multiplicative methods with the mean of X.
describe.each(ALL.filter((method) => method !== "onmf"))("%s of ordinary values", (method) => {
  it("grows with X, and nothing else changes", async () => {
    const init = method === "nmf" || method === "onmf-ding" ? "sample" : undefined;
    await fc.assert(
      fc.asyncProperty(problem, even(-90, 90), async (problem, exponent) => {
        const { k, seed } = problem;
        const options: FitOptions = { k, seed, method, init, maxIterations: 20 };
        const X = samplesOf(problem, "f64");
        const [before, after] = [await fit(X, options), await fit(shift(X, exponent), options)];
        const told = ({ scaler, labels, history }: Model) => ({
          scaler: scaler.name,
          labels,
          history: history.map(({ relativeError, changed }) => ({ relativeError, changed })),
        });
        expect(told(before).scaler).toBe("none");
        expect(told(after)).toEqual(told(before));
        // Of hals, W and H share the factor; of em-onmf, W has length 1 or is a sample.
        const grown = { hals: null, "em-onmf": null, spherical: 1 }[method as string];
        if (grown === null) return;
        expect(bits(after.W.data)).toBe(bits(before.W.data.map((w) => w * (grown ?? 2 ** exponent))));
      }),
      { seed: 18, numRuns: RUNS },
    );
  });
});

describe("extreme values", () => {
  const X = dense(blobRows(5, 700, 6, 3));

  it("are the same on several threads and after an interruption", async () => {
    const Y = shift(X, 600);
    for (const method of ["bonmf", "hals"] as const) {
      const options = { k: 3, seed: 2, method, tolerance: 0, maxIterations: 12 } as const;
      const whole = await fit(Y, options);
      expect(record(await fit(Y, { ...options, threads: 2 }))).toEqual(record(whole));
      const early = await fit(Y, { ...options, maxIterations: 2 });
      expect(record(await resume(early, Y, { maxIterations: 12 })).W).toEqual(record(whole).W);
    }
  });

  it("are refused where the samples are not in memory, and where no scaler was asked for", async () => {
    for (const exponent of [-400, 400]) {
      const Y = shift(X, exponent);
      const size = exponent > 0 ? "large" : "small";
      const away = await fit(streamSource(storeHere(Y), { memory: 2 ** 24 }), { k: 3 }).catch((error) => error);
      expect(away).toBeInstanceOf(DataError);
      expect(away.message).toMatch(new RegExp(`^the largest value is .*, too ${size} .*: add scale: "exponent"`));
      const here = await fit(Y, { k: 3, scale: "none" }).catch((error) => error);
      expect(Y.at(here.place.sample, here.place.feature)).toBe(here.place.value);
      expect(here.message).toMatch(new RegExp(`^sample \\d+, feature \\d: the largest value is .*, too ${size}`));
    }
  });

  it("are refused by a model that cannot compare them", async () => {
    const model = await fit(X, { k: 3, method: "kmeans" });
    expect(() => model.predict(dense([[1, 2, 1e200, 4, 5, 6]]))).toThrow(
      /^sample 0, feature 2 is 1e\+200: values beyond/,
    );
    expect(() => model.predict(dense([[1, 2, -1e200, 4, 5, 6]]))).toThrow(/^sample 0, feature 2 is -1e\+200/);
  });

  it("are refused as weights", async () => {
    for (const weight of [1e100, 1e-100]) {
      const weights = new Float64Array(X.samples).fill(weight);
      await expect(fit(X, { k: 3, weights })).rejects.toThrow(/^the weights add up to .*: multiply all of them/);
    }
  });

  it.each(["minmax", "l2", "tfidf", "split", "standard", "lift", "exponent"] as const)(
    "vanish by scale %s",
    (scale) => {
      const expected = fitScaler(scale, X).transform(X).toDense().data;
      for (const exponent of [-1000, -540, 540, 1000]) {
        const Y = shift(X, exponent);
        expect(bits(fitScaler(scale, Y).transform(Y).toDense().data)).toBe(bits(expected));
      }
    },
  );

  it("change no measure", () => {
    const labels = Array.from({ length: X.samples }, (_, i) => i % 3);
    const W = X.take([0, 1, 2]);
    const H = Sparse.fromDense(dense(labels.map((label) => [0, 1, 2].map((j) => (j === label ? 1 : 0)))));
    const measure = (Y: Matrix, V: Matrix) => [
      silhouette(Y, labels, { metric: "cosine", sample: 50 }),
      silhouette(Y, labels, { metric: "euclidean", sample: 50 }),
      silhouettes(Y, labels, { metric: "cosine" }).mean(),
      silhouettes(Y, labels, { metric: "squared" }).mean(),
      relativeError(Y, V.toDense(), H),
      singlePrototypeError(Y, "one"),
      singlePrototypeError(Y, "real"),
    ];
    const expected = measure(X, W);
    for (const exponent of [-1000, -540, 540, 1000]) {
      expect(measure(shift(X, exponent), shift(W, exponent))).toEqual(expected);
      expect(measure(Sparse.fromDense(shift(X, exponent).toDense()), shift(W, exponent))).toEqual(expected);
    }
  });
});
