import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { DataError } from "../../src/errors.js";
import {
  ami,
  ari,
  clusteringAccuracy,
  type Labels,
  matchClusters,
  mutualInformation,
  nmi,
  purity,
  vMeasure,
} from "../../src/measure/index.js";
import { fixture } from "./fixture.js";

const scalars = { ami, ari, clusteringAccuracy, mutualInformation, nmi, purity };
const names = Object.keys(scalars) as (keyof typeof scalars)[];

describe.each(fixture.labelings)("scikit-learn on $name", (labeling) => {
  const { truth, other } = labeling;
  test.each(names)("%s", (name) => {
    expect(Math.abs(scalars[name](truth, other) - labeling[name])).toBeLessThan(1e-9);
  });
  test("vMeasure", () => {
    const got = vMeasure(truth, other);
    for (const key of ["homogeneity", "completeness", "vMeasure"] as const) {
      expect(Math.abs(got[key] - labeling.vMeasure[key])).toBeLessThan(1e-9);
    }
  });
});

describe("worked by hand", () => {
  const truth = ["a", "a", "a", "b", "b", "c"];
  const clusters = [1, 1, 2, 2, 2, 3];

  it("matches clusters and classes one to one", () => {
    expect(matchClusters(truth, clusters)).toEqual(
      new Map([
        [1, "a"],
        [2, "b"],
        [3, "c"],
      ]),
    );
    expect(clusteringAccuracy(truth, clusters)).toBe(5 / 6);
  });

  it("prefers the best whole to the best pair", () => {
    // Cluster 0 shares 3 with x and 2 with y; cluster 1 shares 2 with x alone: greedy keeps 3, the best keeps 2 + 2.
    expect(clusteringAccuracy(["x", "x", "x", "y", "y", "x", "x"], [0, 0, 0, 0, 0, 1, 1])).toBe(4 / 7);
  });

  it("leaves clusters without a class out", () => {
    expect(matchClusters(["a", "a", "a", "b"], [0, 0, 1, 2])).toEqual(
      new Map([
        [0, "a"],
        [2, "b"],
      ]),
    );
  });

  it("knows the same partition exactly", () => {
    const renamed = truth.map((label) => `${label}!`);
    for (const measure of [nmi, ami, ari, purity, clusteringAccuracy]) expect(measure(truth, renamed)).toBe(1);
    expect(vMeasure(truth, renamed)).toEqual({ homogeneity: 1, completeness: 1, vMeasure: 1 });
  });

  it("gives independent labelings no information", () => {
    expect(mutualInformation([0, 0, 1, 1], [0, 1, 0, 1])).toBe(0);
    expect(nmi([0, 0, 1, 1], [0, 1, 0, 1])).toBe(0);
    expect(ari([0, 0, 1, 1], [0, 1, 0, 1])).toBe(-0.5);
    expect(ami([0, 0, 1, 1], [0, 1, 0, 1])).toBeCloseTo(-0.5, 12);
  });

  it("counts a bit in nats", () => {
    expect(mutualInformation([0, 0, 1, 1], ["x", "x", "y", "y"])).toBeCloseTo(Math.LN2, 15);
  });
});

const lists = fc
  .array(fc.tuple(fc.nat(4), fc.nat(6)), { minLength: 1, maxLength: 40 })
  .map((pairs) => [pairs.map(([a]) => a), pairs.map(([, b]) => b)] as const);

describe("laws", () => {
  it("does not depend on names or on the order of samples", () => {
    fc.assert(
      fc.property(lists, ([truth, clusters]) => {
        const order = truth.map((_, i) => i).sort((i, j) => truth[i] - truth[j] || j - i);
        const renamed = clusters.map((c) => ["q", "d", "k", "z", "b", "x", "a"][c]);
        for (const name of names) {
          const value = scalars[name](truth, clusters);
          expect(scalars[name](truth, renamed)).toBeCloseTo(value, 12);
          const pick = (labels: readonly number[]) => order.map((i) => labels[i]);
          expect(scalars[name](pick(truth), pick(clusters))).toBe(value);
        }
      }),
    );
  });

  it("is symmetric where it should be", () => {
    fc.assert(
      fc.property(lists, ([a, b]) => {
        for (const measure of [nmi, ami, ari, mutualInformation, clusteringAccuracy]) {
          expect(measure(a, b)).toBeCloseTo(measure(b, a), 10);
        }
        expect(vMeasure(a, b).homogeneity).toBeCloseTo(vMeasure(b, a).completeness, 12);
        expect(vMeasure(a, b).vMeasure).toBeCloseTo(nmi(a, b), 12);
      }),
    );
  });

  it("stays within its range, and purity bounds the matching", () => {
    fc.assert(
      fc.property(lists, ([truth, clusters]) => {
        expect(clusteringAccuracy(truth, clusters)).toBeLessThanOrEqual(purity(truth, clusters));
        for (const measure of [nmi, purity, clusteringAccuracy]) {
          expect(measure(truth, clusters)).toBeGreaterThanOrEqual(0);
          expect(measure(truth, clusters)).toBeLessThanOrEqual(1);
        }
        for (const measure of [ami, ari]) expect(measure(truth, clusters)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("agrees with its own matching", () => {
    fc.assert(
      fc.property(lists, ([truth, clusters]) => {
        const classOf = matchClusters(truth, clusters);
        expect(new Set(classOf.values()).size).toBe(classOf.size);
        expect(classOf.size).toBe(Math.min(new Set(truth).size, new Set(clusters).size));
        const agreeing = truth.filter((label, i) => classOf.get(clusters[i]) === label).length;
        expect(clusteringAccuracy(truth, clusters)).toBe(agreeing / truth.length);
      }),
    );
  });
});

describe("size", () => {
  const rows = Int32Array.from({ length: 200_000 }, (_, i) => i);

  it("measures many singletons in little memory", () => {
    const pairs = rows.map((i) => i >> 1);
    expect(ari(pairs, rows)).toBe(0);
    expect(nmi(rows, pairs)).toBeCloseTo((2 * Math.log(100_000)) / (Math.log(200_000) + Math.log(100_000)), 10);
  });

  it("refuses a matching that cannot fit", () => {
    expect(() => clusteringAccuracy(rows, rows)).toThrow(/200000 clusters × 200000 classes/);
  });

  it("keeps the adjustment for chance accurate for large n", () => {
    // Independent halves; the value from 60-digit arithmetic. Log-gammas in 64 bits are off by 3e-8 of it here.
    const n = 1_000_000;
    const truth = Uint8Array.from({ length: n }, (_, i) => i & 1);
    const clusters = Uint8Array.from({ length: n }, (_, i) => (i >> 1) & 1);
    expect(Math.abs(ami(truth, clusters) / -7.213491228118676e-7 - 1)).toBeLessThan(1e-10);
  });
});

describe("errors", () => {
  const all: ((a: Labels, b: Labels) => unknown)[] = [...Object.values(scalars), vMeasure, matchClusters];
  it("names lengths, emptiness and bad labels", () => {
    for (const measure of all) {
      expect(() => measure([1, 2], [1])).toThrow(DataError);
      expect(() => measure([1, 2], [1])).toThrow(/2 true labels but 1 others/);
      expect(() => measure([], [])).toThrow(/no labels/);
      expect(() => measure([1, 2], [1, Number.NaN])).toThrow(/sample 1 has the label NaN/);
      expect(() => measure([1, 2], [null as unknown as number, 1])).toThrow(/sample 0 has the label null/);
    }
  });
});
