import { describe, expect, it } from "vitest";
import { clusteringAccuracy } from "../../src/measure/index.js";
import { fit } from "../../src/model/fit.js";
import { dense, draws, ONE_HOT } from "../synthetic.js";

describe("bonmf by hand", () => {
  // Directions: (3,4) and (4,3) of length 5, (0,2) of length 2. From the axes: (4,3) → x, the others → y.
  const X = [
    [4, 3],
    [3, 4],
    [0, 2],
  ];
  const init = [
    [1, 0],
    [0, 1],
  ];

  it("takes one step as on paper", async () => {
    const model = await fit(X, { k: 2, init, maxIterations: 1 });
    expect([...model.labels]).toEqual([0, 1, 1]);
    expect([...model.W.data]).toEqual([1, 0, 0, 1]);
    expect(model.potential).toBeCloseTo(5 + Math.sqrt(9 + 36), 14);
    // W is still the axes: residuals (3,3), (3,3), (0,1) of samples with squared lengths 25, 25, 4.
    expect(model.relativeError).toBeCloseTo(Math.sqrt((9 + 9 + 9 + 9 + 1) / 54), 14);
  });

  it("moves the second sample at the second step, and ends with the means", async () => {
    const model = await fit(X, { k: 2, init });
    // The mean of (3,4) and (0,2) is (1.5,3): its cosine with (3,4) is 16.5/(5·3.354) = 0.984, that of (4,3) only 0.96.
    expect([...model.labels]).toEqual([0, 1, 1]);
    expect([...model.W.data]).toEqual([4, 3, 1.5, 3]);
    expect(model.iterations).toBe(2);
    expect(model.history.map(({ changed }) => changed)).toEqual([3, 0]);
    expect(model.stopped).toBe("fixed-point");
    expect(model.relativeError).toBeCloseTo(Math.sqrt((2.25 + 1 + 2.25 + 1) / 54), 14);
    expect([...model.counts]).toEqual([1, 2]);
  });

  it("does not mind how long a sample is, but weighs it by its length", async () => {
    const long = [
      [1, 0],
      [100, 100],
      [0, 1],
    ];
    const model = await fit(long, { k: 2, init });
    // A tie of cosines: (100,100) goes to cluster 0, whose mean it then dominates.
    expect([...model.labels]).toEqual([0, 0, 1]);
    expect([...model.W.data]).toEqual([50.5, 50, 0, 1]);
  });

  it("with weights: a sample of weight 3 counts three times in the mean", async () => {
    const options = { k: 1, init: [[1, 1]], weights: [3, 1] };
    const model = await fit(
      [
        [4, 0],
        [0, 4],
      ],
      options,
    );
    expect([...model.W.data]).toEqual([3, 1]);
    expect(model.potential).toBeCloseTo(Math.sqrt(12 * 12 + 4 * 4), 14);
  });
});

describe("kmeans by hand", () => {
  it("runs Lloyd's algorithm on a line", async () => {
    const X = [[0], [1], [5], [6], [20]];
    const model = await fit(X, { k: 2, method: "kmeans", init: [[0], [5]] });
    // 0,1 | 5,6,20 → means ½ and 31/3; 5 is then nearer ½: 0,1,5 | 6,20 → 2 and 13; then 0,1,5,6 | 20 → 3 and 20.
    expect([...model.labels]).toEqual([0, 0, 0, 0, 1]);
    expect([...model.W.data]).toEqual([3, 20]);
    expect(model.history.map(({ changed }) => changed)).toEqual([5, 1, 1, 0]);
    const losses = [0.5 + (16 / 3) ** 2 + (13 / 3) ** 2 + (29 / 3) ** 2, 14 + 98, 26, 26];
    model.history.forEach(({ potential }, t) => {
      expect(potential).toBeCloseTo(losses[t], 10);
    });
  });
});

describe("spherical by hand", () => {
  it("averages directions, not samples", async () => {
    const X = [
      [10, 0],
      [3, 4],
      [0, 1],
      [0, 7],
    ];
    const init = [
      [1, 0],
      [0, 1],
    ];
    const model = await fit(X, { k: 2, method: "spherical", init });
    // (3,4)/5 is nearer the y axis; w₁ is the mean of (.6,.8), (0,1), (0,1).
    expect([...model.labels]).toEqual([0, 1, 1, 1]);
    expect([...model.W.data].map((w) => w.toFixed(12))).toEqual([1, 0, 0.2, 2.8 / 3].map((w) => w.toFixed(12)));
    expect(model.potential).toBeCloseTo(1 + Math.hypot(0.6, 2.8), 12);
  });
});

describe("em-onmf by hand", () => {
  it("finds the leading direction of each cluster and the coefficients on it", async () => {
    const X = [
      [2, 0, 0],
      [0, 3, 4],
      [0, 6, 8],
      [5, 0, 0],
    ];
    const init = [
      [1, 0, 0],
      [0, 1, 1],
    ];
    const model = await fit(X, { k: 2, method: "em-onmf", init });
    expect([...model.labels]).toEqual([0, 1, 1, 0]);
    expect([...model.W.data].map((w) => w.toFixed(12))).toEqual([1, 0, 0, 0, 0.6, 0.8].map((w) => w.toFixed(12)));
    expect([...(model.codes.values ?? [])].map((h) => h.toFixed(12))).toEqual([2, 5, 10, 5].map((h) => h.toFixed(12)));
    expect(model.relativeError).toBeLessThan(1e-7);
  });

  it("takes its first step by hand", async () => {
    const model = await fit(
      [
        [1, 2],
        [3, 0],
      ],
      { k: 1, method: "em-onmf", init: [[2, 2]], maxIterations: 1 },
    );
    // h = ⟨x,w⟩/‖w‖²: 6/8 and 6/8; the residuals are (−½,½) and (1½,−1½).
    for (const h of model.codes.values ?? []) expect(h).toBeCloseTo(0.75, 14);
    expect(model.codes.values?.length).toBe(2);
    expect(model.potential).toBeCloseTo(0.5 + 4.5, 12);
  });
});

describe("a planted factorisation is recovered", () => {
  const next = draws(3);
  const k = 4;
  const truth = Array.from({ length: 60 }, (_, i) => (i * 7 + (i >> 3)) % k);
  // Blocks of features with a little overlap, so that the directions differ but are not orthogonal.
  const centres = Array.from({ length: k }, (_, j) =>
    Array.from({ length: 12 }, (_, f) => (Math.floor(f / 3) === j ? 4 + (f % 3) : f % 5 === 0 ? 1 : 0)),
  );
  const identical = truth.map((j) => centres[j]);
  const proportional = truth.map((j) => {
    const length = Math.ceil(next() * 8);
    return centres[j].map((c) => c * length);
  });

  it.each(ONE_HOT)("by %s from identical columns", async (method) => {
    const model = await fit(dense(identical), { k, method, seed: 2, init: "plusplus" });
    expect(clusteringAccuracy(truth, model.labels)).toBe(1);
    expect(model.relativeError).toBeLessThan(1e-7);
    expect(model.converged).toBe(true);
  });

  it.each(["bonmf", "spherical", "em-onmf"] as const)("by %s from proportional columns", async (method) => {
    const model = await fit(dense(proportional), { k, method, seed: 2, init: "plusplus" });
    expect(clusteringAccuracy(truth, model.labels)).toBe(1);
    if (method !== "bonmf") expect(model.relativeError).toBeLessThan(1e-7);
  });

  it("by every one-hot method from every named init, after repairs if need be", async () => {
    for (const method of ONE_HOT) {
      for (const init of ["columns", "sample", "plusplus", "nndsvd", "random"] as const) {
        const model = await fit(dense(identical), { k, method, seed: 5, init });
        expect([method, init, clusteringAccuracy(truth, model.labels)]).toEqual([method, init, 1]);
      }
    }
  });

  it("by hals with restarts", async () => {
    const options = { k, method: "hals", init: "random", restarts: 5, maxIterations: 2000, tolerance: 1e-12 } as const;
    const model = await fit(dense(proportional), options);
    expect(clusteringAccuracy(truth, model.labels)).toBe(1);
    expect(model.relativeError).toBeLessThan(1e-4);
  });
});
