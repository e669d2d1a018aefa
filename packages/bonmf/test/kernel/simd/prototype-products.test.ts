/** Products of prototypes in WebAssembly: to the bit those of plain TypeScript. */
import { beforeAll, describe, expect, it } from "vitest";
import { makeRegion } from "../../../src/engine/memory/regions.js";
import { cycleColumn, cycleInUnits, gramInUnits, unitsFor } from "../../../src/kernel/plain/cycle.js";
import {
  addGramRow,
  correlate,
  cycleRows,
  cycleRowsEach,
  multiplyGram,
} from "../../../src/kernel/simd/prototype-products.js";
import { provideScratch, takeScratch } from "../../../src/kernel/simd/scratch.js";
import { gramOf, multiplyRows } from "../../../src/matrix/prototypes.js";
import { bits, randomRows } from "../../synthetic.js";

const draw = (seed: number, k: number, m: number) => Float64Array.from(randomRows(seed, k, m, 0.2).flat());

describe.each([
  [2, 3, "by hand"],
  [1, 70_000, "one prototype"],
  [6, 2000, "a whole panel"],
  [13, 1001, "an odd number of both"],
  [40, 512, "rows a power of two apart"],
])("k = %i, m = %i: %s", (k, m) => {
  beforeAll(async () => {
    expect(await makeRegion(0)).not.toBeNull();
    expect(takeScratch()).not.toBeNull();
  });
  const [A, B, HHt] = [draw(1, k, m), draw(2, k, m), draw(3, k, k)];

  it("correlates", () => {
    expect(bits(correlate(A, B, k))).toBe(bits(multiplyRows(A, B, k)));
    expect(bits(correlate(A, A, k))).toBe(bits(gramOf(A, k)));
    const naive = Float64Array.from({ length: k * k }, (_, p) => {
      let sum = 0;
      for (let f = 0; f < m; f++) sum += A[Math.floor(p / k) * m + f] * B[(p % k) * m + f];
      return sum;
    });
    expect(bits(correlate(A, B, k))).toBe(bits(naive));
  });

  it.each([
    { sweeps: 1, beyond: 0 },
    { sweeps: 2, beyond: 0.8 },
    { sweeps: 5, beyond: 0.8 },
    { sweeps: 5, beyond: 3 },
  ])("cycles %o", (how) => {
    const G = gramOf(draw(5, k, 30), k);
    const last = k > 2 ? k - 1 : k;
    // A row that nothing uses stays.
    for (let s = 0; s < k && last < k; s++) G[s * k + last] = G[last * k + s] = 0;
    const start = Float64Array.from(A, Math.fround);
    const units = unitsFor(B, G, k);
    for (const in32Bits of [false, true]) {
      const plain = new Float64Array(k * m);
      for (let f = 0; f < m; f++) {
        const take = (rows: Float64Array) => Float64Array.from({ length: k }, (_, r) => rows[r * m + f]);
        const w = take(start);
        const before = new Float64Array(k);
        if (in32Bits) cycleInUnits(take(B), w, gramInUnits(G, units), units, before, { ...how, stay: true });
        else cycleColumn(take(B), w, G, k, before, { ...how, stay: true });
        for (let r = 0; r < k; r++) plain[r * m + f] = w[r];
      }
      const cycled = cycleRows(start, B, G, k, how, in32Bits);
      expect(bits(cycled)).toBe(bits(plain));
      expect(bits(cycled.subarray(last * m))).toBe(bits(start.subarray(last * m)));
      expect(bits(cycled)).not.toBe(bits(start));
    }
  });

  it("cycles features that have an HHᵀ each", () => {
    const how = { sweeps: 5, beyond: 0.8 };
    const HHt = gramOf(draw(5, k, 30), k);
    // Each knows another share of the samples, and some nothing of the first row.
    const triangles: number[] = [];
    for (let f = 0; f < m; f++) {
      for (let r = 0; r < k; r++) {
        for (let s = 0; s <= r; s++) triangles.push(f % 7 === 0 && s === 0 ? 0 : HHt[r * k + s] * (0.5 + (f % 5) / 10));
      }
    }
    const cycled = cycleRowsEach(A, B, Float64Array.from(triangles), HHt, k, how);
    for (let f = 0, t = 0; f < m; f++) {
      const take = (rows: Float64Array) => Float64Array.from({ length: k }, (_, r) => rows[r * m + f]);
      const G = new Float64Array(k * k);
      for (let r = 0; r < k; r++) for (let s = 0; s <= r; s++) G[r * k + s] = G[s * k + r] = triangles[t++];
      const w = take(A);
      cycleColumn(take(B), w, G, k, new Float64Array(k), { ...how, stay: true });
      if (bits(take(cycled)) !== bits(w)) expect(take(cycled), `feature ${f}`).toEqual(w);
    }
    expect(bits(cycled)).not.toBe(bits(A));
  });

  it("mixes", () => {
    const plain = new Float64Array(k * m);
    for (let j = 0; j < k; j++) addGramRow(A, k, HHt, j, plain.subarray(j * m, (j + 1) * m));
    expect(bits(multiplyGram(A, HHt, k))).toBe(bits(plain));
    expect(multiplyGram(A, HHt, k)[m - 1]).toBeCloseTo(
      Array.from({ length: k }, (_, s) => A[s * m + m - 1] * HHt[s * k]).reduce((sum, term) => sum + term),
      12,
    );
  });
});

it("needs no kernels", () => {
  const W = draw(4, 13, 1001);
  const before = bits(correlate(W, W, 13));
  const cycled = bits(cycleRows(W, W, gramOf(W, 13), 13, { sweeps: 5, beyond: 0.8 }));
  provideScratch(null);
  expect(bits(correlate(W, W, 13))).toBe(before);
  expect(bits(cycleRows(W, W, gramOf(W, 13), 13, { sweeps: 5, beyond: 0.8 }))).toBe(cycled);
});
