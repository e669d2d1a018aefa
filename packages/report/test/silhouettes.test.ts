import { Dense, fit, silhouette } from "bonmf";
import { expect, it } from "vitest";
import { measureSilhouettes } from "../src/silhouettes.js";

const X = Dense.from(
  Array.from({ length: 240 }, (_, i) => [0, 1, 2, 3].map((f) => (f === i % 3 ? 9 : 1) + ((i * 7 + f) % 5) / 3)),
);

it("are the library's, by cluster, with the highest first", async () => {
  const model = await fit(X, { k: 3, seed: 1, scale: "none" });
  const found = measureSilhouettes(model, X, Uint32Array.from(model.labels), 3)!;
  expect(found.samples).toBe(240);
  expect(found.mean).toBeCloseTo(silhouette(X, model.labels, { metric: "cosine" }), 10);
  const sizes = [0, 1, 2].map((j) => model.counts[j]);
  const whole = found.clusters.reduce((sum, { mean }, j) => sum + mean! * sizes[j], 0) / 240;
  expect(whole).toBeCloseTo(found.mean, 10);
  for (const { scores } of found.clusters) expect([...scores]).toEqual([...scores].sort((a, b) => b - a));
  expect(found.clusters[0].scores.length).toBeLessThanOrEqual(100);
});

it("are none for one cluster, and null for a cluster without samples", async () => {
  const model = await fit(X, { k: 3, seed: 1, scale: "none" });
  expect(measureSilhouettes(model, X, new Uint32Array(240), 1)).toBeNull();
  const two = Uint32Array.from(model.labels, (label) => (label === 2 ? 0 : label));
  expect(measureSilhouettes(model, X, two, 3)!.clusters[2].mean).toBeNull();
});
