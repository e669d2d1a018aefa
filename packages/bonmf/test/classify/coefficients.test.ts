import { describe, expect, it } from "vitest";
import { classifier } from "../../src/classify/classifier.js";
import { compareTied } from "../../src/classify/query.js";
import type { MethodName } from "../../src/factor/settings.js";
import { Dense } from "../../src/matrix/dense.js";
import { fit } from "../../src/model/fit.js";
import type { Model } from "../../src/model/model.js";
import { blobRows } from "../synthetic.js";
import { cosine, dot, type Grid, handmade, largest, rankSamples } from "./handmade.js";

/** Non-negative least squares by trying every set of prototypes: x ≈ Wh, h ≥ 0. */
function project(W: Grid, x: number[]): number[] {
  let best = { error: dot(x, x), h: W.map(() => 0) };
  for (let set = 1; set < 2 ** W.length; set++) {
    const free = W.map((_, j) => j).filter((j) => (set >> j) & 1);
    const solution = solve(
      free.map((r) => free.map((s) => dot(W[r], W[s]))),
      free.map((r) => dot(W[r], x)),
    );
    if (!solution.every((value) => value >= 0)) continue;
    const h = W.map((_, j) => (free.includes(j) ? solution[free.indexOf(j)] : 0));
    const rest = x.map((value, f) => value - W.reduce((sum, w, j) => sum + h[j] * w[f], 0));
    if (dot(rest, rest) < best.error) best = { error: dot(rest, rest), h };
  }
  return best.h;
}

/** Gauss and Jordan, with pivots. */
function solve(A: Grid, b: number[]): number[] {
  const rows = A.map((row, i) => [...row, b[i]]);
  for (let c = 0; c < rows.length; c++) {
    const pivot = c + largest(rows.slice(c).map((row) => Math.abs(row[c])));
    [rows[c], rows[pivot]] = [rows[pivot], rows[c]];
    for (let r = 0; r < rows.length; r++) {
      if (r !== c) rows[r] = rows[r].map((value, q) => value - (rows[r][c] / rows[c][c]) * rows[c][q]);
    }
  }
  return rows.map((row, i) => row[rows.length] / row[i]);
}

const gridOf = (M: { samples: number; row(i: number): ArrayLike<number> }) =>
  Array.from({ length: M.samples }, (_, i) => Array.from(M.row(i)));

/** A model with prototypes W and codes H, as if it had been fitted on X. */
function fitted(W: Grid, H: Grid, X: Grid, method: MethodName): Model {
  const labels = Array.from(handmade(W, { method }).predict(Dense.from(X, "f64")));
  return handmade(W, { method, H, labels });
}

const X = blobRows(5, 90, 5, 3);
const y = X.map((_, i) => "xyz"[(i + (i % 7 === 0 ? 1 : 0)) % 3]);
const queries = [...blobRows(6, 40, 5, 3), [0, 0, 0, 0, 0]];

describe("coefficients", () => {
  it("takes the class of the column of H at the smallest angle", async () => {
    // On the axes the projection is the sample itself: (3,1) has cosine 0.95 with (2,1), 0.71 with (1,1).
    const W = [
      [1, 0, 0],
      [0, 1, 0],
    ];
    const rows = [
      [1, 1, 0],
      [2, 2, 0],
      [1, 3, 0],
    ];
    const H = [
      [1, 1],
      [2, 1],
      [0, 1],
    ];
    const clf = await classifier(fitted(W, H, rows, "nmf"), rows, ["p", "q", "r"], { scheme: "coefficients" });
    const found = clf.explain([
      [3, 1, 5],
      [1, 1, 0],
      [0, 2, 1],
      [0, 0, 7],
    ]);
    expect(found.map(({ label }) => label)).toEqual(["q", "p", "r", "r"]);
    expect(found[0]).toMatchObject({ share: 1, neighbor: { index: 1, label: "q" } });
    expect(found[0].neighbor?.closeness).toBeCloseTo(7 / Math.sqrt(50), 12);
    expect(found[3].neighbor).toEqual({ index: 2, label: "r", closeness: 0 });
  });

  it.each<MethodName>(["nmf", "hals", "onmf", "onmf-ding", "semi-binary"])("agrees with a naive %s", async (method) => {
    const model = await fit(X, { k: 3, method, seed: 4 });
    const W = gridOf(model.W);
    const H = gridOf(model.H);
    const clf = await classifier(model, X, y, { scheme: "coefficients" });
    clf.explain(queries).forEach(({ label, neighbor }, q) => {
      const closeness = H.map((h) => cosine(h, project(W, queries[q])));
      const [index] = rankSamples(closeness);
      // A code may have the same direction as many columns, up to rounding.
      expect(closeness[neighbor?.index ?? -1]).toBeCloseTo(closeness[index], 9);
      expect(neighbor?.closeness).toBeCloseTo(closeness[index], 9);
      expect(label).toBe(y[neighbor?.index ?? -1]);
    });
  });

  it("of equal columns takes the first in the fixed shuffle", async () => {
    const model = await fit(X, { k: 3, method: "semi-binary", seed: 4 });
    const H = gridOf(model.H).map(String);
    const clf = await classifier(model, X, y, { scheme: "coefficients" });
    for (const { neighbor } of clf.explain(queries)) {
      const index = neighbor?.index ?? -1;
      const equal = H.map((_, i) => i).filter((i) => H[i] === H[index]);
      expect(equal.sort(compareTied)[0]).toBe(index);
    }
  });
});

describe("onmf", () => {
  it("takes the closest by distance in the cluster of the largest coefficient", async () => {
    const W = [
      [1, 0],
      [0, 1],
    ];
    const rows = [
      [5, 4],
      [1, 1],
      [1, 5],
    ];
    // By its codes the second sample belongs to cluster 1, wherever it lies.
    const H = [
      [5, 4],
      [0, 1],
      [1, 5],
    ];
    const clf = await classifier(fitted(W, H, rows, "onmf"), rows, [10, 20, 30], { scheme: "onmf" });
    const found = clf.explain([
      [1.2, 1],
      [1, 1.2],
      [3, 4.5],
    ]);
    expect(found.map(({ label, cluster }) => [label, cluster])).toEqual([
      [10, 0],
      [20, 1],
      [30, 1],
    ]);
    expect(found[2].neighbor?.closeness).toBeCloseTo(-4.25, 12);
  });

  it("never goes to an empty cluster", async () => {
    const W = [
      [1, 0],
      [0, 1],
    ];
    const H = [
      [1, 0],
      [2, 1],
    ];
    const rows = [
      [1, 0],
      [2, 1],
    ];
    const clf = await classifier(fitted(W, H, rows, "onmf"), rows, ["s", "t"], { scheme: "onmf" });
    expect(clf.explain([[0, 9]])[0]).toMatchObject({ cluster: 0, label: "t", neighbor: { index: 1 } });
  });

  it.each<MethodName>(["onmf", "nmf"])("agrees with a naive %s", async (method) => {
    const model = await fit(X, { k: 3, method, seed: 2 });
    const W = gridOf(model.W);
    const homes = gridOf(model.H).map(largest);
    const clf = await classifier(model, X, y, { scheme: "onmf" });
    clf.explain(queries).forEach(({ label, cluster, neighbor }, q) => {
      const x = queries[q];
      const home = largest(project(W, x).map((h, j) => (homes.includes(j) ? h : -1)));
      const closeness = X.map((z, i) => {
        const rest = z.map((value, f) => value - x[f]);
        return homes[i] === home ? -dot(rest, rest) : Number.NEGATIVE_INFINITY;
      });
      const [index] = rankSamples(closeness);
      expect({ label, cluster, index: neighbor?.index }).toEqual({ label: y[index], cluster: home, index });
      expect(neighbor?.closeness).toBeCloseTo(closeness[index], 6);
    });
  });
});

describe("the models and samples they need", () => {
  const message = (scheme: string) =>
    `scheme "${scheme}" compares coefficients, which a "bonmf" model does not have: fit with method "nmf", "hals", ` +
    '"onmf", "onmf-ding" or "semi-binary", or choose "majority", "nearest" or "vote"';

  it.each(["coefficients", "onmf"] as const)("%s refuses a one-hot model", async (scheme) => {
    const model = await fit(X, { k: 3 });
    await expect(classifier(model, X, y, { scheme })).rejects.toMatchObject({
      name: "OptionError",
      option: "scheme",
      value: scheme,
      message: message(scheme),
    });
  });

  it.each(["coefficients", "onmf"] as const)("%s refuses other samples than the fit's", async (scheme) => {
    const model = await fit(X, { k: 3, method: "onmf", seed: 2 });
    const others = (n: number) =>
      `scheme "${scheme}" needs the 90 samples the model was fitted on, and these ${n} are different ones`;
    await expect(classifier(model, X.slice(1), y.slice(1), { scheme })).rejects.toThrow(others(89));
    await expect(classifier(model, X.toReversed(), y, { scheme })).rejects.toThrow(others(90));
  });
});
