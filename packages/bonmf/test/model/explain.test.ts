import { describe, expect, it } from "vitest";
import { Dense } from "../../src/matrix/dense.js";
import { fit } from "../../src/model/fit.js";
import { cosine } from "../classify/handmade.js";
import { ALL, blobRows } from "../synthetic.js";

const X = blobRows(1, 80, 4, 3);
const queries = [...blobRows(2, 40, 4, 3), [0, 0, 0, 0]];

describe("explain", () => {
  it.each(ALL)("gives the cluster of predict, its cosine and the margin: %s", async (method) => {
    const model = await fit(Dense.from(X, "f64"), { k: 3, seed: 1, method });
    const clusters = model.predict(queries);
    const W = Array.from({ length: 3 }, (_, j) => Array.from(model.W.row(j)));
    model.explain(Dense.from(queries, "f64")).forEach((found, i) => {
      const cosines = W.map((w) => cosine(w, queries[i]));
      const [own] = cosines.splice(clusters[i], 1);
      expect(found.cluster).toBe(clusters[i]);
      expect(found.cosine).toBeCloseTo(own, 12);
      expect(found.margin).toBeCloseTo(own - Math.max(...cosines), 12);
    });
  });

  it("tells the distance to the prototype, and to the next, for k-means alone", async () => {
    const model = await fit(Dense.from(X, "f64"), { k: 3, seed: 1, method: "kmeans" });
    const distanceTo = (x: number[], j: number) => Math.hypot(...x.map((value, f) => value - model.W.row(j)[f]));
    model.explain(Dense.from(queries, "f64")).forEach(({ cluster, distance }, i) => {
      const distances = [0, 1, 2].map((j) => distanceTo(queries[i], j));
      const [own] = distances.splice(cluster, 1);
      expect(distance?.own).toBeCloseTo(own, 12);
      expect(distance?.margin).toBeCloseTo(Math.min(...distances) - own, 12);
      expect(distance?.margin).toBeGreaterThanOrEqual(0);
    });
    const far = Dense.from(
      Array.from([0, 1e-3], (step) => [1e6 + step, 1]),
      "f64",
    );
    const [near] = (await fit(far, { k: 1, method: "kmeans" })).explain(far);
    expect(near.distance?.own).toBeCloseTo(5e-4, 9);
    expect(near.distance?.margin).toBe(near.distance?.own);
    const angles = await fit(X, { k: 3 });
    expect(angles.explain(X).every(({ distance }) => distance === null)).toBe(true);
  });

  it("measures the margin of a single cluster from nothing", async () => {
    const [{ cosine, margin }] = (await fit(X, { k: 1 })).explain([X[0]]);
    expect(margin).toBe(cosine);
    expect(cosine).toBeGreaterThan(0.3);
  });
});
