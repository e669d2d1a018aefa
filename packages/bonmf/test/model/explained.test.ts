import { describe, expect, it } from "vitest";
import { METHODS } from "../../src/factor/methods/index.js";
import type { MethodName } from "../../src/factor/settings.js";
import { Dense } from "../../src/matrix/dense.js";
import { relativeError, singlePrototypeError } from "../../src/measure/reconstruction.js";
import { fit } from "../../src/model/fit.js";
import { loadModel, saveModel } from "../../src/model/model-file.js";
import { Random } from "../../src/random.js";
import { replace } from "./files.js";

const NAMES = Object.keys(METHODS) as MethodName[];

/** Two directions with noise, so that every method has something to find. */
function twoRays(samples = 60, features = 5): Dense {
  const random = new Random(3, 0);
  const X = Dense.zeros(samples, features, "f64");
  for (let i = 0; i < samples; i++) {
    for (let f = 0; f < features; f++) {
      const own = i % 2 === 0 ? f < 2 : f >= 2;
      X.data[i * features + f] = random.next() + (own ? 5 : 0);
    }
  }
  return X;
}

describe("explained", () => {
  const X = twoRays();

  it.each(NAMES)("is 0 for one prototype by %s", async (method) => {
    const model = await fit(X, { k: 1, method, maxIterations: 2000, tolerance: 1e-12, alpha: 0 });
    // semi-binary may use its prototype for some samples only.
    const digits = method === "semi-binary" ? 0 : 5;
    expect(model.explained).toBeCloseTo(0, digits);
    expect(model.measureErrors(X).explained).toBeCloseTo(0, digits);
  });

  it.each(NAMES)("rises with the clusters that are there, by %s", async (method) => {
    const model = await fit(X, { k: 2, method, seed: 1, restarts: 5, alpha: 0 });
    expect(model.explained).toBeGreaterThan(0.5);
    expect(model.explained).toBeLessThan(1);
    expect(model.measureErrors(X).singleError).toBeCloseTo(model.singleError!, 6);
  });

  it.each(NAMES.filter((name) => name !== "spherical"))("has the same bits in steps, by %s", async (method) => {
    const features = 120;
    const model = await fit(twoRays(60, features), { k: 20, method, maxIterations: 3 });
    // More samples than are encoded at a time.
    const many = twoRays(2500, features);
    const steps = model.errorSteps(many);
    let count = 0;
    for (let step = steps.next(); ; step = steps.next(), count++) {
      if (!step.done) continue;
      expect(step.value).toEqual(model.measureErrors(many));
      expect(step.value.relativeError).toBe(relativeError(many, model.W, model.transform(many)));
      break;
    }
    expect(count).toBeGreaterThan(4);
  });

  it("is the share of the variance between clusters for one-hot codes", async () => {
    const model = await fit(X, { k: 3, method: "kmeans" });
    let within = 0;
    let total = 0;
    const mean = Array.from({ length: 5 }, (_, f) => avg(Array.from({ length: 60 }, (_, i) => X.at(i, f))));
    for (let i = 0; i < 60; i++) {
      for (let f = 0; f < 5; f++) {
        within += (X.at(i, f) - model.W.at(model.labels[i], f)) ** 2;
        total += (X.at(i, f) - mean[f]) ** 2;
      }
    }
    expect(model.explained).toBeCloseTo(1 - within / total, 10);
  });

  it("counts a sample of weight 2 as two samples", async () => {
    const weights = Array.from({ length: 60 }, (_, i) => (i < 10 ? 2 : 1));
    const twice = X.take([...Array(60).keys(), ...Array(10).keys()]);
    for (const method of ["bonmf", "spherical", "nmf", "semi-binary"] as const) {
      const model = await fit(X, { k: 2, method, weights });
      const kind = method === "nmf" ? "real" : "one";
      const seen = method === "spherical" ? unit(twice) : twice;
      expect(model.singleError).toBeCloseTo(singlePrototypeError(seen, kind), 6);
    }
  });

  it("is 0 where all samples are the same, and where all are zero", async () => {
    const same = Dense.from([
      [3, 1],
      [3, 1],
      [3, 1],
    ]);
    for (const method of ["bonmf", "kmeans", "nmf"] as const) {
      expect((await fit(same, { k: 2, method })).explained).toBe(0);
      expect((await fit(Dense.zeros(3, 2), { k: 2, method })).explained).toBe(0);
    }
  });

  it("is the same on threads, and after a restart", async () => {
    const [one, two] = await Promise.all(
      [1, 2].map((threads) => fit(X, { k: 2, method: "nmf", restarts: 3, threads })),
    );
    expect(one.singleError).toBe(two.singleError);
  });

  it("is kept in the file; a file without it says null", async () => {
    const bytes = saveModel(await fit(X, { k: 2 }));
    expect(loadModel(bytes).explained).toBeGreaterThan(0.5);
    expect(loadModel(replace(bytes, { "model singleError": undefined })).explained).toBeNull();
    expect(() => loadModel(replace(bytes, { "model singleError": -1 }))).toThrow(/singleError must be/);
  });
});

describe("singlePrototypeError", () => {
  it("is what the mean leaves, by hand", () => {
    const X = Dense.from([
      [3, 0],
      [6, 0],
      [0, 6],
    ]);
    // The mean is (3, 2): 0 + 4 + 9 + 4 + 9 + 16 of 81.
    expect(singlePrototypeError(X, "one")).toBeCloseTo(Math.sqrt(42 / 81), 12);
    expect(singlePrototypeError(X, "real")).toBeCloseTo(Math.sqrt(36 / 81), 6);
  });

  it("is never more than any other single prototype leaves", () => {
    const X = twoRays(20, 3);
    const ones = Dense.from(Array.from({ length: 20 }, () => [1]));
    const random = new Random(1, 0);
    for (let t = 0; t < 20; t++) {
      const w = Dense.from([[5 * random.next(), 5 * random.next(), 5 * random.next()]]);
      expect(singlePrototypeError(X, "one")).toBeLessThanOrEqual(relativeError(X, w, ones));
      expect(singlePrototypeError(X, "real")).toBeLessThanOrEqual(singlePrototypeError(X, "one"));
    }
  });
});

function avg(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function unit(X: Dense): Dense {
  return Dense.from(
    Array.from({ length: X.samples }, (_, i) => {
      const row = Array.from(X.row(i));
      const length = Math.hypot(...row);
      return row.map((value) => value / length);
    }),
  );
}
