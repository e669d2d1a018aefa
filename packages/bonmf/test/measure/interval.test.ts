import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accuracyInterval } from "../../src/measure/index.js";

describe("accuracyInterval", () => {
  it("has the ends from which the share is z standard errors away", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), fc.double({ min: 0, max: 1, noNaN: true }), (samples, share) => {
        const right = Math.round(share * samples);
        const { low, high } = accuracyInterval(right, samples);
        for (const end of [low, high]) {
          if (end === 0 || end === 1) continue;
          const errors = (right / samples - end) / Math.sqrt((end * (1 - end)) / samples);
          expect(Math.abs(errors)).toBeCloseTo(1.959963984540054, 8);
        }
        expect(low).toBeLessThan(high);
        expect(low).toBeLessThanOrEqual(right / samples);
        expect(high).toBeGreaterThanOrEqual(right / samples);
      }),
    );
  });

  it("reaches 0 and 1 exactly", () => {
    expect(accuracyInterval(0, 7).low).toBe(0);
    expect(accuracyInterval(0, 7).high).toBeCloseTo(1.959963984540054 ** 2 / (7 + 1.959963984540054 ** 2), 15);
    expect(accuracyInterval(7, 7).high).toBe(1);
    expect(accuracyInterval(7, 7).low).toBeCloseTo(7 / (7 + 1.959963984540054 ** 2), 15);
  });

  it("widens with z", () => {
    expect(accuracyInterval(1, 2, 1).low).toBeCloseTo(0.5 - Math.sqrt(3) / 6, 15);
    expect(accuracyInterval(1, 2, 1).high).toBeCloseTo(0.5 + Math.sqrt(3) / 6, 15);
  });

  it.each([
    [1, 0, undefined, "samples must be a whole number of 1 or more, not 0"],
    [1, 1.5, undefined, "samples must be a whole number of 1 or more, not 1.5"],
    [3, 2, undefined, "right must be a whole number of 0 … 2, not 3"],
    [-1, 2, undefined, "right must be a whole number of 0 … 2, not -1"],
    [0.5, 2, undefined, "right must be a whole number of 0 … 2, not 0.5"],
    [1, 2, 0, "z must be a positive number, not 0"],
    [1, 2, Number.POSITIVE_INFINITY, "z must be a positive number, not Infinity"],
  ])("refuses %d of %d at %d", (right, samples, z, message) => {
    expect(() => accuracyInterval(right, samples, z)).toThrow(
      expect.objectContaining({ option: message.split(" ")[0], message }),
    );
  });
});
