import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gramOf, normaliseRows, rowLengths } from "../../src/matrix/prototypes.js";
import { eigen, pseudoInverse } from "../../src/matrix/symmetric.js";
import { dot, flip, type Grid, times } from "../oracle.js";
import { randomRows } from "../synthetic.js";

const flat = (A: Grid) => Float64Array.from(A.flat());
const square = (a: Float64Array, k: number): Grid =>
  Array.from({ length: k }, (_, i) => [...a.subarray(i * k, (i + 1) * k)]);

function expectNear(actual: Grid, expected: Grid, near: number): void {
  actual.forEach((row, i) => {
    row.forEach((x, j) => {
      expect(Math.abs(x - expected[i][j])).toBeLessThanOrEqual(near);
    });
  });
}

/** Symmetric, of rank at most `rank`; signed if asked. */
function symmetric(seed: number, k: number, rank: number, signed: boolean): Grid {
  const B = randomRows(seed, k, rank).map((row) => row.map((x) => x - 0.5));
  const signs = randomRows(seed + 1, 1, rank)[0].map((x) => (signed && x < 0.5 ? -1 : 1));
  return times(
    B.map((row) => row.map((x, t) => x * signs[t])),
    flip(B),
  );
}

const problem = fc.record({
  seed: fc.nat(1e6),
  k: fc.integer({ min: 1, max: 8 }),
  rank: fc.integer({ min: 1, max: 8 }),
});

describe("eigen", () => {
  it("gives A = VᵀΛV with orthonormal rows of V, largest value first", () => {
    fc.assert(
      fc.property(problem, fc.boolean(), ({ seed, k, rank }, signed) => {
        const A = symmetric(seed, k, rank, signed);
        const { values, vectors } = eigen(flat(A), k);
        const V = square(vectors, k);
        const back = times(
          flip(V).map((row) => row.map((x, e) => x * values[e])),
          V,
        );
        expectNear(back, A, 1e-13 * k * 4);
        expectNear(
          times(V, flip(V)),
          V.map((row, i) => row.map((_, j) => (i === j ? 1 : 0))),
          1e-13,
        );
        for (let e = 1; e < k; e++) expect(values[e]).toBeLessThanOrEqual(values[e - 1]);
      }),
    );
  });

  it("by hand", () => {
    const { values, vectors } = eigen(Float64Array.of(2, 1, 1, 2), 2);
    expect(values[0]).toBeCloseTo(3, 14);
    expect(values[1]).toBeCloseTo(1, 14);
    expect(Math.abs(vectors[0])).toBeCloseTo(Math.SQRT1_2, 14);
    expect(vectors[0] * vectors[2] + vectors[1] * vectors[3]).toBeCloseTo(0, 14);
    expect([...eigen(Float64Array.of(1, 0, 0, 5), 2).values]).toEqual([5, 1]);
    expect([...eigen(new Float64Array(4), 2).values]).toEqual([0, 0]);
  });

  it("leaves its input alone", () => {
    const A = Float64Array.of(2, 1, 1, 2);
    eigen(A, 2);
    expect([...A]).toEqual([2, 1, 1, 2]);
  });
});

describe("pseudoInverse", () => {
  it("meets the four conditions of Penrose, singular or not", () => {
    fc.assert(
      fc.property(problem, fc.constantFrom(1, 1e6, 1e-6), ({ seed, k, rank }, scale) => {
        // Columns that differ well: small eigenvalues are either 0 or not small.
        const B = randomRows(seed, rank, k).map((row, r) => row.map((x, i) => x + (i === r ? 3 : 0)));
        const A = times(flip(B), B).map((row) => row.map((x) => x * scale));
        const P = square(pseudoInverse(flat(A), k), k);
        const largest = Math.max(...A.flat());
        expectNear(times(times(A, P), A), A, 1e-9 * largest);
        expectNear(times(times(P, A), P), P, 1e-9 * Math.max(...P.flat().map(Math.abs)));
        expectNear(times(A, P), flip(times(A, P)), 1e-9);
        expectNear(times(P, A), flip(times(P, A)), 1e-9);
      }),
      { seed: 5 },
    );
  });

  it("of repeated prototypes shares among the copies", () => {
    // (1 1; 1 1)⁺ = ¼ (1 1; 1 1).
    for (const x of pseudoInverse(Float64Array.of(1, 1, 1, 1), 2)) expect(x).toBeCloseTo(0.25, 14);
    expect([...pseudoInverse(new Float64Array(4), 2)]).toEqual([0, 0, 0, 0]);
    expect([...pseudoInverse(Float64Array.of(4), 1)]).toEqual([0.25]);
  });

  it("takes eigenvalues below k · 1e-12 of the largest as zero", () => {
    expect([...pseudoInverse(Float64Array.of(1, 0, 0, 2 ** -30), 2)]).toEqual([1, 0, 0, 2 ** 30]);
    expect([...pseudoInverse(Float64Array.of(1, 0, 0, 2 ** -40), 2)]).toEqual([1, 0, 0, 0]);
  });
});

describe("prototypes", () => {
  const W = Float64Array.of(3, 4, 0, 0, 5, 12);

  it("have lengths and directions; zero rows stay", () => {
    expect([...rowLengths(W, 3)]).toEqual([5, 0, 13]);
    const unit = W.slice();
    expect(normaliseRows(unit, 3)).toBe(unit);
    expect([...unit]).toEqual([0.6, 0.8, 0, 0, 5 / 13, 12 / 13]);
    expect(rowLengths(new Float64Array(0), 0).length).toBe(0);
  });

  it("have a Gram matrix", () => {
    expect([...gramOf(W, 3)]).toEqual([25, 0, 63, 0, 0, 0, 63, 0, 169]);
    const rows = randomRows(3, 4, 6);
    const G = square(gramOf(flat(rows), 4), 4);
    rows.forEach((a, r) => {
      rows.forEach((b, s) => {
        expect(G[r][s]).toBeCloseTo(dot(a, b), 14);
        expect(G[r][s]).toBe(G[s][r]);
      });
    });
  });
});
