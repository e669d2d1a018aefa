import { describe, expect, it } from "vitest";
import { type Mixture, walkMixtures } from "../../src/choose/mixture-path.js";
import { Dense } from "../../src/matrix/dense.js";
import { Random } from "../../src/random.js";
import { drawClusters } from "./data.js";

const options = { seed: 1, threads: 1, signal: undefined };

async function walk(rows: readonly number[][], most: number, weights: Float64Array | null = null): Promise<Mixture[]> {
  const found: Mixture[] = [];
  for await (const mixture of walkMixtures(Dense.from(rows, "f64"), weights, most, options)) found.push(mixture);
  return found;
}

const leastOf = (path: readonly Mixture[]) => path.reduce((a, b) => (b.criterion < a.criterion ? b : a)).k;

describe("mixtures", () => {
  it("go from the most clusters to one", async () => {
    const path = await walk(drawClusters(3, 120, 6), 8);
    expect(path.map(({ k }) => k)).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
    for (const { k, centres, offsets } of path) expect([centres.length, offsets.length]).toEqual([4 * k, k]);
  });

  it.each([1, 2, 4])("of %i clusters are best where there are as many", async (k) => {
    expect(leastOf(await walk(drawClusters(k, 400, 6), 10))).toBe(k);
  });

  it("find a cluster a thirtieth the size of the other, which k-means does not", async () => {
    const large = drawClusters(1, 600, 0, 3);
    const small = drawClusters(1, 20, 0, 4).map((row) => row.map((x) => x + 5));
    const path = await walk([...large, ...small], 8);
    expect(leastOf(path)).toBe(2);
    const two = path.find(({ k }) => k === 2)!;
    const means = [0, 1].map((j) => two.centres[2 * j]).sort((a, b) => a - b);
    expect(means[0]).toBeCloseTo(10, 0);
    expect(means[1]).toBeCloseTo(15, 0);
  });

  it("have the likelihood of the normal density", async () => {
    const random = new Random(5);
    const rows = Array.from({ length: 40 }, () => [random.next(), random.next()]);
    const [{ criterion }] = (await walk(rows, 3)).slice(-1);
    const mean = [0, 1].map((f) => rows.reduce((sum, row) => sum + row[f], 0) / 40);
    const squares = rows.reduce((sum, row) => sum + row.reduce((s, x, f) => s + (x - mean[f]) ** 2, 0), 0);
    const logLikelihood = -40 * (Math.log((2 * Math.PI * squares) / 80) + 1);
    expect(criterion).toBeCloseTo(-2 * logLikelihood + 12, 8);
  });

  it("take weights for numbers of samples", async () => {
    const rows = drawClusters(2, 60, 6);
    const weights = Float64Array.from(rows, (_, i) => (i < 30 ? 0 : 2));
    const [some, all] = [await walk(rows.slice(30), 2), await walk(rows, 2, weights)];
    expect(all[1].centres[0]).toBeCloseTo(some[1].centres[0], 10);
  });

  it("bear samples that are all alike, and stop when told to", async () => {
    const path = await walk(Array.from({ length: 20 }, () => [1, 2]), 3); // biome-ignore format: one line
    expect(path.every(({ criterion }) => Number.isFinite(criterion))).toBe(true);
    const signal = AbortSignal.abort(new Error("enough"));
    const walking = walkMixtures(Dense.from([[1], [2], [3]], "f64"), null, 2, { ...options, signal });
    await expect(walking.next()).rejects.toThrow();
  });
});
