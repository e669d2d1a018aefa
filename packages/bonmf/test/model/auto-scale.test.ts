import { describe, expect, it } from "vitest";
import { Dense } from "../../src/matrix/dense.js";
import { chooseScale } from "../../src/model/auto-scale.js";
import { fit } from "../../src/model/fit.js";
import { chooseRestarts } from "../../src/model/restarts.js";
import { summariseFeatures } from "../../src/scale/summary.js";
import { draws } from "../synthetic.js";

/** Clusters in a table of different units: metres, grams, degrees. */
function tableRows(seed: number, n = 120): number[][] {
  const next = draws(seed);
  const normal = () => next() + next() + next() + next() - 2;
  return Array.from({ length: n }, (_, i) => {
    const j = i % 3;
    return [1.7 + 0.2 * j + 0.1 * normal(), 4000 - 900 * j + 300 * normal(), 15 * (j % 2) + 4 * normal(), normal()];
  });
}

/** Pixels 0 … 255, many of them 0. */
function pixelRows(seed: number, n = 60, m = 36): number[][] {
  const next = draws(seed);
  return Array.from({ length: n }, (_, i) =>
    Array.from({ length: m }, (_, f) => (next() < 0.3 ? 0 : Math.round(255 * next() * (f % 3 === i % 3 ? 1 : 0.6)))),
  );
}

const choose = (rows: number[][], hints: Parameters<typeof chooseScale>[1] = {}) =>
  chooseScale(summariseFeatures(Dense.from(rows, "f64")), hints).scale;
const names = ["height", "mass", "temperature", "noise"];

describe("chooseScale", () => {
  it.each([
    ["bonmf", "lift"],
    ["spherical", "lift"],
    ["kmeans", "standard"],
    ["nmf", "split"],
    ["em-onmf", "split"],
  ] as const)("standardises different units for %s by %s", (method, scale) => {
    expect(choose(tableRows(1), { method, featureNames: names })).toBe(scale);
  });

  it("splits for the paper's own W step", () => {
    expect(choose(tableRows(1), { update: "multiplicative" })).toBe("split");
  });

  it("leaves pixels as they are, numbered or nameless, and standardises them by other names", () => {
    const rows = pixelRows(1);
    expect(choose(rows)).toBe("none");
    expect(choose(rows, { featureNames: rows[0].map((_, f) => `pixel_${f % 6}_${Math.floor(f / 6)}`) })).toBe("none");
    expect(choose(rows, { featureNames: rows[0].map((_, f) => "abcdefghij"[f % 10].repeat(1 + f)) })).toBe("lift");
    expect(choose(rows, { kind: "one-unit", featureNames: names })).toBe("none");
  });

  it("leaves sparse samples and counts as they are, whatever their names", () => {
    const counts = pixelRows(2).map((row) => row.map((x) => (x > 200 ? 3 : 0)));
    const words = counts[0].map((_, f) => `word${"x".repeat(f)}`);
    expect(choose(counts, { featureNames: words })).toBe("none");
    expect(choose(counts, { kind: "text" })).toBe("tfidf");
  });

  it("leaves embeddings as they are, and splits them for methods without signs", () => {
    const next = draws(3);
    const rows = Array.from({ length: 40 }, () => Array.from({ length: 96 }, () => next() - 0.5));
    expect(choose(rows)).toBe("none");
    expect(choose(rows, { method: "hals" })).toBe("split");
    expect(choose(rows.map((row) => row.slice(0, 10)))).toBe("lift");
  });

  it("standardises whatever has categories", () => {
    expect(choose(pixelRows(1), { featureGroups: pixelRows(1)[0].map((_, f) => Math.min(f, 30)) })).toBe("lift");
  });
});

describe("a fit with scale auto", () => {
  const options = { k: 3, scale: "auto", seed: 1, init: "plusplus", restarts: 3, featureNames: names } as const;
  const labels = async (rows: number[][], more = {}) => [...(await fit(rows, { ...options, ...more })).labels];

  it("keeps the scaler and why", async () => {
    const model = await fit(tableRows(1), options);
    expect(model.scaler.name).toBe("lift");
    expect(model.tags.scale).toBe("the features have different units");
    expect([...model.predict(tableRows(1))]).toEqual([...model.labels]);
    expect(model.potentials).toHaveLength(3);
    expect(Math.max(...model.potentials)).toBe(model.potential);
  });

  it("finds the same clusters in other units", async () => {
    const rows = tableRows(2);
    const expected = await labels(rows);
    const units = [
      (row: number[]) => [1000 * row[0], row[1], row[2], row[3]],
      (row: number[]) => [row[0], row[1] / 453.6, 1.8 * row[2] + 32, row[3]],
    ];
    for (const unit of units) expect(await labels(rows.map(unit))).toEqual(expected);
    const pixels = pixelRows(3);
    const nameless = { featureNames: undefined };
    expect(
      await labels(
        pixels.map((row) => row.map((x) => x / 256)),
        nameless,
      ),
    ).toEqual(await labels(pixels, nameless));
  });

  it("finds the same clusters with the columns in another order", async () => {
    const rows = tableRows(4);
    const order = [2, 0, 3, 1];
    const turned = rows.map((row) => order.map((f) => row[f]));
    expect(await labels(turned, { featureNames: order.map((f) => names[f]) })).toEqual(await labels(rows));
  });

  it("finds the same clusters of duplicated rows with half the weight", async () => {
    const rows = tableRows(5);
    const start = { restarts: 1, init: rows.slice(0, 3) };
    const twice = rows.flatMap((row) => [row, row]);
    const found = await labels(twice, { ...start, weights: twice.map(() => 0.5) });
    const expected = await labels(rows, start);
    expect(found.filter((_, i) => i % 2 === 0)).toEqual(expected);
    expect(found.filter((_, i) => i % 2 === 1)).toEqual(expected);
  });
});

it("tries several starts while they are cheap", () => {
  expect(chooseRestarts({ samples: 1000, features: 10, k: 5 })).toBe(10);
  expect(chooseRestarts({ samples: 60_000, features: 784, k: 10 })).toBe(3);
  expect(chooseRestarts({ samples: 10_000_000, features: 100, k: 10 })).toBe(1);
  expect(chooseRestarts({ samples: 1000, features: 10, k: 5, method: "nmf" })).toBe(1);
});
