import { readFileSync } from "node:fs";
import { Dense, fit } from "bonmf";
import { expect, it } from "vitest";
import { collectFindings } from "../src/collect.js";
import { mergeClusters } from "../src/merge.js";

const CENTRES = [
  [9, 1, 2],
  [1, 9, 5],
  [2, 6, 9],
  [6, 6, 1],
];
const X = Array.from({ length: 60 }, (_, i) => CENTRES[i % 4].map((c, f) => c + ((i * (f + 3)) % 11) / 2));
const labels = X.map((_, i) => "abc"[(i * i) % 4 === 1 ? 2 : i % 3 === 0 ? 0 : 1]);
const groups = [0, 1, 1, 3];

/** What fixtures/merged.py found. */
const read = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url), "utf8");
const WANTED = JSON.parse(read("merged.json"));

for (const method of ["kmeans", "bonmf", "spherical"] as const) {
  it(`${method}: after a merge all measures are scikit-learn's for the clusters shown`, async () => {
    const model = await fit(X, { k: 4, method, init: CENTRES });
    const { run, clusters, agreement, map } = await collectFindings(model, { X: Dense.from(X), labels, groups });
    const wanted = WANTED[method];
    expect(run).toMatchObject({ k: 3, fitted: 4, same: true });
    expect(run.explained).toBeCloseTo(wanted.explained, 6);
    expect(run.cosine).toBeCloseTo(wanted.cosine, 6);
    expect(agreement?.nmi).toBeCloseTo(wanted.nmi, 9);
    expect(agreement?.ari).toBeCloseTo(wanted.ari, 9);
    expect(agreement?.clusteringAccuracy).toBeCloseTo(wanted.accuracy, 9);
    expect(agreement?.labelAccuracy).toBeCloseTo(wanted.purity, 9);
    expect(agreement?.counts).toEqual(wanted.counts);
    expect(clusters.map(({ number }) => number)).toEqual([0, 1, 3]);
    expect(clusters.map(({ size }) => size)).toEqual(wanted.sizes);
    clusters.forEach(({ cosine }, j) => {
      expect(cosine).toBeCloseTo(wanted.cosines[j], 6);
    });
    for (const { typical, borderline } of clusters) {
      for (const { sample, rival, margin } of [...typical, ...borderline]) {
        expect(rival).toBe(wanted.rivals[sample]);
        expect(margin).toBeCloseTo(wanted.margins[sample], 5);
      }
    }
    expect(Array.from(map.clusters)).toEqual(Array.from(model.labels, (j) => [0, 1, 1, 2][j]));
  });
}

it("moves nothing on the map", async () => {
  const model = await fit(X, { k: 4, init: CENTRES });
  const [before, after] = await Promise.all(
    [null, groups].map((groups) => collectFindings(model, { X: Dense.from(X), groups })),
  );
  expect(after.map.x).toEqual(before.map.x);
});

it("measures distances of k-means to the mean of the merged", async () => {
  const model = await fit(X, { k: 4, method: "kmeans", init: CENTRES });
  const merged = mergeClusters(model, groups);
  const members = X.filter((_, i) => groups[model.labels[i]] === 1);
  const mean = [0, 1, 2].map((f) => members.reduce((sum, x) => sum + x[f], 0) / members.length);
  expect(Array.from(merged.model.W.row(1))).toEqual(mean.map((value) => expect.closeTo(value, 9)));
  const { cluster, distance } = merged.explain(Dense.from([members[0]]))[0];
  expect(cluster).toBe(1);
  expect(distance?.own).toBeCloseTo(Math.hypot(...members[0].map((value, f) => value - mean[f])), 5);
});

it("is the model itself where nothing is merged, and leaves what real codes explain", async () => {
  const model = await fit(X, { k: 4, init: CENTRES });
  expect(mergeClusters(model, [0, 1, 2, 3]).model).toBe(model);
  expect(mergeClusters(model, null).model).toBe(model);
  const parts = await fit(X, { k: 4, method: "nmf", seed: 1 });
  const { run } = await collectFindings(parts, { X: Dense.from(X), groups });
  expect(run.explained).toBeCloseTo(parts.explained!, 6);
  expect(() => mergeClusters(model, [0, 1, 1])).toThrow("groups must be 4 numbers");
  expect(() => mergeClusters(model, [1, 1, 2, 3])).toThrow("groups must be 4 numbers");
});
