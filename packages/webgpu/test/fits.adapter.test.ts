import { AbortError, Dense, type FitOptions, fit, predict, resume } from "bonmf";
import type { MakeSource, Matrix } from "bonmf/engine";
import { beforeAll, describe, expect, it } from "vitest";
import { type InnerOptions, webgpuSource } from "../src/source.js";
import * as adapter from "./adapter.js";
import { fitBoth, openAdapter, told } from "./adapter.js";
import { clouds, draws } from "./synthetic.js";

/** Whole fits: labels, W and history are those of the CPU. */
let gpu: GPU;
beforeAll(async () => {
  gpu = await openAdapter();
});

const KERNEL = /^WebGPU/;
const expectSame = (X: Matrix, options: FitOptions, inner?: InnerOptions) =>
  adapter.expectSame(gpu, KERNEL, X, options, inner);

const METHODS = ["bonmf", "spherical", "kmeans"] as const;

describe.each(METHODS)("%s", (method) => {
  it.each([
    ["few prototypes: a thread a sample", 1500, 20, 6],
    ["many prototypes, a ragged number of features: tiles", 700, 19, 67],
    ["more features than a vector of threads", 400, 131, 5],
    ["one feature", 300, 1, 3],
    ["one cluster", 300, 5, 1],
  ])("%s", async (_, n, m, k) => {
    await expectSame(clouds(n, m, Math.max(k, 4)), { method, k, maxIterations: 6 });
  });

  it("is the same in four parts, with weights, some of them 0", async () => {
    const X = clouds(1500, 10, 5);
    const weights = Array.from({ length: 1500 }, (_, i) => (i % 5 === 0 ? 0 : 1 + (i % 7) / 3));
    await expectSame(X, { method, k: 5, weights, maxIterations: 6 }, { most: 400 });
  });

  it("is the same with samples of zeros, and ties everywhere", async () => {
    const next = draws(8);
    const data = Float32Array.from({ length: 900 * 6 }, (_, p) => (p % 90 < 12 ? 0 : Math.floor(next() * 3)));
    const { settled } = await expectSame(new Dense(900, 6, data), { method, k: 8, maxIterations: 8 });
    expect(settled).toBeGreaterThan(0);
  });

  it("is the same with values from subnormal to huge", async () => {
    const lengths = [1e-30, 1e-9, 1, 3, 1e9, 1e12];
    const X = clouds(800, 9, 4, (value, i) => (value < 0.2 ? 1e-41 * value : value * lengths[i % lengths.length]));
    await expectSame(X, { method, k: 4, maxIterations: 5 });
  });
});

it("takes a thousand clusters", async () => {
  await expectSame(clouds(1300, 4, 40), { k: 1000, method: "kmeans", maxIterations: 2 });
});

it("takes more clusters than are counted in shared memory, in two parts", async () => {
  await expectSame(clouds(1500, 3, 40), { k: 1100, maxIterations: 2 }, { most: 800 });
});

it("repairs empty clusters as the CPU does", async () => {
  const X = clouds(600, 7, 4);
  const init = Array.from({ length: 4 }, (_, j) => (j < 2 ? [...X.row(j)] : new Array<number>(7).fill(50 + j)));
  const { gpu: model } = await expectSame(X, { k: 4, method: "kmeans", init, maxIterations: 6 });
  expect(model.repairs).toBeGreaterThan(0);
});

it("restarts, and draws the first prototypes, as the CPU does", async () => {
  await expectSame(clouds(900, 6, 6), { k: 6, restarts: 3, init: "plusplus", maxIterations: 4 });
});

it("reads samples in shared memory", async () => {
  const { data } = clouds(500, 8, 4);
  const shared = new Float32Array(new SharedArrayBuffer(data.byteLength));
  shared.set(data);
  await expectSame(new Dense(500, 8, shared), { k: 4, maxIterations: 4 });
});

it("goes on from an aborted fit", async () => {
  const X = clouds(900, 6, 6, (value, i) => value * (1 + (i % 3)));
  const options = { k: 6, seed: 2 };
  const stop = new AbortController();
  let steps = 0;
  const onStep = () => {
    if (++steps === 2) stop.abort();
  };
  const error = await fit(webgpuSource(X, { gpu }), { ...options, signal: stop.signal, onStep }).catch(
    (e: unknown) => e,
  );
  expect(error).toBeInstanceOf(AbortError);
  const { model } = error as AbortError;
  expect(model!.history.length).toBe(2);
  const resumed = await resume(model!, webgpuSource(X, { gpu }));
  expect(resumed.kernel).toMatch(/^WebGPU/);
  expect(told(resumed)).toEqual(told(await fit(X, options)));
});

it("goes on with the CPU, to the same bits, when the device is lost", async () => {
  const X = clouds(900, 6, 6, (value, i) => value * (1 + (i % 3)));
  const adapter = (await gpu.requestAdapter())!;
  const device = await adapter.requestDevice();
  const notes: string[] = [];
  let steps = 0;
  const onStep = () => {
    if (++steps === 2) device.destroy();
  };
  const source = webgpuSource(X, { device, onNote: (note) => notes.push(note) });
  const model = await fit(source, { k: 6, seed: 2, onStep });
  expect(steps).toBeGreaterThan(3);
  expect(model.kernel).not.toMatch(/^WebGPU/);
  expect(notes).toEqual([expect.stringMatching(/^The CPU goes on: the GPU failed/)]);
  expect(told(model)).toEqual(told(await fit(X, { k: 6, seed: 2 })));
});

describe("predict", () => {
  /** On the GPU, and by the model. */
  async function predictBoth(X: Dense, options: FitOptions, Z: Dense, inner: InnerOptions = {}) {
    const model = await fit(X, { seed: 4, maxIterations: 3, ...options });
    const notes: string[] = [];
    const engine: MakeSource = (scaled, given) => webgpuSource(scaled, { ...given, gpu, ...inner });
    const labels = await predict(model, Z, { engine, onNote: (note) => notes.push(note) });
    expect(notes).toEqual([]);
    return { gpu: labels, cpu: model.predict(Z) };
  }

  it.each(METHODS)("finds the labels of the CPU in four parts: %s", async (method) => {
    for (const [m, k] of [
      [20, 6],
      [19, 67],
      [3, 300],
    ]) {
      const both = await predictBoth(clouds(700, m, 9), { method, k }, clouds(1500, m, 7), { most: 400 });
      expect(both.gpu).toEqual(both.cpu);
    }
  });

  it("takes samples below 0, which the CPU surveys for fits", async () => {
    const options: FitOptions = { k: 5, method: "kmeans", scale: "standard" };
    const both = await predictBoth(clouds(600, 8, 5), options, clouds(900, 8, 6));
    expect(both.gpu).toEqual(both.cpu);
  });

  it("settles ties and zeros, and would be wrong without its margin", async () => {
    const init = Array.from({ length: 20 }, (_, j) =>
      Array.from({ length: 64 }, (_, f) => 1 + 3e-7 * ((j * 7 + f * 13) % 11)),
    );
    const Z = clouds(1000, 64, 1, (value, i) => (i % 50 === 0 ? 0 : value));
    const options: FitOptions = { k: 20, method: "kmeans", init, maxIterations: 1, emptyClusters: "keep" };
    const X = Dense.from(init.flatMap((row) => [row, row]));
    const both = await predictBoth(X, options, Z);
    expect(both.gpu).toEqual(both.cpu);
    const wrong = await predictBoth(X, options, Z, { margin: 0 });
    expect(wrong.gpu).not.toEqual(wrong.cpu);
  });
});

/** Prototypes so near each other that rounding decides most labels. By distance: adapters add the bias at different ends. */
async function fitTwins(inner: InnerOptions) {
  const X = clouds(1000, 64, 1);
  const next = draws(3);
  const init = Array.from({ length: 20 }, () => Array.from({ length: 64 }, () => 1 + 3e-7 * next()));
  return fitBoth(gpu, X, { k: 20, method: "kmeans", init, maxIterations: 1 }, inner);
}

it.each([true, false])(
  "settles what rounding might decide, where the adapter rounds to nearest: %s",
  async (nearest) => {
    const { cpu, gpu: own, settled } = await fitTwins({ nearest });
    expect(settled).toBeGreaterThan(900);
    expect(told(own)).toEqual(told(cpu));
  },
);

it("would be wrong without its margin", async () => {
  const wrong = await fitTwins({ margin: 0 });
  expect(wrong.gpu.labels).not.toEqual(wrong.cpu.labels);
});

it.each([true, false])("gives ties to the lowest label, where the adapter rounds to nearest: %s", async (nearest) => {
  // Each prototype four times, tiles apart.
  const X = clouds(800, 17, 9);
  const init = Array.from({ length: 160 }, (_, j) => [...X.row(j % 40)]);
  const options: FitOptions = { k: 160, method: "kmeans", init, maxIterations: 2, emptyClusters: "keep" };
  const { settled } = await expectSame(X, options, { nearest });
  expect(settled).toBeGreaterThan(800);
});

it.each(METHODS)("skips samples by bounds in %s, and would be wrong without the moves of prototypes", (method) =>
  adapter.expectSkips(gpu, KERNEL, clouds(1500, 6, 9), method),
);
