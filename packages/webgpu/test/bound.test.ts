import { describe, expect, it } from "vitest";
import { areNormal, leastOf, longestOf, marginOf } from "../src/bound.js";
import { draws } from "./synthetic.js";

/** ⟨x, w⟩ in 32 bits, in an order, fused or not, with small numbers flushed or not, rounded to nearest or away from it. */
function score(
  x: Float32Array,
  w: Float32Array,
  bias: number,
  order: number[],
  fused: boolean,
  away: () => boolean,
): number {
  let sum = bias;
  const round = (value: number) => {
    const near = Math.fround(value);
    if (near === value || !away()) return flush(near);
    // The neighbour on the other side.
    const step = 2 ** Math.max(-149, Math.floor(Math.log2(Math.abs(near) || 2 ** -149)) - 23);
    return flush(Math.fround(near + (value > near ? step : -step)));
  };
  for (const f of order) {
    const product = flush(x[f]) * flush(w[f]);
    sum = fused ? round(sum + product) : round(sum + round(product));
  }
  return sum;
}

function flush(value: number): number {
  return Math.abs(value) < 2 ** -126 ? 0 : value;
}

function scoreOnCpu(x: Float32Array, w: Float32Array, bias: number): number {
  let sum = bias;
  for (let f = 0; f < x.length; f++) sum = Math.fround(sum + Math.fround(x[f] * w[f]));
  return sum;
}

describe("the margin", () => {
  it("covers what any order and rounding can do to the difference of two scores", () => {
    const next = draws(1);
    let closest = 0;
    for (let round = 0; round < 400; round++) {
      const m = 1 + Math.floor(next() * 300);
      const scale = 2 ** Math.floor(next() * 60 - 30) * (round % 9 === 0 ? 2 ** -125 : 1);
      const signed = () => (round % 2 === 0 ? next() : next() - 0.5);
      const x = Float32Array.from({ length: m }, () => signed() * scale);
      const W = Float32Array.from({ length: 2 * m }, signed);
      const bias = Float32Array.from({ length: 2 }, () => (round % 3 === 0 ? 0 : -next() * scale));
      const order = Array.from({ length: m }, (_, f) => f).sort(() => next() - 0.5);
      const [a, b] = [W.subarray(0, m), W.subarray(m)];
      const { base, slope } = marginOf(m, longestOf(W, 2), Math.max(...bias.map(Math.abs)));
      const length = Math.sqrt(x.reduce((sum, value) => sum + value * value, 0));
      const fused = round % 4 < 2;
      const [own, other] = [a, b].map((w, j) => score(x, w, bias[j], order, fused, () => next() < 0.5));
      const difference = own - other - (scoreOnCpu(x, a, bias[0]) - scoreOnCpu(x, b, bias[1]));
      const margin = base + slope * length;
      expect(Math.abs(difference)).toBeLessThanOrEqual(margin);
      closest = Math.max(closest, Math.abs(difference) / margin);
    }
    // It is a bound for the worst case: random errors stay far below it, but it is no formality.
    expect(closest).toBeGreaterThan(0.01);
  });

  it("says nothing where there are too many features", () => {
    expect(marginOf(2 ** 23, 1, 0).slope).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("numbers that no adapter flushes", () => {
  it("have products and sums that are 0 or normal", () => {
    const next = draws(7);
    let normal = 0;
    for (let round = 0; round < 300; round++) {
      const scale = 2 ** -Math.floor(40 + next() * 14);
      const near = () => (next() < 0.2 ? 0 : (next() - 0.5) * scale);
      const [x, w] = [0, 1].map(() => Float32Array.from({ length: 20 }, near));
      if (!areNormal(leastOf(x), leastOf(w), Number.POSITIVE_INFINITY)) continue;
      normal++;
      let sum = 0;
      for (let f = 0; f < 20; f++) {
        for (const value of [Math.fround(x[f] * w[f]), Math.fround(sum + Math.fround(x[f] * w[f]))])
          expect(value === 0 || Math.abs(value) >= 2 ** -126).toBe(true);
        sum = Math.fround(sum + Math.fround(x[f] * w[f]));
      }
    }
    expect(normal).toBeGreaterThan(20);
  });

  it("are neither subnormal nor have tiny products", () => {
    expect([leastOf([0, -3, 2]), leastOf([0])]).toEqual([2, Number.POSITIVE_INFINITY]);
    expect(areNormal(1, 1, Number.POSITIVE_INFINITY)).toBe(true);
    expect(areNormal(2 ** -127, 2 ** 60, 1)).toBe(false);
    expect(areNormal(2 ** 60, 2 ** -127, 1)).toBe(false);
    expect(areNormal(2 ** -50, 2 ** -51, 1)).toBe(false);
    expect(areNormal(1, 1, 2 ** -101)).toBe(false);
  });
});
