import { describe, expect, it } from "vitest";
import { fit } from "../../src/index.js";
import {
  chooseGroups,
  chooseKernel,
  chooseMostGroups,
  choosePrefetch,
  chooseStorage,
  encodesOnScratch,
  MOST_GROUPS,
  multipliesOnScratch,
  refinesIn32Bits,
  type Workload,
} from "../../src/kernel/choose.js";
import { Dense } from "../../src/matrix/dense.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { Random } from "../../src/random.js";

const DIGITS: Workload = {
  samples: 60_000,
  features: 784,
  given: "dense",
  density: 0.19,
  precision: "f32",
  k: 10,
  rule: "cosine",
};

describe("chooseKernel", () => {
  it.each<[string, Partial<Workload>, string]>([
    ["dense data with few non-zeros", {}, "CSR f32, Hamerly"],
    ["many prototypes", { k: 100 }, "CSR f32, Yinyang 9 groups"],
    ["more panels than bounds", { k: 1000 }, "CSR f32, Yinyang 10 groups"],
    ["memory for one bound", { k: 100, mostGroups: 1 }, "CSR f32, Hamerly"],
    ["full data beyond 16 MB", { density: 1 }, "dense f32, Hamerly"],
    ["full data, k beyond a panel", { density: 1, k: 13 }, "dense f32, Yinyang 2 groups"],
    ["small full data", { density: 1, samples: 5000 }, "dense f32, Hamerly, int16 first"],
    ["out of core, stored dense", { density: 1, samples: 5000, resident: false }, "dense f32, Hamerly"],
    ["64 bits", { precision: "f64" }, "dense f64, Yinyang 2 groups"],
    ["nmf", { rule: "multiply" }, "CSR f32, 32-bit products"],
    ["nmf in 64 bits", { rule: "multiply", precision: "f64" }, "dense f64, 64-bit products"],
    ["em-onmf", { rule: "ray" }, "CSR f32, 64-bit products"],
    ["no SIMD", { simd: false }, "plain TypeScript"],
    ["sparse data", { given: "CSR", density: 0.01, features: 20_000 }, "CSR f32, Hamerly"],
    ["sparse data that is full", { given: "CSR", density: 0.5, samples: 100 }, "dense f32, Hamerly, int16 first"],
  ])("%s", (_, change, name) => {
    const choice = chooseKernel({ ...DIGITS, ...change });
    expect(choice.name).toBe(name);
    expect(choice.reason).not.toBe("");
  });

  it("says why", () => {
    expect(chooseKernel(DIGITS).reason).toBe(
      "19 % non-zeros: below 30 %; fewer than 6,000 multiply-adds a sample; int16: only for dense 32-bit samples",
    );
  });
});

it("stores 32-bit samples by their density", () => {
  const storage = (given: "dense" | "CSR", density: number, features = 100) =>
    chooseStorage(given, "f32", features, density).value;
  expect([0.1, 0.299, 0.3, 1].map((density) => storage("dense", density))).toEqual(["CSR", "CSR", "dense", "dense"]);
  expect([0.1, 0.375, 0.376, 1].map((density) => storage("CSR", density))).toEqual(["CSR", "CSR", "dense", "dense"]);
  expect([31, 32].map((features) => storage("dense", 0.1, features))).toEqual(["dense", "CSR"]);
  expect(storage("CSR", Number.NaN)).toBe("CSR");
});

it("makes groups of whole panels, never more than the most", () => {
  for (const k of [1, 12, 13, 120, 121, 500]) {
    for (const most of [1, 3, MOST_GROUPS]) {
      const { width, panels, panelsPerGroup, groups } = chooseGroups(10_000, k, "f32", most).value;
      expect(width * panels).toBeGreaterThanOrEqual(k);
      expect(groups).toBeLessThanOrEqual(most);
      expect(panelsPerGroup * groups).toBeGreaterThanOrEqual(panels);
      expect(panelsPerGroup * (groups - 1)).toBeLessThan(panels);
    }
  }
  expect([chooseMostGroups(10, 10), chooseMostGroups(11, 10)]).toEqual([MOST_GROUPS, 1]);
});

it("decides the rest by size", () => {
  expect([choosePrefetch(2 ** 21, 100_000), choosePrefetch(2 ** 22, 100_000)]).toEqual([false, true]);
  expect(choosePrefetch(2 ** 22, 4096)).toBe(false);
  expect([refinesIn32Bits("multiply", 1, 1), refinesIn32Bits("multiply", 2 ** 60, 1)]).toEqual([true, false]);
  expect(refinesIn32Bits("nnls", 1, 1)).toBe(false);
  expect([encodesOnScratch(73, 5, 10), encodesOnScratch(74, 5, 10)]).toEqual([false, true]);
  expect([multipliesOnScratch(10, 655), multipliesOnScratch(10, 656)]).toEqual([false, true]);
});

describe("a model names the kernel it was fitted with", () => {
  const data = (zeros: number) => {
    const random = new Random(3);
    const value = (p: number) => (Math.floor((p % 40) / 14) === Math.floor(p / 40) % 3 ? 9 : 1) + random.next();
    return Float32Array.from({ length: 400 * 40 }, (_, p) => (random.next() < zeros ? 0 : value(p)));
  };
  const full = new Dense(400, 40, data(0));
  const hollow = new Dense(400, 40, data(0.9));

  it.each([
    ["dense", full, { k: 3 }, { given: "dense", density: 1, rule: "cosine" }],
    ["dense with many zeros", hollow, { k: 3 }, { given: "dense", density: 0.1, rule: "cosine" }],
    ["sparse and full", Sparse.fromDense(full), { k: 3 }, { given: "CSR", density: 1, rule: "cosine" }],
    ["many prototypes", full, { k: 160, method: "kmeans" }, { given: "dense", density: 1, rule: "distance", k: 160 }],
    ["nmf", full, { k: 3, method: "nmf" }, { given: "dense", density: 1, rule: "multiply" }],
  ] as const)("%s", async (_, X, options, work) => {
    const model = await fit(X, { ...options, seed: 1, threads: 1, maxIterations: 3 });
    const shape = { samples: 400, features: 40, precision: "f32", k: options.k } as const;
    expect(model.kernel).toBe(chooseKernel({ ...shape, ...work }).name);
  });

  it("whatever the threads, and in memory only", async () => {
    const model = await fit(full, { k: 3, seed: 1, threads: 2, maxIterations: 3 });
    expect(model.kernel).toBe("dense f32, Hamerly, int16 first");
    const { saveModel, loadModel } = await import("../../src/index.js");
    expect(loadModel(saveModel(model)).kernel).toBe(null);
  });
});
