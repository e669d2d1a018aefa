import { describe, expect, it } from "vitest";
import { type PathStep, recommend } from "../../src/choose/recommend.js";

const ks = [2, 3, 4, 5];

/** Steps from k = 2 on; gaps and contrast are beyond chance unless said otherwise. */
const pathOf = (criteria: number[], more: (k: number) => Partial<PathStep> = () => ({})): PathStep[] =>
  criteria.map((criterion, i) => {
    const k = i + 2;
    const step = { k, evidence: 20, contrast: 0.2, balance: 8, criterion, tooFew: false, ...more(k) };
    return { evenContrast: step.contrast, ...step };
  });

describe("the recommendation", () => {
  it("is the k of the mixture that describes the samples best, where gaps set its clusters off", () => {
    expect(recommend(pathOf([9, 4, 5, 7, 8]), ks)).toEqual({ k: 3, runnerUp: 4, rule: "mixture" });
    expect(recommend(pathOf([3, 3, 5]), ks)).toMatchObject({ k: 2, runnerUp: 3 });
  });

  it("is not too few", () => {
    const three = (k: number) => ({ tooFew: k <= 3 });
    expect(recommend(pathOf([9, 4, 6, 5, 8], three), ks)).toEqual({ k: 5, runnerUp: 4, rule: "mixture" });
    expect(recommend(pathOf([9, 4, 6, 5], () => ({ tooFew: true })), ks)).toMatchObject({ k: 3, rule: "mixture" }); // biome-ignore format: one line
    expect(recommend(pathOf([9, 4, 6, 5], (k) => ({ ...three(k), balance: -1 })), ks).rule).toBe("contrast"); // biome-ignore format: one line
  });

  it("is none where neither gaps nor contrast are beyond chance", () => {
    const chance = (k: number) => ({ evidence: 5, balance: 5, contrast: k === 4 ? 0.09 : 0.02 });
    expect(recommend(pathOf([9, 4, 5, 7], chance), ks)).toEqual({ k: 1, runnerUp: 4, rule: null });
    expect(recommend([], ks)).toEqual({ k: 1, runnerUp: null, rule: null });
  });

  it("needs but one of the two", () => {
    const gaps = (k: number) => ({ evidence: k === 2 ? 7 : -50, contrast: 0 });
    expect(recommend(pathOf([9, 4, 5, 7], gaps), ks).k).toBe(3);
    expect(recommend(pathOf([9, 4, 5, 7], () => ({ evidence: -50, contrast: 0.11 })), ks).k).toBe(3); // biome-ignore format: one line
  });

  it("is the smallest k with four fifths of the contrast where clusters touch", () => {
    const contrasts = (k: number) => ({ balance: -1, contrast: [0.16, 0.17, 0.2, 0.21][k - 2] });
    const touching = (k: number) => ({ ...contrasts(k), evidence: -9 });
    expect(recommend(pathOf([9, 4, 5, 7], contrasts), ks)).toEqual({ k: 5, runnerUp: 4, rule: "contrast" });
    expect(recommend(pathOf([9, 4, 5, 7], touching), ks)).toEqual({ k: 3, runnerUp: 4, rule: "contrast" });
  });

  it("is the k with most evidence of gaps where clusters are not round and have no contrast", () => {
    const gaps = (k: number) => ({ balance: -1, contrast: 0.05, evidence: [3, 40, 50, -9][k - 2] });
    expect(recommend(pathOf([9, 4, 5, 7], gaps), ks)).toEqual({ k: 4, runnerUp: 3, rule: "gaps" });
  });

  it("does not trust a mixture that needs more clusters than were asked for", () => {
    const rising = pathOf([9, 8, 7, 6, 5], (k) => ({ contrast: k / 10, evidence: -9 }));
    expect(recommend(rising, ks)).toEqual({ k: 4, runnerUp: 5, rule: "contrast" });
    expect(recommend(rising, [2, 3, 4, 5, 6]).rule).toBe("mixture");
  });

  it("is one of those asked for", () => {
    expect(recommend(pathOf([9, 4, 5, 7]), [2, 4])).toEqual({ k: 4, runnerUp: 2, rule: "mixture" });
  });
});
