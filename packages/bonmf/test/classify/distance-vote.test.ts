import { describe, expect, it } from "vitest";
import { classifier } from "../../src/classify/classifier.js";
import { loadClassifier, saveClassifier } from "../../src/classify/classifier-file.js";
import { DistanceSearch } from "../../src/classify/distance-vote.js";
import { Dense } from "../../src/matrix/dense.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { fit } from "../../src/model/fit.js";
import { dense, draws, randomRows } from "../synthetic.js";

const rows = randomRows(1, 300, 5, 0.2);
const queries = randomRows(2, 40, 5, 0.2);
const y = Uint32Array.from(rows, (_, i) => i % 3);

/** Numbers of the closest rows by squared distance, naively. */
function nearest(query: number[], count: number): number[] {
  const squares = rows.map((row) => row.reduce((sum, x, f) => sum + (x - query[f]) ** 2, 0));
  return rows
    .map((_, i) => i)
    .sort((a, b) => squares[a] - squares[b])
    .slice(0, count);
}

describe("a search by distance", () => {
  it.each(["dense", "sparse"])("finds what brute force finds in %s samples", (kind) => {
    const own = (X: Dense) => (kind === "dense" ? X : Sparse.fromDense(X));
    const search = new DistanceSearch({ Z: own(dense(rows)), y, classes: 3 }, "distance");
    search.search(own(dense(queries)), 7).forEach((found, q) => {
      expect(found.map(({ index }) => index)).toEqual(nearest(queries[q], 7));
      const square = rows[found[0].index].reduce((sum, x, f) => sum + (x - queries[q][f]) ** 2, 0);
      expect(-found[0].closeness).toBeCloseTo(square, 10);
    });
  });

  it("does not depend on the units of features if the scatter within classes is evened out", () => {
    // Feature 0 tells the classes apart; feature 1 varies within them.
    const next = draws(3);
    const wide = Array.from({ length: 200 }, (_, i) => [(i % 2) + 0.1 * next(), 100 * next()]);
    const labels = Uint32Array.from(wide, (_, i) => i % 2);
    const training = { Z: Dense.from(wide.slice(0, 150)), y: labels.slice(0, 150), classes: 2 };
    const right = (metric: "distance" | "within") =>
      new DistanceSearch(training, metric)
        .search(Dense.from(wide.slice(150)), 1)
        .filter(([{ index }], q) => labels[index] === labels[150 + q]).length;
    expect(right("within")).toBeGreaterThan(right("distance"));
  });
});

describe("a vote by distance", () => {
  it.each(["distance", "within", "relevant"] as const)(
    "explains its answers and comes back from a file: %s",
    async (metric) => {
      const model = await fit(rows, { k: 4, scale: "standard" });
      const labels = rows.map(([a, b]) => (a > b ? "more" : "less"));
      const clf = await classifier(model, rows, labels, { scheme: "vote", neighbors: 3, metric });
      const said = clf.explain(queries);
      expect(said.map(({ label }) => label)).toEqual(clf.predict(queries));
      for (const { neighbor, label, share } of said) {
        expect(labels[neighbor!.index]).toBe(label);
        expect([2 / 3, 1]).toContain(share);
      }
      const again = await loadClassifier(saveClassifier(clf));
      expect(again.metric).toBe(metric);
      expect(again.explain(queries)).toEqual(said);
      const byAngle = await loadClassifier(saveClassifier(clf), "votes", { metric: "angle" });
      expect(byAngle.explain(queries).map(({ neighbor }) => neighbor)).not.toEqual(
        said.map(({ neighbor }) => neighbor),
      );
      await expect(classifier(model, rows, labels, { scheme: "vote", metric: "far" as "angle" })).rejects.toThrow(
        /metric "far"/,
      );
    },
  );
});
