import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareTied, Neighbors } from "../../src/classify/neighbors.js";
import { Dense } from "../../src/matrix/dense.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { fit } from "../../src/model/fit.js";
import { blobRows, draws } from "../synthetic.js";
import { cosine, type Grid, rankSamples } from "./handmade.js";

interface Case {
  rows: Grid;
  /** One cluster a sample. */
  clusters: number[];
  W: Grid;
  queries: Grid;
}

/** A few vectors, repeated, scaled and zeroed: many exact ties, many that rounding alone decides. */
function arbitraryCase(value: fc.Arbitrary<number>): fc.Arbitrary<Case> {
  return fc.integer({ min: 1, max: 5 }).chain((m) => {
    const vector = fc.oneof(
      { weight: 5, arbitrary: fc.array(value, { minLength: m, maxLength: m }) },
      { weight: 1, arbitrary: fc.constant(new Array<number>(m).fill(0)) },
    );
    return fc
      .record({
        stock: fc.array(vector, { minLength: 1, maxLength: 6 }),
        picks: fc.array(fc.tuple(fc.nat(5), fc.constantFrom(1, 1, 1, 3, 0.1, 7.7)), { minLength: 1, maxLength: 25 }),
        fresh: fc.array(vector, { maxLength: 10 }),
        k: fc.nat(),
        homes: fc.array(fc.nat(), { minLength: 35, maxLength: 35 }),
        prototypes: fc.array(vector, { minLength: 35, maxLength: 35 }),
        queries: fc.array(vector, { minLength: 1, maxLength: 3 }),
      })
      .map(({ stock, picks, fresh, k, homes, prototypes, queries }) => {
        const copies = picks.map(([p, scale]) => stock[p % stock.length].map((v) => v * scale));
        const rows = [...copies, ...fresh];
        const clusters = 1 + (k % rows.length);
        return {
          rows,
          clusters: rows.map((_, i) => homes[i] % clusters),
          W: prototypes.slice(0, clusters),
          queries: [...queries, stock[0]],
        };
      });
  });
}

function bruteForce(rows: Grid, x: number[], count: number) {
  const closeness = rows.map((row) => cosine(row, x));
  return rankSamples(closeness)
    .slice(0, count)
    .map((index) => ({ index, closeness: closeness[index] }));
}

const flat = (W: Grid) => Float64Array.from(W.flat());

function expectExact({ rows, clusters, W, queries }: Case, counts: Iterable<number>): Neighbors {
  const X = Dense.from(rows, "f64");
  const indices = [X, Sparse.fromDense(X)].map((Z) => new Neighbors(Z, clusters, flat(W), W.length));
  for (const x of queries) {
    const cosines = W.map((w) => cosine(w, x));
    for (const count of counts) {
      const expected = bruteForce(rows, x, count);
      for (const index of indices) expect(index.searchExact(Float64Array.from(x), cosines, count)).toEqual(expected);
    }
  }
  return indices[0];
}

describe("searchExact", () => {
  const small = fc.integer({ min: 0, max: 3 });
  const real = fc.double({ min: 1e-3, max: 1e3, noNaN: true });

  it.each([
    ["whole numbers", small],
    ["real numbers", real],
    ["mixed with zeros", fc.oneof(fc.constant(0), real)],
    ["nearly equal numbers", fc.integer({ min: 0, max: 4 }).map((ulps) => 1 + ulps * Number.EPSILON)],
  ])("finds what brute force finds: %s, any clusters, any prototypes", (_name, value) => {
    fc.assert(
      fc.property(arbitraryCase(value), fc.nat(), (drawn, count) => {
        const n = drawn.rows.length;
        expectExact(drawn, [1, 1 + (count % (n + 3)), n, n + 3]);
      }),
      { numRuns: 300 },
    );
  });

  it("tells apart, or ties, cosines that differ by rounding alone", () => {
    const next = draws(5);
    const base = Array.from({ length: 30 }, () => next() + 0.1);
    const rows = Array.from({ length: 120 }, (_, i) =>
      base.map((v) => (i % 3 === 0 ? v * (1 + i) : v * (1 + (Math.floor(next() * 5) - 2) * Number.EPSILON))),
    );
    const x = base.map((v) => v * 0.3);
    const cosines = rows.map((row) => cosine(row, x));
    expect(Math.max(...cosines) - Math.min(...cosines)).toBeLessThan(1e-15);
    expect(new Set(cosines).size).toBeGreaterThan(1);
    // Prototypes so close that θ − ρ without slack would be decided by noise.
    for (const k of [1, 2, 7, 40]) {
      const clusters = rows.map((_, i) => i % k);
      expectExact({ rows, clusters, W: rows.slice(0, k), queries: [x, base, rows[50]] }, [1, 2, 10, 60, 123]);
    }
  });

  it("orders proportional vectors by rounding and then by the shuffle", () => {
    const rows = Array.from({ length: 40 }, (_, i) => [1, 2, 3].map((v) => v * (i + 1) * 0.1));
    const clusters = rows.map((_, i) => i % 3);
    expectExact({ rows, clusters, W: rows.slice(0, 3), queries: [[1, 2, 3], rows[7]] }, [1, 5, 40, 43]);
  });

  it("visits few of many clustered samples, and is right all the same", async () => {
    const rows = blobRows(3, 600, 3, 6);
    const model = await fit(Dense.from(rows, "f64"), { k: 24, seed: 1, init: "plusplus" });
    const W = Array.from({ length: 24 }, (_, j) => Array.from(model.W.row(j)));
    const queries = blobRows(4, 50, 3, 6).concat(rows.slice(0, 50));
    const index = expectExact({ rows, clusters: Array.from(model.labels), W, queries }, [5]);
    expect(index.visited).toBeGreaterThan(0);
    expect(index.visited).toBeLessThan(0.5 * queries.length * rows.length);
  });

  it("visits one cluster where the others are out of reach", () => {
    const rows = [...Array(20)].map((_, i) => (i % 2 ? [1, 0.01 * (i + 1)] : [0.01 * (i + 1), 1]));
    const W = [
      [0.1, 1],
      [1, 0.1],
    ];
    const index = new Neighbors(
      Dense.from(rows, "f64"),
      rows.map((_, i) => i % 2),
      flat(W),
      2,
    );
    const x = [1, 0];
    const found = index.searchExact(
      Float64Array.from(x),
      W.map((w) => cosine(w, x)),
      3,
    );
    expect(found.map((n) => n.index)).toEqual([1, 3, 5]);
    expect(index.visited).toBe(10);
  });

  it("reads 32-bit data as it is stored", () => {
    const rows = blobRows(9, 80, 5, 3).map((row) => row.map((v) => Math.fround(v / 7)));
    const index = new Neighbors(Dense.from(rows, "f32"), new Uint8Array(80), flat([rows[0]]), 1);
    const x = rows[11];
    expect(index.searchExact(Float64Array.from(x), [cosine(rows[0], x)], 9)).toEqual(bruteForce(rows, x, 9));
  });
});

describe("search", () => {
  it("finds the closest of the named clusters only, by cosine or by distance", () => {
    const value = fc.integer({ min: 0, max: 4 });
    fc.assert(
      fc.property(arbitraryCase(value), fc.nat(40), ({ rows, clusters, W, queries }, extra) => {
        const index = new Neighbors(Dense.from(rows, "f64"), clusters, flat(W), W.length);
        const named = W.map((_, j) => j).filter((j) => j % 2 === 0);
        const ids = rows.map((_, i) => i).filter((i) => clusters[i] % 2 === 0);
        for (const x of queries) {
          const angles = ids.map((i) => cosine(rows[i], x));
          const byAngle = index.search(Float64Array.from(x), named, 1 + extra);
          const expected = rankSamples(angles, ids).slice(0, 1 + extra);
          expect(byAngle).toEqual(expected.map((p) => ({ index: ids[p], closeness: angles[p] })));
          // 2⟨x,z⟩ − ‖z‖² − ‖x‖² rounds otherwise than the sum of squares, which may swap neighbours equally far away.
          const distance = (i: number) => -rows[i].reduce((sum, v, f) => sum + (v - x[f]) ** 2, 0);
          const found = index.search(Float64Array.from(x), named, 1 + extra, "distance");
          const distances = ids.map(distance).sort((a, b) => b - a);
          expect(new Set(found.map((n) => n.index)).size).toBe(Math.min(ids.length, 1 + extra));
          found.forEach((n, p) => {
            expect(clusters[n.index] % 2).toBe(0);
            expect(n.closeness).toBeCloseTo(distance(n.index), 9);
            expect(n.closeness).toBeCloseTo(distances[p], 9);
          });
        }
      }),
      { numRuns: 200 },
    );
  });

  it("breaks ties of distance in the fixed shuffle", () => {
    const rows = [
      [0, 0],
      [4, 2],
      [3, 3],
      [2, 0],
    ];
    const index = new Neighbors(Dense.from(rows, "f64"), [0, 0, 0, 0], new Float64Array(2), 1);
    const found = index.search(Float64Array.of(3, 1), [0], 4, "distance");
    expect(found.map((n) => n.index)).toEqual([...[1, 3].sort(compareTied), 2, 0]);
  });

  it("knows which clusters have no samples", () => {
    const index = new Neighbors(
      Dense.from(
        [
          [0, 0],
          [1, 0],
        ],
        "f64",
      ),
      [2, 1],
      new Float64Array(8),
      4,
    );
    expect([0, 1, 2, 3].map((j) => index.isEmpty(j))).toEqual([true, false, false, true]);
    expect(index.search(Float64Array.of(1, 1), [0, 3], 5)).toEqual([]);
  });
});
