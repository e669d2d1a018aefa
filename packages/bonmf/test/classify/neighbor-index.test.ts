import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NeighborIndex } from "../../src/classify/neighbor-index.js";
import { compareTied } from "../../src/classify/query.js";
import { Dense } from "../../src/matrix/dense.js";
import type { Matrix } from "../../src/matrix/matrix.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { fit } from "../../src/model/fit.js";
import { budget } from "../budget.js";
import { blobRows, draws, randomRows } from "../synthetic.js";
import { cosine, countVoters, type Grid, likeness, rankSamples } from "./handmade.js";

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
        queries: fc.array(vector, { minLength: 1, maxLength: 14 }),
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
  const closeness = rows.map((row) => likeness(row, x));
  return rankSamples(closeness)
    .slice(0, countVoters(rows, x, count))
    .map((index) => ({ index, closeness: closeness[index] }));
}

const flat = (W: Grid) => Float64Array.from(W.flat());

/** The same samples dense and sparse. */
const kinds = (rows: Grid, precision: "f32" | "f64") => {
  const X = Dense.from(rows, precision);
  return [X, Sparse.fromDense(X)];
};

async function openBoth(
  Z: Matrix,
  clusters: ArrayLike<number>,
  W: Grid,
): Promise<[plain: NeighborIndex, quick: NeighborIndex]> {
  const plain = new NeighborIndex(Z, clusters, flat(W), W.length);
  const quick = await NeighborIndex.open(Z, clusters, flat(W), W.length);
  expect([plain.usesKernels, quick.usesKernels]).toEqual([false, true]);
  return [plain, quick];
}

/** Compares plain and quick searches of dense and sparse samples with brute force; returns one of the quick indices. */
async function expectExact(
  { rows, clusters, W, queries }: Case,
  counts: Iterable<number>,
  precision: "f32" | "f64" = "f64",
): Promise<NeighborIndex> {
  const Qs = kinds(queries, precision);
  const pairs = await Promise.all(kinds(rows, precision).map((Z) => openBoth(Z, clusters, W)));
  for (const count of counts) {
    const expected = queries.map((x) => bruteForce(rows, x, count));
    for (const [kind, [plain, quick]] of pairs.entries()) {
      const cosines = queries.map((x) => W.map((w) => cosine(w, x)));
      const bounds = cosines.map((c) => quick.boundAll(c));
      queries.forEach((x, i) => {
        expect(plain.searchExact(Float64Array.from(x), cosines[i], count)).toEqual(expected[i]);
      });
      expect(plain.searchMany(Qs[kind], bounds, count)).toEqual(expected);
      expect(quick.searchMany(Qs[kind], bounds, count)).toEqual(expected);
    }
  }
  return pairs[0][1];
}

describe("searchExact", () => {
  const small = fc.integer({ min: 0, max: 3 });
  const real = fc.double({ min: 1e-3, max: 1e3, noNaN: true });

  it.each([
    ["whole numbers", small],
    ["real numbers", real],
    ["mixed with zeros", fc.oneof(fc.constant(0), real)],
    ["whole numbers of either sign", fc.integer({ min: -2, max: 2 })],
    [
      "real numbers of either sign, and zeros",
      fc.oneof(
        fc.constant(0),
        real,
        real.map((x) => -x),
      ),
    ],
    ["nearly equal numbers", fc.integer({ min: 0, max: 4 }).map((ulps) => 1 + ulps * Number.EPSILON)],
  ])("finds what brute force finds: %s, any clusters, any prototypes", async (_name, value) => {
    await fc.assert(
      fc.asyncProperty(arbitraryCase(value), fc.nat(), async (drawn, count) => {
        const n = drawn.rows.length;
        await expectExact(drawn, [1, 1 + (count % (n + 3)), n, n + 3]);
        const [rows, queries] = [drawn.rows, drawn.queries].map((grid) => grid.map((row) => row.map(Math.fround)));
        await expectExact({ ...drawn, rows, queries }, [1, 1 + (count % (n + 3))], "f32");
      }),
      { numRuns: budget(40, 100) },
    );
  });

  it("tells apart, or ties, cosines that differ by rounding alone", async () => {
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
      await expectExact({ rows, clusters, W: rows.slice(0, k), queries: [x, base, rows[50]] }, [1, 2, 10, 60, 123]);
    }
  });

  it("orders proportional vectors by rounding and then by the shuffle", async () => {
    const rows = Array.from({ length: 40 }, (_, i) => [1, 2, 3].map((v) => v * (i + 1) * 0.1));
    const clusters = rows.map((_, i) => i % 3);
    await expectExact({ rows, clusters, W: rows.slice(0, 3), queries: [[1, 2, 3], rows[7]] }, [1, 5, 40, 43]);
  });

  it("visits few of many clustered samples, and is right all the same", async () => {
    const rows = blobRows(3, 600, 3, 6);
    const model = await fit(Dense.from(rows, "f64"), { k: 24, seed: 1, init: "plusplus" });
    const W = Array.from({ length: 24 }, (_, j) => Array.from(model.W.row(j)));
    const queries = blobRows(4, 50, 3, 6).concat(rows.slice(0, 50));
    const index = await expectExact({ rows, clusters: Array.from(model.labels), W, queries }, [5]);
    expect(index.visited).toBeGreaterThan(0);
    expect(index.visited).toBeLessThan(0.5 * queries.length * rows.length);
  });

  it.each(["f32", "f64"] as const)("is right for samples around zero: %s", async (precision) => {
    const around = (seed: number, n: number) =>
      blobRows(seed, n, 30, 6).map((row, i) => row.map((x) => (i % 50 === 7 ? 0 : Math.fround(x - 2))));
    const rows = around(3, 400);
    const model = await fit(Dense.from(rows, "f64"), { k: 12, seed: 1, init: "plusplus" });
    const W = Array.from({ length: 12 }, (_, j) => Array.from(model.W.row(j)));
    expect(W.flat().some((w) => w < 0)).toBe(true);
    const queries = [...around(4, 30), ...rows.slice(0, 20), ...rows.slice(0, 20).map((row) => row.map((x) => -x))];
    await expectExact({ rows, clusters: Array.from(model.labels), W, queries }, [1, 5, 400], precision);
  });

  it("finds a zero sample among opposite ones", async () => {
    const rows = [[-1, 0], [-2, 0.1], [0, 0], [-1, -3], [-1, 3]]; // biome-ignore format: a table
    await expectExact({ rows, clusters: [0, 0, 0, 1, 1], W: [[-1, 0], [-1, 0]], queries: [[1, 0], [1, 0.1]] }, [1, 2]); // biome-ignore format: a table
  });

  it("visits one cluster where the others are out of reach", () => {
    const rows = [...Array(20)].map((_, i) => (i % 2 ? [1, 0.01 * (i + 1)] : [0.01 * (i + 1), 1]));
    const W = [
      [0.1, 1],
      [1, 0.1],
    ];
    const index = new NeighborIndex(
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
    const index = new NeighborIndex(Dense.from(rows, "f32"), new Uint8Array(80), flat([rows[0]]), 1);
    const x = rows[11];
    expect(index.searchExact(Float64Array.from(x), [cosine(rows[0], x)], 9)).toEqual(bruteForce(rows, x, 9));
  });
});

describe("searchMany", () => {
  it.each(["f32", "f64"] as const)("is exact where 32-bit cosines are noise: %s", async (precision) => {
    const round = precision === "f32" ? Math.fround : (x: number) => x;
    const next = draws(8);
    const base = Array.from({ length: 90 }, () => next() ** 6);
    // Cosines within some 1e-8 of each other, more members than a step takes, lengths from 1e-18 to 1e18.
    const near = (spread: number) => base.map((v) => round(v * (1 + (next() - 0.5) * spread)));
    const rows = Array.from({ length: 1300 }, (_, i) => near([1e-4, 0, 3e-4, 1e-7][i % 4])).map((row, i) =>
      row.map((v) => round(v * [1e-18, 1, 1e18, 3][i % 4])),
    );
    rows[700] = rows[3].slice();
    rows[1299] = new Array(90).fill(0);
    const queries = Array.from({ length: 13 }, () => near(2e-4));
    const cosines = rows.map((row) => cosine(row, queries[0])).slice(0, 1299);
    expect(Math.max(...cosines) - Math.min(...cosines)).toBeLessThan(1e-7);
    expect(new Set(cosines).size).toBeGreaterThan(300);
    const clusters = rows.map((_, i) => Number(i % 50 === 0));
    await expectExact({ rows, clusters, W: [base, base], queries }, [1, 4, 1300], precision);
  });

  it.each([4, 7, 8, 33, 70])("is exact however many features decide: %i", async (m) => {
    for (const zeros of [0, 0.5, 0.9]) {
      const rows = randomRows(m, 300, m, zeros).map((row, i) => (i % 90 === 0 ? row.map(() => 0) : row));
      const queries = [...randomRows(m + 1, 33, m, zeros), ...rows.slice(85, 95)];
      const clusters = rows.map((_, i) => ((i * i) % 7) % 5);
      for (const precision of ["f32", "f64"] as const) {
        const [X, Q] = [rows, queries].map((grid) =>
          grid.map((row) => row.map(precision === "f32" ? Math.fround : Number)),
        );
        await expectExact({ rows: X, clusters, W: X.slice(1, 6), queries: Q }, [1, 6], precision);
      }
    }
  });

  it("looks into each query's own clusters, and no others", async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryCase(fc.integer({ min: 0, max: 4 })), fc.nat(40), async (drawn, extra) => {
        const { rows, clusters, W, queries } = drawn;
        const named = queries.map((_, i) => W.map((_, j) => (j + i) % W.length).filter((j) => (j * 7 + i) % 3 !== 0));
        for (const [kind, Z] of kinds(rows, "f64").entries()) {
          const [plain, quick] = await openBoth(Z, clusters, W);
          const expected = queries.map((x, i) => plain.search(Float64Array.from(x), named[i], 1 + extra));
          const Q = kinds(queries, "f64")[kind];
          const bounds = named.map((list) => quick.boundOnly(list));
          expect(quick.searchMany(Q, bounds, 1 + extra)).toEqual(expected);
          expect(quick.visited).toBe(plain.visited);
        }
      }),
      { numRuns: budget(40, 100) },
    );
  });

  it("finds the one closest sample of each home, or says that it cannot", async () => {
    let known = 0;
    await fc.assert(
      fc.asyncProperty(arbitraryCase(fc.integer({ min: 0, max: 4 })), async ({ rows, clusters, W, queries }) => {
        const homes = queries.map((_, i) => clusters[i % clusters.length]);
        for (const [kind, Z] of kinds(rows, "f32").entries()) {
          const [plain, quick] = await openBoth(Z, clusters, W);
          expect(plain.findNearest(kinds(queries, "f32")[kind], homes)).toBe(null);
          quick.findNearest(kinds(queries, "f32")[kind], homes)?.forEach((index, i) => {
            if (index < 0) return;
            known++;
            expect(index).toBe(plain.search(Float64Array.from(queries[i]), [homes[i]], 1)[0].index);
          });
        }
      }),
      { numRuns: budget(80, 200) },
    );
    expect(known).toBeGreaterThan(budget(200, 500));
  });

  it("leaves lengths beyond the error bound to the plain search", async () => {
    const tame = blobRows(2, 30, 4, 2);
    const scaled = (factor: number) => tame.map((row) => row.map((v) => v * factor));
    const clusters = new Uint8Array(30);
    for (const factor of [1e-162, 1e-159, 1e-130, 1e130]) {
      const wild = scaled(factor);
      const Z = Dense.from([...wild, ...tame.slice(0, 1)], "f64");
      const index = await NeighborIndex.open(Z, [...clusters, 0], flat([tame[0]]), 1);
      expect(index.usesKernels).toBe(false);
      const [plain, quick] = await openBoth(Dense.from(tame, "f64"), clusters, [tame[0]]);
      const bounds = quick.boundOnly([0]);
      const Q = Dense.from([wild[3], tame[4], wild[5]], "f64");
      const expected = [0, 1, 2].map((i) => plain.search(Q.row(i) as Float64Array, [0], 7));
      expect(quick.searchMany(Q, [bounds, bounds, bounds], 7)).toEqual(expected);
    }
  });
});

describe("search", () => {
  it("finds the closest of the named clusters only, by cosine or by distance", () => {
    const value = fc.integer({ min: 0, max: 4 });
    fc.assert(
      fc.property(arbitraryCase(value), fc.nat(40), ({ rows, clusters, W, queries }, extra) => {
        const index = new NeighborIndex(Dense.from(rows, "f64"), clusters, flat(W), W.length);
        const named = W.map((_, j) => j).filter((j) => j % 2 === 0);
        const ids = rows.map((_, i) => i).filter((i) => clusters[i] % 2 === 0);
        for (const x of queries) {
          const angles = ids.map((i) => likeness(rows[i], x));
          const byAngle = index.search(Float64Array.from(x), named, 1 + extra);
          const members = ids.map((i) => rows[i]);
          const expected = rankSamples(angles, ids).slice(0, countVoters(members, x, 1 + extra));
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
      { numRuns: budget(80, 200) },
    );
  });

  it("breaks ties of distance in the fixed shuffle", () => {
    const rows = [
      [0, 0],
      [4, 2],
      [3, 3],
      [2, 0],
    ];
    const index = new NeighborIndex(Dense.from(rows, "f64"), [0, 0, 0, 0], new Float64Array(2), 1);
    const found = index.search(Float64Array.of(3, 1), [0], 4, "distance");
    expect(found.map((n) => n.index)).toEqual([...[1, 3].sort(compareTied), 2, 0]);
  });

  it("knows which clusters have no samples", () => {
    const index = new NeighborIndex(
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
