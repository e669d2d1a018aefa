import { expect, it } from "vitest";
import { hundredths, wholeTicks } from "../../src/views/numbers.js";

it("counts in whole numbers of a round step", () => {
  expect(wholeTicks(0, 3, 4)).toEqual([0, 1, 2, 3]);
  expect(wholeTicks(0, 1, 4)).toEqual([0, 1]);
  expect(wholeTicks(1, 1, 6)).toEqual([1]);
  expect(wholeTicks(0, 2, 4)).toEqual([0, 1, 2]);
  expect(wholeTicks(0, 583, 4)).toEqual([0, 200, 400]);
  expect(wholeTicks(1, 40, 6)).toEqual([10, 20, 30, 40]);
  expect(wholeTicks(2, 20, 10)).toEqual([2, 4, 6, 8, 10, 12, 14, 16, 18, 20]);
});

it("stays whole and in range for any count", () => {
  for (let to = 1; to < 3000; to += 7) {
    const ticks = wholeTicks(1, to, 5);
    expect(ticks.every((tick) => Number.isInteger(tick) && tick >= 1 && tick <= to)).toBe(true);
    expect(ticks.length).toBeLessThanOrEqual(6);
  }
});

it("shows measures from −1 to 1 with two digits", () => {
  expect([0.2711, -0.0082, -0.001, 1, null, Number.NaN].map(hundredths)).toEqual([
    "0.27",
    "−0.01",
    "0.00",
    "1.00",
    "–",
    "–",
  ]);
});
