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

  it("measures the margin of a single cluster from nothing", async () => {
    const [{ cosine, margin }] = (await fit(X, { k: 1 })).explain([X[0]]);
    expect(margin).toBe(cosine);
    expect(cosine).toBeGreaterThan(0.3);
  });
});
