import { describe, expect, it } from "vitest";
import { exp } from "../src/exp.js";

describe("exp", () => {
  it("is Math.exp to 1e-15", () => {
    let worst = 0;
    for (let x = -708; x <= 709; x += 0.0107) worst = Math.max(worst, Math.abs(exp(x) / Math.exp(x) - 1));
    expect(worst).toBeLessThan(1e-15);
  });
  it("is exact at 0, and ends", () => {
    expect(exp(0)).toBe(1);
    expect(exp(-0)).toBe(1);
    expect(exp(-709)).toBe(0);
    expect(exp(Number.NEGATIVE_INFINITY)).toBe(0);
    expect(exp(710)).toBe(Number.POSITIVE_INFINITY);
    expect(exp(Number.NaN)).toBeNaN();
  });
});
