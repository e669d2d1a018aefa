import { describe, expect, it } from "vitest";
import { eachHidden, hideEntries, spreadOf } from "../../src/choose/hiding.js";
import { Dense } from "../../src/matrix/dense.js";
import type { Matrix } from "../../src/matrix/matrix.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { drawUniform } from "./data.js";

const [n, m] = [60, 20];
const X = Dense.from(drawUniform(n, m), "f64");

function hiddenOf(samples: Matrix, seed: number, part: number): Map<string, number> {
  const shown = hideEntries(samples, seed, part);
  const found = new Map<string, number>();
  for (let i = 0; i < n; i++) eachHidden(samples, shown, i, (f, x) => found.set(`${i} ${f}`, x));
  return found;
}

describe("hidden entries", () => {
  it("are a tenth, other ones in every part, and leave the samples as they were", () => {
    const before = X.data.slice();
    const parts = Array.from({ length: 10 }, (_, part) => hiddenOf(X, 1, part));
    expect(X.data).toEqual(before);
    for (const part of parts) expect(Math.abs(part.size / (n * m) - 0.1)).toBeLessThan(0.03);
    expect(new Set(parts.flatMap((part) => [...part.keys()])).size).toBe(n * m - n - m + 1);
    for (const [place, x] of parts[3]) expect(x).toBe(X.at(...(place.split(" ").map(Number) as [number, number])));
  });

  it("are the same of dense and sparse samples, and never what is missing anyway", () => {
    const gaps = new Dense(n, m, X.data.map((x, p) => (p % 7 === 3 ? Number.NaN : x))); // biome-ignore format: one line
    const rows = Array.from({ length: n }, (_, i) =>
      [...gaps.row(i)].flatMap((x, f): [number, number][] => (Number.isNaN(x) ? [] : [[f, x]])),
    );
    const hidden = hiddenOf(gaps, 2, 0);
    expect(hiddenOf(Sparse.from(rows, m, "f64"), 2, 0)).toEqual(hidden);
    expect([...hidden.values()].some(Number.isNaN)).toBe(false);
  });

  it("have a spread that is 0 where errors differ alike", () => {
    expect(spreadOf(Float64Array.of(3, 4, 5), Float64Array.of(1, 2, 3))).toBe(0);
    expect(spreadOf(Float64Array.of(1, 0), Float64Array.of(0, 1))).toBeCloseTo(2);
  });
});
