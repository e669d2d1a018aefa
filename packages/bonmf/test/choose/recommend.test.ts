import { describe, expect, it } from "vitest";
import { recommend } from "../../src/choose/recommend.js";

const pathOf = (...evidence: number[]) => evidence.map((each, i) => ({ k: i + 2, evidence: 5 * each, balance: each }));

describe("the recommendation", () => {
  it("is the k with the most evidence, and the next", () => {
    expect(recommend(pathOf(16, 24, 30, 12, -8))).toEqual({ k: 4, runnerUp: 3 });
  });

  it("is none below chance, with the least bad k beside it", () => {
    expect(recommend(pathOf(-16, -3, 1, -20))).toEqual({ k: 1, runnerUp: 4 });
    expect(recommend(pathOf(1.2))).toEqual({ k: 1, runnerUp: 2 });
  });

  it("has no runner-up where only one k has evidence", () => {
    expect(recommend(pathOf(16, -5, -20))).toEqual({ k: 2, runnerUp: null });
  });

  it("counts clusters, large and small alike, where there are gaps at all", () => {
    const [small, large] = [{ k: 2, evidence: 160, balance: 8 }, { k: 5, evidence: 40, balance: 12 }]; // biome-ignore format: a pair
    expect(recommend([small, large]).k).toBe(5);
    expect(recommend([small, { ...large, evidence: 5 }])).toEqual({ k: 2, runnerUp: null });
  });

  it("prefers fewer clusters among equals, and knows nothing of nothing", () => {
    expect(recommend(pathOf(3, 9, 9)).k).toBe(3);
    expect(recommend([])).toEqual({ k: 1, runnerUp: null });
  });
});
