import { describe, expect, it } from "vitest";
import { explainRank, recommendRank } from "../../src/choose/rank.js";

const steps = [1, 0.6, 0.3, 0.29, 0.35].map((error, at) => ({
  k: at + 1,
  error,
  spread: [0.2, 0.1, 0.02, 0, 0.03][at],
}));
const ks = [2, 3, 4, 5];

describe("the recommended rank", () => {
  it("is the smallest within one standard error of the best", () => {
    expect(recommendRank(steps, ks)).toEqual({ k: 3, runnerUp: 4, rule: "held-out" });
    const sure = steps.map((step) => ({ ...step, spread: step.spread / 10 }));
    expect(recommendRank(sure, ks)).toEqual({ k: 4, runnerUp: 3, rule: "held-out" });
  });

  it("is the smaller where the gain is below a thousandth", () => {
    const exact = steps.map((step) => ({ ...step, spread: 0, error: step.k < 3 ? step.error : 0.3 - step.k * 1e-4 }));
    expect(recommendRank(exact, ks).k).toBe(3);
  });

  it("is one of those asked for, or 1: none", () => {
    expect(recommendRank(steps, [2, 5])).toEqual({ k: 5, runnerUp: 2, rule: "held-out" });
    const noise = steps.map((step) => ({ ...step, error: 1 + step.k / 10 }));
    expect(recommendRank(noise, ks)).toEqual({ k: 1, runnerUp: 2, rule: null });
    expect(recommendRank(noise, [1])).toEqual({ k: 1, runnerUp: null, rule: null });
  });

  it("is explained in two sentences", () => {
    expect(explainRank(steps, ks, { k: 3, runnerUp: 4 })).toBe(
      "3 prototypes predict entries hidden from the fit as well as any number tried: their squared error is 0.30 of that of one " +
        "prototype, within one standard error of the best, k = 4. More would fit noise; the runner-up is k = 4.",
    );
    expect(explainRank(steps, ks, { k: 4, runnerUp: null })).toContain(
      "0.29 of that of one prototype. More would fit noise.",
    );
    expect(explainRank(steps, [1], { k: 1, runnerUp: null })).toMatch(
      /^No clusters: one prototype .* as well as more do\. A fit/,
    );
    expect(explainRank(steps, ks, { k: 1, runnerUp: 2 })).toContain(
      "(the best is k = 4, with 0.29 of its squared error)",
    );
  });
});
