import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { solveNnls } from "../../../src/kernel/plain/nnls.js";
import { dot, flip, type Grid, pinv, times } from "../../oracle.js";
import { randomRows } from "../../synthetic.js";

const flat = (G: Grid) => Float64Array.from(G.flat());

function solve(G: Grid, b: number[]): number[] {
  const h = new Float64Array(b.length).fill(9);
  solveNnls(flat(G), Float64Array.from(b), h, b.length);
  return [...h];
}

/** ½hᵀGh − bᵀh. */
const objective = (G: Grid, b: number[], h: number[]) =>
  0.5 *
    dot(
      h,
      G.map((row) => dot(row, h)),
    ) -
  dot(b, h);

/** The least objective over all supports whose least-squares solution is non-negative. */
function bruteForce(G: Grid, b: number[]): number {
  const k = b.length;
  let least = 0;
  for (let mask = 1; mask < 2 ** k; mask++) {
    const free = b.map((_, r) => r).filter((r) => mask & (1 << r));
    const block = free.map((r) => free.map((s) => G[r][s]));
    const part = times(
      pinv(block),
      free.map((r) => [b[r]]),
    ).map(([h]) => h);
    if (part.some((h) => h < -1e-12)) continue;
    const h = b.map(() => 0);
    free.forEach((r, t) => {
      h[r] = part[t];
    });
    least = Math.min(least, objective(G, b, h));
  }
  return least;
}

/** h ≥ 0, gradient ≥ 0, and one of them zero everywhere: the solution, for any G = WᵀW, singular or not. */
function expectOptimal(G: Grid, b: number[], h: number[], near: number): void {
  const size = Math.max(...b.map(Math.abs), 1e-300);
  h.forEach((value, r) => {
    expect(value).toBeGreaterThanOrEqual(0);
    const gradient = dot(G[r], h) - b[r];
    expect(gradient, `entry ${r} wants to grow`).toBeGreaterThanOrEqual(-near * size);
    if (value > 0) expect(Math.abs(gradient), `entry ${r} is not at its optimum`).toBeLessThanOrEqual(near * size);
  });
}

const gram = (W: Grid) => times(W, flip(W));

describe("solveNnls", () => {
  it("by hand", () => {
    expect(
      solve(
        [
          [2, 0],
          [0, 4],
        ],
        [6, -1],
      ).map((h) => h.toFixed(12)),
    ).toEqual(["3.000000000000", "0.000000000000"]);
    expect(
      solve(
        [
          [2, 1],
          [1, 2],
        ],
        [3, 3],
      ).map((h) => h.toFixed(12)),
    ).toEqual(["1.000000000000", "1.000000000000"]);
    expect(solve([[0]], [0])).toEqual([0]);
    expect(solve([[4]], [2])).toEqual([0.5]);
    expect(solve([[4]], [-2])).toEqual([0]);
  });

  it("agrees with a search of all active sets", () => {
    fc.assert(
      fc.property(fc.nat(1e6), fc.integer({ min: 1, max: 5 }), (seed, k) => {
        const W = randomRows(seed, k, 7, 0.3);
        const x = randomRows(seed + 1, 1, 7, 0.2)[0];
        const G = gram(W);
        const b = W.map((w) => dot(w, x));
        const h = solve(G, b);
        expectOptimal(G, b, h, 1e-9);
        expect(objective(G, b, h)).toBeCloseTo(bruteForce(G, b), 9);
      }),
      { numRuns: 200 },
    );
  });

  it("agrees with that search when b has any sign", () => {
    fc.assert(
      fc.property(fc.nat(1e6), fc.integer({ min: 1, max: 5 }), (seed, k) => {
        const G = gram(randomRows(seed, k, 7).map((row) => row.map((x) => x - 0.4)));
        const b = randomRows(seed + 1, 1, k)[0].map((x) => x - 0.5);
        const h = solve(G, b);
        expectOptimal(G, b, h, 1e-8);
        expect(Math.abs(objective(G, b, h) / bruteForce(G, b) - 1 || 0)).toBeLessThan(1e-7);
      }),
      { numRuns: 200, seed: 3 },
    );
  });

  it("meets the optimality conditions for larger k", () => {
    for (const [seed, k, m] of [
      [1, 10, 20],
      [2, 25, 30],
      [3, 40, 60],
    ]) {
      const W = randomRows(seed, k, m, 0.5);
      const G = gram(W);
      for (const x of randomRows(seed + 9, 10, m, 0.2)) {
        const b = W.map((w) => dot(w, x));
        expectOptimal(G, b, solve(G, b), 1e-9);
      }
    }
  });

  it("meets them for singular G: repeated, zero and dependent prototypes", () => {
    fc.assert(
      fc.property(fc.nat(1e6), fc.integer({ min: 1, max: 6 }), fc.integer({ min: 2, max: 5 }), (seed, few, m) => {
        const W = randomRows(seed, few, m, 0.3);
        const doubled = [
          ...W,
          ...W.map((w) => w.map((x) => 2 * x)),
          W[0].map(() => 0),
          W[0].map((x, f) => x + W[few - 1][f]),
        ];
        const G = gram(doubled);
        for (const x of randomRows(seed + 1, 4, m, 0.2)) {
          const b = doubled.map((w) => dot(w, x));
          expectOptimal(G, b, solve(G, b), 1e-7);
        }
      }),
      { numRuns: 150 },
    );
  });

  it("meets them where a step to the boundary ends at zero with nowhere to go", () => {
    const W = [
      [0, 0, 1],
      [2, 1, 1],
      [1, 0, 1],
    ];
    const b = W.map((w) => dot(w, [2, 0, 2]));
    const h = solve(gram(W), b);
    expectOptimal(gram(W), b, h, 1e-9);
    expect(h.map((x) => x.toFixed(9))).toEqual(["0.000000000", "0.000000000", "2.000000000"]);
  });

  it("meets them for small whole numbers, where steps to the boundary tie", () => {
    const entry = fc.integer({ min: 0, max: 2 });
    fc.assert(
      fc.property(
        fc.array(fc.array(entry, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 6 }),
        fc.array(entry, { minLength: 3, maxLength: 3 }),
        (W, x) => {
          const G = gram(W);
          const b = W.map((w) => dot(w, x));
          expectOptimal(G, b, solve(G, b), 1e-9);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("meets them for prototypes that differ by little", () => {
    fc.assert(
      fc.property(fc.nat(1e6), fc.integer({ min: 3, max: 9 }), (seed, digits) => {
        const W = randomRows(seed, 3, 5);
        const near = [...W, ...W.map((w, j) => w.map((x, f) => x + (f === j ? 10 ** -digits : 0)))];
        const G = gram(near);
        const b = near.map((w) => dot(w, randomRows(seed + 1, 1, 5)[0]));
        expectOptimal(G, b, solve(G, b), 1e-4);
      }),
      { numRuns: 150 },
    );
  });
});
