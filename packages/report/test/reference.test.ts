import { Dense, type FitOptions, fit, Sparse } from "bonmf";
import { describe, expect, it } from "vitest";
import { collectFindings } from "../src/collect.js";
import { measureReference, refuseReference } from "../src/reference.js";
import { openDraw } from "../src/subsample.js";

const draw = openDraw(11);
const bell = () => Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());

function make(n: number, m: number, value: (i: number, f: number) => number): Dense {
  return Dense.from(Array.from({ length: n }, (_, i) => Array.from({ length: m }, (_, f) => value(i, f))));
}

async function judge(X: Dense, options: FitOptions) {
  const model = await fit(X, { init: "plusplus", restarts: 5, seed: 3, ...options });
  return (await measureReference(model, X))!;
}

/** One group along a line in three features. */
const elongated = Dense.from(
  Array.from({ length: 300 }, () => {
    const along = 5 * bell();
    return [along + bell(), along + bell(), bell() - along];
  }),
);

describe("data without groups is no better than its reference", () => {
  it.each<[string, Dense, FitOptions]>([
    ["uniform noise, by angle", make(300, 5, draw), { k: 4 }],
    ["uniform noise, by distance", make(300, 2, draw), { k: 3, method: "kmeans" }],
    ["uniform noise in many features", make(300, 40, draw), { k: 5, method: "kmeans" }],
    ["one round group", make(300, 6, bell), { k: 3, method: "kmeans", scale: "standard" }],
    ["one elongated group", elongated, { k: 3, method: "kmeans", scale: "standard" }],
    ["skewed features", make(300, 4, () => Math.exp(bell())), { k: 4, method: "kmeans", scale: "standard" }],
    ["columns of yes and no", make(300, 6, () => (draw() < 0.4 ? 1 : 0)), { k: 3, method: "kmeans" }],
  ])("%s", async (_, X, options) => {
    const { better, own, chance } = await judge(X, options);
    expect(better).toBe(false);
    expect(own.explained).toBeLessThan(chance.explained + 0.05);
  });
});

describe("groups are better", () => {
  const groups = make(300, 4, (i, f) => bell() + 20 + (f === i % 3 ? 8 : 0));

  it.each<[string, Dense, FitOptions]>([
    ["by distance", groups, { k: 3, method: "kmeans" }],
    ["by angle", groups, { k: 3, scale: "standard" }],
    [
      "apart in one feature of two",
      make(300, 2, (i, f) => bell() + (f === 0 && i % 2 ? 8 : 0)),
      { k: 2, method: "kmeans" },
    ],
    ["in one feature", make(300, 1, (i) => bell() + (i % 2 ? 8 : 0)), { k: 2, method: "kmeans" }],
    ["by a ray", make(300, 6, (i, f) => draw() + (f % 3 === i % 3 ? 3 : 0)), { k: 3, method: "em-onmf" }],
  ])("%s", async (_, X, options) => {
    const { better, own, chance } = await judge(X, options);
    expect(better).toBe(true);
    expect(own.silhouette).toBeGreaterThan(chance.silhouette);
  });

  it("also of sparse samples", async () => {
    const X = Sparse.fromDense(
      make(200, 60, (i, f) => (draw() < (f % 4 === i % 4 ? 0.3 : 0.05) ? 1 + Math.floor(3 * draw()) : 0)),
    );
    const model = await fit(X, { k: 4, init: "plusplus", restarts: 5, scale: "tfidf" });
    expect((await measureReference(model, X))!.better).toBe(true);
  });

  it("on part of many samples", async () => {
    const X = make(3000, 4, (i, f) => bell() + 20 + (f === i % 3 ? 8 : 0));
    const model = await fit(X, { k: 3, method: "kmeans" });
    const found = (await measureReference(model, X))!;
    expect(found).toMatchObject({ samples: 1000, better: true });
    expect(await measureReference(model, X)).toEqual(found);
  });
});

describe("a reference", () => {
  const X = make(60, 3, draw);

  it("is not measured for one cluster, few samples and real-valued methods", async () => {
    for (const [options, reason] of [
      [{ k: 1 }, "one cluster"],
      [{ k: 20 }, "fewer than 4 samples for each cluster"],
      [{ k: 2, method: "nmf" }, "real-valued"],
    ] as const) {
      const model = await fit(X, options);
      expect(await measureReference(model, X)).toBeNull();
      expect(refuseReference(model, X)).toContain(reason);
    }
  });

  it("counts samples by weight", async () => {
    const model = await fit(X, { k: 2, init: "plusplus" });
    const plain = await measureReference(model, X);
    expect(await measureReference(model, X, new Float64Array(60).fill(1))).toEqual(plain);
    expect(await measureReference(model, X, new Float64Array(60).fill(0.01))).toEqual(plain);
    const rows = [...Array(60).keys()].flatMap((i) => (i < 20 ? [i, i] : [i]));
    const split = await measureReference(model, X.take(rows), rows.map((i) => (i < 20 ? 0.5 : 1))); // biome-ignore format: one line
    expect(split).toEqual(plain);
    const copies = await measureReference(model, X.take(rows));
    expect(await measureReference(model, X, rows.slice(0, 60).map((_, i) => (i < 20 ? 2 : 1)))).toEqual(copies); // biome-ignore format: one line
    const without = [...Array(60).keys()].map((i) => (i < 30 ? 1 : 0));
    expect(await measureReference(model, X, without)).toEqual(await measureReference(model, X.take([...Array(30).keys()]))); // biome-ignore format: one line
    expect(
      refuseReference(
        model,
        X,
        new Float64Array(60).map((_, i) => (i < 7 ? 1 : 0)),
      ),
    ).toContain("fewer than 4");
  });

  it("ends by its signal", async () => {
    const model = await fit(X, { k: 2 });
    await expect(measureReference(model, X, null, AbortSignal.abort())).rejects.toThrow("aborted");
  });

  it("is part of the findings", async () => {
    const model = await fit(X, { k: 2 });
    const reference = await measureReference(model, X);
    expect((await collectFindings(model, { X, reference })).reference).toEqual(reference);
    expect((await collectFindings(model, { X })).reference).toBeNull();
  });
});
