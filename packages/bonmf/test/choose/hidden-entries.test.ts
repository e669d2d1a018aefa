import { describe, expect, it } from "vitest";
import { chooseRank, Dense } from "../../src/index.js";
import { uniform } from "../../src/random.js";

/** A product of two non-negative factors of this rank, times 1 ± noise. */
function plant(n: number, m: number, rank: number, seed: number, noise: number): Dense {
  const X = Dense.zeros(n, m);
  const part = (stream: number, at: number) => Math.max(0, uniform(seed, stream, at) - 0.4);
  for (let i = 0; i < n; i++) {
    for (let f = 0; f < m; f++) {
      let x = 0;
      for (let r = 0; r < rank; r++) x += part(100, i * rank + r) * part(101, f * rank + r);
      X.data[i * m + f] = x * (1 + noise * (2 * uniform(seed, 102, i * m + f) - 1));
    }
  }
  return X;
}

describe("chooseRank", () => {
  it("finds a planted rank in at least nine of ten seeds", async () => {
    let right = 0;
    for (let seed = 0; seed < 10; seed++) {
      const rank = 3 + (seed % 3);
      const { k } = await chooseRank(plant(150, 40, rank, seed, 0.2), { ks: [1, 2, 3, 4, 5, 6, 7, 8], seed });
      if (k === rank) right++;
    }
    expect(right).toBeGreaterThanOrEqual(9);
  });

  it("tells every error as it is measured, and says the same twice", async () => {
    const X = plant(60, 20, 2, 1, 0.1);
    const told: number[] = [];
    const once = await chooseRank(X, { ks: [3, 1, 2], onTried: ({ k }) => told.push(k) });
    expect(told).toEqual([1, 2, 3]);
    expect(await chooseRank(X, { ks: [1, 2, 3], threads: 2 })).toEqual(once);
    const errors = once.tried.map(({ error }) => error);
    expect(errors[1]).toBeLessThan(errors[0] / 2);
  });

  it("refuses an empty range and unknown methods", async () => {
    const X = plant(20, 5, 1, 1, 0);
    await expect(chooseRank(X, { ks: [] })).rejects.toThrow("ks is empty");
    await expect(chooseRank(X, { ks: [0] })).rejects.toThrow("ks must be a whole number, 1 or more");
    await expect(chooseRank(X, { ks: [1], method: "em-onmf" })).rejects.toThrow('missing: "mask" is not for method');
  });
});
