import { Dense, type Matrix, Sparse, silhouette } from "bonmf";
import { describe, expect, it } from "vitest";
import { type Grouping, measureSilhouette } from "../../src/tasks/silhouette.js";

let state = 7;
const draw = () => {
  state = (state * 48271) % 2147483647;
  return state / 2147483647;
};
const n = 150;
const k = 4;
const rows = Array.from({ length: n }, () => Array.from({ length: 5 }, () => (draw() < 0.4 ? 0 : draw() * 3)));
rows[11] = [0, 0, 0, 0, 0];
const X = Dense.from(rows, "f64");
const labels = rows.map((_, i) => (i === 30 ? 3 : i % 3));

/** By the definition: all samples against all others, each with its weight. */
function compareAll(X: Matrix, { labels, weights }: Pick<Grouping, "labels" | "weights">): number {
  const weightOf = (i: number) => weights?.[i] ?? 1;
  const points = Array.from({ length: X.samples }, (_, i) => Array.from(X.row(i)));
  const apart = (i: number, j: number) => points[i].reduce((sum, x, f) => sum + (x - points[j][f]) ** 2, 0);
  let total = 0;
  let counted = 0;
  for (let i = 0; i < points.length; i++) {
    const sums = new Map<number, { distance: number; weight: number }>();
    for (let j = 0; j < points.length; j++) {
      if (i === j || weightOf(j) === 0) continue;
      const { distance, weight } = sums.get(labels[j]) ?? { distance: 0, weight: 0 };
      sums.set(labels[j], { distance: distance + weightOf(j) * apart(i, j), weight: weight + weightOf(j) });
    }
    counted += weightOf(i);
    const own = sums.get(labels[i]);
    sums.delete(labels[i]);
    if (own === undefined) continue;
    const a = own.distance / own.weight;
    const b = Math.min(...[...sums.values()].map(({ distance, weight }) => distance / weight));
    total += (weightOf(i) * (b - a)) / Math.max(a, b);
  }
  return total / counted;
}

describe("the mean silhouette", () => {
  it("by angle is the library's, which compares all with all", async () => {
    const expected = silhouette(X, labels, { metric: "cosine" });
    expect(await measureSilhouette(X, { labels, k, metric: "cosine" })).toBeCloseTo(expected, 12);
    expect(await measureSilhouette(Sparse.fromDense(X), { labels, k, metric: "cosine" })).toBeCloseTo(expected, 12);
  });

  it("by squared distance is that of the definition, with weights too", async () => {
    const grouping = { labels, k, metric: "squared" } as const;
    expect(await measureSilhouette(X, grouping)).toBeCloseTo(compareAll(X, { labels }), 12);
    const weights = rows.map((_, i) => (i % 10) / 4);
    expect(await measureSilhouette(X, { ...grouping, weights })).toBeCloseTo(compareAll(X, { labels, weights }), 12);
    const half = weights.map((weight) => weight / 2);
    expect(await measureSilhouette(X, { ...grouping, weights: half })).toBeCloseTo(
      compareAll(X, { labels, weights }),
      12,
    );
  });

  it("is 1 for directions that coincide, and 0 for samples alone in their clusters", async () => {
    const rays = Dense.from([[1, 0], [9, 0], [0, 1], [0, 9]]); // biome-ignore format: a matrix
    expect(await measureSilhouette(rays, { labels: [0, 0, 1, 1], k: 2, metric: "cosine" })).toBeCloseTo(1, 12);
    expect(await measureSilhouette(rays, { labels: [0, 1, 2, 3], k: 4, metric: "squared" })).toBe(0);
  });

  it("is 0 where rounding alone tells samples apart", async () => {
    const along = Dense.from(
      rows.map((_, i) => [0.1, 0.7, 1.3].map((x) => x * (i + 1))),
      "f64",
    );
    expect(await measureSilhouette(along, { labels, k, metric: "cosine" })).toBe(0);
  });

  it("is not defined for one cluster", async () => {
    expect(await measureSilhouette(X, { labels: labels.map(() => 2), k, metric: "cosine" })).toBeNull();
  });

  it("ends when it is told to", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(measureSilhouette(X, { labels, k, metric: "cosine", signal })).rejects.toThrow("enough");
  });
});
