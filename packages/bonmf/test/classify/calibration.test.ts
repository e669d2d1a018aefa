import { describe, expect, it } from "vitest";
import { type CalibrationMap, calibrate, fitCalibration } from "../../src/classify/calibration.js";
import { draws } from "../synthetic.js";

describe("calibration", () => {
  it("finds the power that was hidden", () => {
    // True odds are the cubes of the shares' odds.
    const next = draws(1);
    const shares: number[] = [];
    const y: number[] = [];
    for (let i = 0; i < 4000; i++) {
      const share = 0.05 + 0.9 * next();
      const p = share ** 3 / (share ** 3 + (1 - share) ** 3);
      shares.push(1 - share, share);
      y.push(next() < p ? 1 : 0);
    }
    const { power, floor } = fitCalibration(Float64Array.from(shares), y, 2);
    expect(power).toBeGreaterThan(2.5);
    expect(power).toBeLessThan(3.6);
    expect(floor).toBeLessThan(0.1);
  });

  it.each([0.2, 1, 3, 30])("has the least loss of all floors and powers, shares to the power of %d", (sharpness) => {
    const next = draws(5);
    const n = 300;
    const y = Array.from({ length: n }, () => Math.floor(3 * next()));
    const shares = new Float64Array(3 * n);
    for (let i = 0; i < n; i++) {
      const own = [0, 1, 2].map((c) => (next() + (c === y[i] ? 0.7 : 0)) ** sharpness);
      const total = own[0] + own[1] + own[2];
      shares.set(
        own.map((share) => share / total),
        3 * i,
      );
    }
    const lossOf = (map: CalibrationMap) => {
      const all = shares.slice();
      let loss = 0;
      y.forEach((label, i) => {
        calibrate(all, 3 * i, 3, map);
        for (let c = 0; c < 3; c++) loss -= (c === label ? 1 - 1 / (n + 2) : 0.5 / (n + 2)) * Math.log(all[3 * i + c]);
      });
      return loss;
    };
    const found = lossOf(fitCalibration(shares, y, 3));
    for (const floor of [1e-6, 1e-4, 3e-3, 0.03, 0.1, 1]) {
      for (let s = -16; s <= 16; s++) expect(found).toBeLessThan(lossOf({ floor, power: 10 ** (s / 16) }) + 1e-6);
    }
  });

  it("is no surer of n answers that are all right than n samples can prove", () => {
    for (const n of [20, 200]) {
      const map = fitCalibration(
        Float64Array.from({ length: 2 * n }, (_, p) => p % 2),
        new Uint8Array(n).fill(1),
        2,
      );
      const shares = Float64Array.of(0, 1);
      calibrate(shares, 0, 2, map);
      expect(shares[0]).toBeGreaterThan(0.5 / (n + 2));
      expect(shares[0]).toBeLessThan(2 / (n + 2));
    }
  });

  it("leaves a class without votes possible, and keeps the order", () => {
    const shares = Float64Array.of(9, 0.6, 0.4, 0, 9);
    calibrate(shares, 1, 3, { floor: 0.1, power: 2 });
    // 0.49 : 0.25 : 0.01
    [0.49, 0.25, 0.01].forEach((odds, c) => {
      expect(shares[1 + c]).toBeCloseTo(odds / 0.75, 12);
    });
    expect([shares[0], shares[4]]).toEqual([9, 9]);
  });
});
