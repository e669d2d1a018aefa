import { Dense, fit } from "bonmf";
import { expect, it } from "vitest";
import { describeGpu } from "../src/device.js";
import { webgpuSource } from "../src/source.js";
import { isWorthGpu } from "../src/worth.js";
import { clouds } from "./synthetic.js";

const X = clouds(300, 5, 3);

/** GPUs that do not help. */
const NO_ADAPTER = { requestAdapter: async () => null } as unknown as GPU;
const BROKEN = {
  requestAdapter: async () => {
    throw new Error("the driver is broken");
  },
} as unknown as GPU;

it.each([
  ["there is no adapter", NO_ADAPTER],
  ["asking for one fails", BROKEN],
  ["there is no WebGPU at all", null],
])("the CPU computes, and says so once, where %s", async (_, gpu) => {
  const notes: string[] = [];
  const source = webgpuSource(X, { gpu, onNote: (note) => notes.push(note) });
  const expected = await fit(X, { k: 3, seed: 1 });
  for (let run = 0; run < 2; run++) {
    const model = await fit(source, { k: 3, seed: 1 });
    expect(model.kernel).toBe(expected.kernel);
    expect(model.history).toEqual(expected.history);
    expect([...model.labels]).toEqual([...expected.labels]);
  }
  expect(notes).toEqual(["The CPU computes: there is no GPU adapter"]);
  expect(await describeGpu(gpu)).toBeNull();
});

it("says why samples stay on the CPU before it asks for an adapter", async () => {
  const notes: string[] = [];
  const onNote = (note: string) => notes.push(note);
  const gpu = BROKEN;
  await fit(webgpuSource(X, { gpu, onNote }), { k: 3, method: "nmf", maxIterations: 2 });
  await fit(
    webgpuSource(
      Dense.from(
        [
          [1, 2],
          [3, 1],
          [2, 2],
          [1, 5],
        ],
        "f64",
      ),
      { gpu, onNote },
    ),
    { k: 2 },
  );
  expect(notes).toEqual([
    "The CPU computes: only bonmf, spherical and kmeans run on the GPU",
    "The CPU computes: samples in 64 bits stay on the CPU",
  ]);
});

it("passes errors of the samples on", async () => {
  const bad = new Dense(4, 1, Float32Array.of(1, Number.NaN, 2, 3));
  await expect(
    webgpuSource(bad, { unchecked: true, gpu: null }).open({ k: 1, form: "labels", threads: 1, effort: 1 }),
  ).rejects.toThrow();
});

it("asks for weights and scaling where they belong", async () => {
  await expect(fit(webgpuSource(X, { gpu: null }), { k: 2, weights: new Array(300).fill(1) })).rejects.toThrow(
    /source/,
  );
});

it("knows large fits by n · m · k, sparse ones by what they store", () => {
  expect(isWorthGpu({ samples: 500_000, features: 20_000, stored: 3e7, k: 100 })).toBe(false);
  expect(isWorthGpu({ samples: 5_000_000, features: 20_000, stored: 3e8, k: 100 })).toBe(true);
  expect(isWorthGpu({ samples: 1_000_000, features: 128, k: 256, once: true })).toBe(true);
  expect(isWorthGpu({ samples: 1_000_000, features: 128, k: 10, once: true })).toBe(false);
  expect(isWorthGpu({ samples: 60_000, features: 784, k: 100 })).toBe(true);
  expect(isWorthGpu({ samples: 60_000, features: 784, k: 100, method: "nmf" })).toBe(false);
  expect(isWorthGpu({ samples: 5620, features: 64, k: 10 })).toBe(false);
});
