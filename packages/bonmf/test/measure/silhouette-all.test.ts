import { describe, expect, it } from "vitest";
import { DataError, OptionError } from "../../src/errors.js";
import { Dense } from "../../src/matrix/dense.js";
import type { Matrix } from "../../src/matrix/matrix.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { type SilhouettesOptions, silhouette, silhouettes } from "../../src/measure/index.js";
import { Random } from "../../src/random.js";
import { fixture } from "./fixture.js";

const random = new Random(7);
const draw = () => (random.next() < 0.4 ? 0 : 3 * random.next());
const rows = Array.from({ length: 150 }, () => Array.from({ length: 5 }, draw));
rows[11] = [0, 0, 0, 0, 0];
const X = Dense.from(rows, "f64");
const labels = rows.map((_, i) => (i === 30 ? 3 : i % 3));
const weights = rows.map((_, i) => (i % 10) / 4);

/** By the definition: all samples against all others, each with its weight. */
function compareAll(X: Matrix, labels: readonly number[], weights: readonly number[] = labels.map(() => 1)): number[] {
  const points = labels.map((_, i) => Array.from(X.row(i)));
  const apart = (i: number, j: number) => points[i].reduce((sum, x, f) => sum + (x - points[j][f]) ** 2, 0);
  return points.map((_, i) => {
    const sums = new Map<number, { distance: number; weight: number }>();
    for (let j = 0; j < points.length; j++) {
      if (i === j || weights[j] === 0) continue;
      const { distance, weight } = sums.get(labels[j]) ?? { distance: 0, weight: 0 };
      sums.set(labels[j], { distance: distance + weights[j] * apart(i, j), weight: weight + weights[j] });
    }
    const own = sums.get(labels[i]);
    sums.delete(labels[i]);
    if (own === undefined) return 0;
    const a = own.distance / own.weight;
    const b = Math.min(...[...sums.values()].map(({ distance, weight }) => distance / weight));
    return (b - a) / Math.max(a, b);
  });
}

describe("silhouettes", () => {
  it.each(fixture.silhouettes)("by angle are scikit-learn's on $name", (data) => {
    const mean = silhouettes(Dense.from(data.X, "f64"), data.labels, { metric: "cosine" }).mean();
    expect(Math.abs(mean - data.cosine)).toBeLessThan(1e-9);
  });

  it("by angle are those of all samples compared with all", () => {
    const expected = silhouette(X, labels, { metric: "cosine" });
    expect(silhouettes(X, labels, { metric: "cosine" }).mean()).toBeCloseTo(expected, 12);
    expect(silhouettes(Sparse.fromDense(X), labels, { metric: "cosine" }).mean()).toBeCloseTo(expected, 12);
  });

  it("by squared distance are those of the definition, sample by sample", () => {
    const { score } = silhouettes(X, labels, { metric: "squared" });
    compareAll(X, labels).forEach((expected, i) => {
      expect(score(i)).toBeCloseTo(expected, 12);
    });
  });

  it("count samples by their weights, whose unit does not matter", () => {
    const each = compareAll(X, labels, weights);
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const expected = each.reduce((sum, one, i) => sum + weights[i] * one, 0) / total;
    for (const scaled of [weights, weights.map((weight) => weight / 2)]) {
      expect(silhouettes(X, labels, { metric: "squared", weights: scaled }).mean()).toBeCloseTo(expected, 12);
    }
  });

  it("of a sample with weight 2 are those of two such samples", () => {
    const twice = [...labels.keys()].flatMap((i) => (i % 5 === 0 ? [i, i] : [i]));
    const copied = silhouettes(
      X.take(twice),
      twice.map((i) => labels[i]),
      { metric: "squared" },
    );
    const doubled = rows.map((_, i) => (i % 5 === 0 ? 2 : 1));
    const weighted = silhouettes(X, labels, { metric: "squared", weights: doubled });
    // Copies have each other for company, the weighted sample leaves itself out: others see no difference.
    expect(weighted.score(1)).toBeCloseTo(copied.score(twice.indexOf(1)), 12);
  });

  it("take any labels", () => {
    const named = labels.map((label) => (label === 2 ? -7 : `cluster ${label}`));
    const options = { metric: "squared" } as const;
    expect(silhouettes(X, named, options).mean()).toBeCloseTo(silhouettes(X, labels, options).mean(), 14);
  });

  it("are 1 for directions that coincide, and 0 for samples alone in their clusters", () => {
    const rays = Dense.from([[1, 0], [9, 0], [0, 1], [0, 9]]); // biome-ignore format: a matrix
    expect(silhouettes(rays, [0, 0, 1, 1], { metric: "cosine" }).mean()).toBeCloseTo(1, 12);
    expect(silhouettes(rays, [0, 1, 2, 3], { metric: "squared" }).mean()).toBe(0);
  });

  it("are 0 where rounding alone tells samples apart", () => {
    const along = Dense.from(
      rows.map((_, i) => [0.1, 0.7, 1.3].map((x) => x * (i + 1))),
      "f64",
    );
    expect(silhouettes(along, labels, { metric: "cosine" }).mean()).toBe(0);
  });
});

describe("errors", () => {
  const X = Dense.from([[1], [2], [3]]);
  const measure = (labels: ArrayLike<number>, options: object = {}) =>
    silhouettes(X, labels, { metric: "cosine", ...options } as SilhouettesOptions);

  it("name lengths, clusters, labels and weights", () => {
    expect(() => measure([1, 2])).toThrow(
      new DataError("length", "there are 3 samples but 2 labels: give one for each sample"),
    );
    expect(() => measure([1, 1, 1])).toThrow("silhouettes need two clusters, but the samples are in 1: fit more");
    expect(() => measure([1, 2, 2], { weights: [1, 0, 0] })).toThrow(DataError);
    expect(() => measure([1, 2, Number.NaN])).toThrow(/sample 2 has the label NaN/);
    expect(() => measure([1, 2, 2], { weights: [1] })).toThrow(/3 samples but 1 weights/);
    expect(() => measure([1, 2, 2], { weights: [1, -1, 1] })).toThrow(
      "the weight of sample 1 is -1: it must be 0 or more",
    );
    expect(() => measure([1, 2, 2], { weights: [1, 1, Number.NaN] })).toThrow(/the weight of sample 2 is NaN/);
    expect(() => measure([1, 2, 2], { metric: "euclidean" })).toThrow(OptionError);
  });
});
