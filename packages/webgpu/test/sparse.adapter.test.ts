import { type FitOptions, fit, predict, Sparse } from "bonmf";
import type { MakeSource } from "bonmf/engine";
import { beforeAll, describe, expect, it } from "vitest";
import { type InnerOptions, webgpuSource } from "../src/source.js";
import * as adapter from "./adapter.js";
import { fitBoth, openAdapter } from "./adapter.js";
import { clouds, draws } from "./synthetic.js";

/** Whole fits of samples in CSR format: labels, W and history are those of the CPU. */
let gpu: GPU;
beforeAll(async () => {
  gpu = await openAdapter();
});

/** Clouds of which few values are left; every 40th sample has none. */
function texts(
  samples: number,
  features: number,
  k: number,
  share = 0.15,
  change = (value: number, _sample: number): number => value,
): Sparse {
  const next = draws(samples * features);
  const keep = (value: number, i: number) => (i % 40 === 0 || next() >= share ? 0 : change(value, i));
  return Sparse.fromDense(clouds(samples, features, k, keep));
}

const KERNEL = /^WebGPU CSR f32, Hamerly$/;
const expectSame = (X: Sparse, options: FitOptions, inner?: InnerOptions) =>
  adapter.expectSame(gpu, KERNEL, X, options, inner);

describe.each(["bonmf", "spherical", "kmeans"] as const)("%s", (method) => {
  it.each([
    ["one prototype", 300, 12, 1, 0.2],
    ["few prototypes: several samples side by side", 1500, 40, 6, 0.15],
    ["more prototypes than a tile has", 700, 131, 67, 0.1],
    ["more prototypes than threads have vectors", 600, 30, 300, 0.3],
    ["many features, rows of any length", 900, 3000, 5, 0.02],
    ["one feature", 300, 1, 2, 0.5],
  ])("%s", async (_, n, m, k, share) => {
    await expectSame(texts(n, m, Math.max(k, 4), share), { method, k, maxIterations: 6 });
  });

  it("is the same in parts, with weights, some of them 0", async () => {
    const weights = Array.from({ length: 1500 }, (_, i) => (i % 5 === 0 ? 0 : 1 + (i % 7) / 3));
    await expectSame(texts(1500, 30, 5, 0.2), { method, k: 5, weights, maxIterations: 6 }, { most: 400 });
  });

  it("is the same with ties everywhere, and zeros that are stored", async () => {
    const { samples, features, offsets, indices } = texts(900, 12, 4, 0.4);
    const next = draws(8);
    const values = Float32Array.from(indices, () => Math.floor(next() * 3));
    const X = new Sparse(samples, features, offsets, indices, values);
    // Pairs of prototypes that are the same.
    const init = Array.from({ length: 8 }, (_, j) => [...X.row(1 + (j >> 1))]);
    const { settled } = await expectSame(X, { method, k: 8, init, maxIterations: 8, emptyClusters: "keep" });
    expect(settled).toBeGreaterThan(0);
  });

  it("is the same with values from subnormal to huge", async () => {
    const lengths = [1e-30, 1e-9, 1, 3, 1e9, 1e12];
    const change = (value: number, i: number) => (value < 0.2 ? 1e-41 * value : value * lengths[i % lengths.length]);
    await expectSame(texts(800, 25, 4, 0.3, change), { method, k: 4, maxIterations: 5 });
  });

  it("skips samples by bounds, and would be wrong without the moves of prototypes", () =>
    adapter.expectSkips(gpu, KERNEL, texts(1500, 8, 9, 0.5), method));
});

it("repairs empty clusters, and draws the first prototypes, as the CPU does", async () => {
  const X = texts(600, 7, 4, 0.5);
  const init = Array.from({ length: 4 }, (_, j) =>
    j < 2 ? [...X.row(j + 1)] : Array.from({ length: 7 }, () => 50 + j),
  );
  const { gpu: model } = await expectSame(X, { k: 4, method: "kmeans", init, maxIterations: 6 });
  expect(model.repairs).toBeGreaterThan(0);
  await expectSame(texts(900, 20, 6), { k: 6, restarts: 3, init: "plusplus", maxIterations: 4 });
});

it("settles what rounding might decide, and would be wrong without its margin", async () => {
  const X = texts(1000, 90, 1, 0.5);
  const next = draws(3);
  const init = Array.from({ length: 20 }, () => Array.from({ length: 90 }, () => 1 + 3e-7 * next()));
  const options: FitOptions = { k: 20, method: "kmeans", init, maxIterations: 1 };
  const right = await expectSame(X, options);
  expect(right.settled).toBeGreaterThan(900);
  const wrong = await fitBoth(gpu, X, options, { margin: 0 });
  expect(wrong.gpu.labels).not.toEqual(wrong.cpu.labels);
});

it("predicts what the CPU does", async () => {
  const model = await fit(texts(600, 40, 9), { k: 9, seed: 1, maxIterations: 3 });
  const Z = texts(1500, 40, 8);
  const engine: MakeSource = (scaled, given) => webgpuSource(scaled, { ...given, gpu, most: 400 } as InnerOptions);
  expect(await predict(model, Z, { engine })).toEqual(model.predict(Z));
});
