import { describe, expect, it } from "vitest";
import { fit } from "../../src/index.js";
import {
  chooseGroups,
  chooseInt16,
  chooseKernel,
  chooseMostGroups,
  choosePrefetch,
  chooseRun,
  chooseStorage,
  encodesOnScratch,
  MOST_GROUPS,
  multipliesOnScratch,
  nameKernel,
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

  const STAY = "stored samples stay as given";
  const FEW = "fewer than 6,000 multiply-adds a sample";
  const NO_INT16 = "int16: only for dense 32-bit samples";
  it.each<[string, Partial<Workload>, string]>([
    ["CSR by density", {}, `19 % non-zeros: below 30 %; ${FEW}; ${NO_INT16}`],
    [
      "few features",
      { features: 16 },
      `fewer than 32 features; ${FEW}; int16: at most 16 MB of samples, 12 features or more`,
    ],
    ["too few for 16 bits", { features: 11 }, `fewer than 32 features; ${FEW}; int16: fewer than 12 features`],
    ["64 bits", { precision: "f64", k: 6, features: 100 }, `64-bit samples stay as given; ${FEW}; ${NO_INT16}`],
    [
      "one panel",
      { density: 1 },
      "100 % non-zeros: at least 30 %; k ≤ 12: one panel of prototypes; int16: more than 16 MB of samples",
    ],
    [
      "groups",
      { given: "CSR", density: 0.5, k: 13 },
      "50 % non-zeros: above 37.5 %; at least 6,000 multiply-adds a sample; int16: groups leave few samples to score in full",
    ],
    [
      "many groups",
      { given: "CSR", density: 0.3, k: 100 },
      "30 % non-zeros: at most 37.5 %; at least 6,000 multiply-adds a sample; int16: groups leave few samples to score in full",
    ],
    [
      "one bound",
      { k: 100, mostGroups: 1, resident: false },
      `${STAY}; memory for one lower bound a sample; int16: more than 16 MB of samples`,
    ],
    ["32-bit products", { rule: "cyclic" }, "19 % non-zeros: below 30 %; later steps correct what 32 bits lose"],
    [
      "64-bit products",
      { rule: "nnls" },
      "19 % non-zeros: below 30 %; only rules that refine H step by step sum in 32 bits",
    ],
  ])("says why: %s", (_, change, reason) => {
    expect(chooseKernel({ ...DIGITS, ...change }).reason).toBe(reason);
  });

  it("counts the bytes of resident samples by their precision", () => {
    const small = { ...DIGITS, density: 1, features: 64, samples: 2 ** 16 };
    expect(chooseKernel(small).name).toBe("dense f32, Hamerly, int16 first");
    expect(chooseKernel({ ...small, samples: 2 ** 16 + 1 }).name).toBe("dense f32, Hamerly");
  });
});

it("scores in 16 bits first where that is possible and pays", () => {
  const int16 = (features: number, groups = 1, bytes = 2 ** 24) =>
    chooseInt16("dense", "f32", features, groups, bytes).value;
  expect([int16(11), int16(12), int16(12, 2), int16(12, 1, 2 ** 24 + 1)]).toEqual([false, true, false, false]);
  expect(chooseInt16("dense", "f32", 12, 1).value).toBe(false);
  expect(chooseInt16("dense", "f64", 12, 1, 1).value).toBe(false);
  expect(chooseInt16("CSR", "f32", 12, 1, 1).value).toBe(false);
});

it("names a kernel that tried 16 bits", () => {
  const parts = { storage: "dense", precision: "f32" } as const;
  expect(nameKernel({ ...parts, pruned: { groups: 1, int16: "tried" } })).toBe("dense f32, Hamerly, int16 tried");
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
  expect([5999, 6000].map((work) => chooseGroups(work / 24, 24, "f32").value.groups)).toEqual([1, 2]);
  expect([chooseMostGroups(10, 10), chooseMostGroups(11, 10)]).toEqual([MOST_GROUPS, 1]);
});

it("decides the rest by size", () => {
  expect([choosePrefetch(2 ** 21, 100_000), choosePrefetch(2 ** 22, 100_000)]).toEqual([false, true]);
  expect(choosePrefetch(2 ** 22, 4096)).toBe(false);
  expect([refinesIn32Bits("multiply", 1, 1), refinesIn32Bits("multiply", 2 ** 60, 1)]).toEqual([true, false]);
  expect(refinesIn32Bits("nnls", 1, 1)).toBe(false);
  expect([refinesIn32Bits("root", 1, 1), refinesIn32Bits("cyclic", 1, 1)]).toEqual([true, true]);
  expect([2 ** -60, 2 ** -59].map((length) => refinesIn32Bits("root", length, 1))).toEqual([false, true]);
  expect([2 ** 40, 2 ** 39].map((weight) => refinesIn32Bits("root", 1, weight))).toEqual([false, true]);
  expect([0, 0.25, 0.26, 1].map(chooseRun)).toEqual([128, 128, 64, 64]);
  expect([encodesOnScratch(73, 5, 10), encodesOnScratch(74, 5, 10)]).toEqual([false, true]);
  expect([multipliesOnScratch(10, 655), multipliesOnScratch(10, 656)]).toEqual([false, true]);
  expect(multipliesOnScratch(16, 256)).toBe(true);
  // 24 bytes a value: 2²⁸ are 11,184,810 values and a rest.
  expect([encodesOnScratch(1000, 1_118_481, 10), encodesOnScratch(1000, 1_118_482, 10)]).toEqual([true, false]);
  expect([multipliesOnScratch(10, 1_118_481), multipliesOnScratch(10, 1_118_482)]).toEqual([true, false]);
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
