import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assign } from "../../src/measure/hungarian.js";
import { Random } from "../../src/random.js";
import { budget } from "../budget.js";

const INF = Number.POSITIVE_INFINITY;

function total(cost: Float64Array, cols: number, chosen: Int32Array): number {
  return chosen.reduce((sum, col, row) => (col < 0 ? sum : sum + cost[row * cols + col]), 0);
}

/** The least sum over every way to match min(rows, cols) pairs. */
function search(cost: Float64Array, rows: number, cols: number, row = 0, taken = 0, spare = rows - cols): number {
  if (row === rows) return 0;
  let best = spare > 0 ? search(cost, rows, cols, row + 1, taken, spare - 1) : INF;
  for (let col = 0; col < cols; col++) {
    if (taken & (1 << col)) continue;
    best = Math.min(best, cost[row * cols + col] + search(cost, rows, cols, row + 1, taken | (1 << col), spare));
  }
  return best;
}

describe("assign", () => {
  it("solves a table worked by hand", () => {
    const cost = Float64Array.of(4, 1, 3, 2, 0, 5, 3, 2, 2);
    expect([...assign(cost, 3, 3)]).toEqual([1, 0, 2]);
  });

  it("leaves rows over when there are more rows than columns", () => {
    expect([...assign(Float64Array.of(1, 9, 3), 3, 1)]).toEqual([0, -1, -1]);
    expect([...assign(Float64Array.of(1, 9, -3), 1, 3)]).toEqual([2]);
  });

  it("equals brute force", () => {
    const tables = fc
      .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 }))
      .chain(([rows, cols]) =>
        fc.tuple(
          fc.constant(rows),
          fc.constant(cols),
          fc.array(fc.integer({ min: -9, max: 9 }), { minLength: rows * cols, maxLength: rows * cols }),
        ),
      );
    fc.assert(
      fc.property(tables, ([rows, cols, values]) => {
        const cost = Float64Array.from(values);
        const chosen = assign(cost, rows, cols);
        const used = chosen.filter((col) => col >= 0);
        expect(used.length).toBe(Math.min(rows, cols));
        expect(new Set(used).size).toBe(used.length);
        expect(total(cost, cols, chosen)).toBe(search(cost, rows, cols));
      }),
      { numRuns: 300 },
    );
  });

  it("finds a hidden permutation in a large matrix", () => {
    const n = budget(300, 1000);
    const random = new Random(7);
    const hidden = random.permutation(n);
    // Row and column offsets change every total alike, so the hidden zeros stay the one optimum.
    const rows = Float64Array.from({ length: n }, () => random.below(1000));
    const cols = Float64Array.from({ length: n }, () => random.below(1000));
    const cost = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        cost[i * n + j] = rows[i] + cols[j] + (hidden[i] === j ? 0 : 1 + random.below(50));
      }
    }
    expect([...assign(cost, n, n)]).toEqual([...hidden]);
  });
});
