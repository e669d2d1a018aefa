import { describe, expect, it } from "vitest";
import { fit } from "../../src/model/fit.js";
import { ALL, blobRows, ONE_HOT } from "../synthetic.js";

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
