import { expect, it } from "vitest";
import { areUnits, measureDrifts } from "../src/drifts.js";

it("measures how far prototypes move, never too little", () => {
  const before = Float32Array.of(0, 0, 1, 1, 5, 5);
  const now = Float32Array.of(3, 4, 1, 1, 5, 6);
  const { each, farthest, most, other } = measureDrifts(before, now, 3);
  expect(farthest).toBe(0);
  expect(most).toBe(each[0]);
  expect(other).toBe(each[2]);
  for (const [j, length] of [5, 0, 1].entries()) {
    expect(each[j]).toBeGreaterThanOrEqual(length);
    expect(each[j]).toBeCloseTo(length, 4);
  }
});

it("knows unit vectors from others", () => {
  expect(areUnits(Float32Array.of(0.6, 0.8, 1, 0), 2)).toBe(true);
  expect(areUnits(Float32Array.of(0.6, 0.8, 0, 0), 2)).toBe(false);
});
