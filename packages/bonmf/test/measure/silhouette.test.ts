import { describe, expect, it, test } from "vitest";
import { DataError, OptionError } from "../../src/errors.js";
import { Dense } from "../../src/matrix/dense.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { type SilhouetteOptions, silhouette } from "../../src/measure/index.js";
import { Random, STREAM } from "../../src/random.js";
import { fixture } from "./fixture.js";

const metrics = ["cosine", "euclidean"] as const;

describe.each(fixture.silhouettes)("scikit-learn on $name", (data) => {
  const X = Dense.from(data.X, "f64");
  test.each(metrics)("%s", (metric) => {
    expect(Math.abs(silhouette(X, data.labels, { metric }) - data[metric])).toBeLessThan(1e-9);
    expect(silhouette(Sparse.fromDense(X), data.labels, { metric })).toBeCloseTo(
      silhouette(X, data.labels, { metric }),
      13,
    );
  });
});

describe("worked by hand", () => {
  const line = Dense.from([[0], [1], [10], [12]]);

  it("compares mean distances", () => {
    const each = [(11 - 1) / 11, (10 - 1) / 10, (9.5 - 2) / 9.5, (11.5 - 2) / 11.5];
    const mean = each.reduce((sum, s) => sum + s, 0) / 4;
    expect(silhouette(line, ["a", "a", "b", "b"], { metric: "euclidean" })).toBeCloseTo(mean, 14);
  });

  it("scores clusters of one 0", () => {
    expect(silhouette(line, [0, 1, 2, 3], { metric: "euclidean" })).toBe(0);
    const pair = ((10 - 1) / 10 + (9 - 1) / 9) / 3;
    expect(silhouette(line.slice(0, 3), [0, 0, 1], { metric: "euclidean" })).toBeCloseTo(pair, 14);
  });

  it("scores coinciding clusters 0", () => {
    const same = Dense.from([
      [1, 2],
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
    for (const metric of metrics) expect(silhouette(same, [0, 0, 1, 1], { metric })).toBe(0);
  });

  it("puts an all-zero sample at cosine distance 1 from every other", () => {
    const X = Dense.from([
      [0, 0],
      [0, 0],
      [1, 0],
      [5, 0],
    ]);
    // The zeros: a = 1, b = 1, score 0. The others: a = 0, b = 1, score 1.
    expect(silhouette(X, [0, 0, 1, 1], { metric: "cosine" })).toBe(0.5);
  });

  it("does not see lengths under cosine", () => {
    const { X, labels } = fixture.silhouettes[1];
    const scaled = X.map((row, i) => row.map((v) => v * (i + 1)));
    expect(silhouette(Dense.from(scaled, "f64"), labels, { metric: "cosine" })).toBeCloseTo(
      silhouette(Dense.from(X, "f64"), labels, { metric: "cosine" }),
      12,
    );
  });
});

describe("sampling", () => {
  const random = new Random(1);
  const X = new Dense(
    300,
    3,
    Float64Array.from({ length: 900 }, () => random.next()),
  );
  const labels = Uint8Array.from({ length: 300 }, (_, i) => i % 4);

  it("measures the drawn samples and nothing else", () => {
    const ids = new Random(5, STREAM.measure).choose(300, 50);
    const drawn = silhouette(
      X.take(ids),
      Array.from(ids, (id) => labels[id]),
      { metric: "euclidean" },
    );
    expect(silhouette(X, labels, { metric: "euclidean", sample: 50, seed: 5 })).toBe(drawn);
    expect(silhouette(X, labels, { metric: "euclidean", sample: 50, seed: 6 })).not.toBe(drawn);
  });

  it("takes everything when the sample is large enough", () => {
    const all = silhouette(X, labels, { metric: "cosine", sample: 300, seed: 1 });
    expect(silhouette(X, labels, { metric: "cosine" })).toBe(all);
  });
});

describe("errors", () => {
  const X = Dense.from([[1], [2], [3]]);
  const measure = (labels: ArrayLike<number>, options: object) =>
    silhouette(X, labels, { metric: "cosine", ...options } as SilhouetteOptions);

  it("names lengths, clusters and labels", () => {
    expect(() => measure([1, 2], {})).toThrow(DataError);
    expect(() => measure([1, 2], {})).toThrow(/3 samples but 2 labels/);
    expect(() => measure([1, 1, 1], {})).toThrow(/needs two clusters/);
    expect(() => measure([1, 2, Number.NaN], {})).toThrow(/sample 2 has the label NaN/);
  });

  it.each([{ metric: "manhattan" }, { sample: 1 }, { sample: 2.5 }, { seed: -1 }, { seed: 0.5 }])("%o", (options) => {
    expect(() => measure([1, 2, 2], options)).toThrow(OptionError);
    expect(() => measure([1, 2, 2], options)).toThrow(String(Object.values(options)[0]));
  });
});
