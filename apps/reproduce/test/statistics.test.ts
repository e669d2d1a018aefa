import { describe, expect, it } from "vitest";
import { deviationOf, meanOf, medianOf, pair, quantile } from "../src/statistics.js";

describe("mean, deviation, median", () => {
  it("of 2, 4, 4, 4, 5, 5, 7, 9", () => {
    const values = [2, 4, 4, 4, 5, 5, 7, 9];
    expect(meanOf(values)).toBe(5);
    // The squares about 5 add up to 32.
    expect(deviationOf(values)).toBeCloseTo(Math.sqrt(32 / 7), 12);
    expect(medianOf(values)).toBe(4.5);
  });

  it("of a single value has no deviation", () => {
    expect(deviationOf([3])).toBeNull();
    expect(medianOf([3])).toBe(3);
  });

  it("a median does not mind the order", () => expect(medianOf([9, 1, 5])).toBe(5));
});

/** From any printed table of Student's t, two-sided 95 %. */
it.each([
  [1, 12.7062],
  [2, 4.3027],
  [3, 3.1824],
  [4, 2.7764],
  [9, 2.2622],
  [10, 2.2281],
  [29, 2.0452],
  [30, 2.0423],
  [120, 1.9799],
])("with %i degrees of freedom t is %f", (freedom, t) => expect(quantile(freedom)).toBeCloseTo(t, 4));

describe("paired differences", () => {
  it("have the interval worked out by hand", () => {
    // Differences 1, 2, 3: mean 2, deviation 1, t(2) = 4.3027, √(1/3 + 1/4) = 0.76376.
    const interval = pair([2, 4, 6], [1, 2, 3], 0.25)!;
    expect(interval.mean).toBe(2);
    expect(interval.high - 2).toBeCloseTo(4.30265 * 0.763763, 4);
    expect(2 - interval.low).toBeCloseTo(4.30265 * 0.763763, 4);
  });

  it("without shared samples have Student's", () => {
    const interval = pair([2, 4, 6], [1, 2, 3], 0)!;
    expect(interval.high - 2).toBeCloseTo(4.30265 / Math.sqrt(3), 4);
  });

  it("that are all the same leave no doubt", () => {
    expect(pair([3, 4], [1, 2], 0.25)).toEqual({ mean: 2, low: 2, high: 2 });
    expect(pair([1, 2], [1, 2], 0.25)).toEqual({ mean: 0, low: 0, high: 0 });
  });

  it("of a single pair have none", () => expect(pair([1], [0], 0.25)).toBeNull());
});
