import { expect, it } from "vitest";
import { makeRegion } from "../../../src/engine/memory/regions.js";
import { Assigner } from "../../../src/kernel/simd/pruned-assignment.js";
import { SpanSweeper } from "../../../src/kernel/simd/span-sweeper.js";
import { gridFor } from "../../../src/kernel/sums.js";

it("adds up what a thread did that joined twice in a sweep, and once more when nothing was left", async () => {
  const [samples, features, k] = [5000, 4, 3];
  const region = (await makeRegion(0))!;
  const X = region.reserve(4 * samples * features);
  region.f32(X, samples * features).forEach((_, p, values) => {
    values[p] = (p * 7919) % 101;
  });
  const norms = region.reserve(8 * samples);
  region.f64(norms, samples).fill(1);
  const common = { region, samples, features, precision: "f32", sparse: false, X, indices: 0, values: 0 } as const;
  const assigner = new Assigner({ ...common, bytes: 16 * samples, longest: 4, norms, offset: 0, weights: 0 }, 1);
  const W = Float64Array.from({ length: k * features }, (_, p) => 1 + ((p * 31) % 97));
  const grid = new Float64Array(features).fill(gridFor(101 * samples));
  assigner.begin({ rule: "distance", k, W, grid, weightGrid: gridFor(samples) });
  const other = new SpanSweeper(region, assigner.plans[1]);
  const take = (from: number, to: number) => {
    other.begin();
    for (let unit = from; unit < to; unit++) other.sweepUnit(unit);
    other.end();
  };
  expect(assigner.units).toBeGreaterThan(4);
  take(1, 3);
  take(3, assigner.units);
  take(0, 0);
  assigner.sweeper.sweepUnit(0);
  assigner.sweeper.end();
  for (let j = 0; j < k; j++) assigner.sweeper.gather(j);
  const { changed, products, HHt } = assigner.finish();
  expect([changed, products, HHt.reduce((sum, count) => sum + count, 0)]).toEqual([samples, samples * k, samples]);
});
