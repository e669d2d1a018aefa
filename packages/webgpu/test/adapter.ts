import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type FitOptions, fit, type Model } from "bonmf";
import type { Matrix } from "bonmf/engine";
import { expect } from "vitest";
import { type InnerOptions, webgpuSource } from "../src/source.js";

/** The adapter of adapter/check.js: it is an error that there is none. */
export async function openAdapter(): Promise<GPU> {
  const path = join(process.env.WEBGPU_MODULE!, "node_modules/webgpu/index.js");
  const { create } = (await import(/* @vite-ignore */ pathToFileURL(path).href)) as { create(options: string[]): GPU };
  const gpu = create([]);
  kept.push(gpu);
  return gpu;
}

const kept: unknown[] = [];

export interface Compared {
  readonly cpu: Model;
  readonly gpu: Model;
  readonly notes: readonly string[];
  /** How many labels the GPU settled. */
  readonly settled: number;
  /** How many samples each sweep scored. */
  readonly scored: readonly number[];
}

/** The same fit on both. */
export async function fitBoth(gpu: GPU, X: Matrix, options: FitOptions, inner: InnerOptions = {}): Promise<Compared> {
  const { weights, ...rest } = options;
  const notes: string[] = [];
  let settled = 0;
  const scored: number[] = [];
  const source = webgpuSource(X, {
    gpu,
    weights: weights ? Float64Array.from(weights) : null,
    onNote: (note) => notes.push(note),
    onTimes: (times) => {
      settled += times.settled;
      scored.push(times.scored);
    },
    ...inner,
  } as InnerOptions);
  return { cpu: await fit(X, { ...options, threads: 1 }), gpu: await fit(source, rest), notes, settled, scored };
}

/** The same fit on both, which must be the same to the bit, and on the GPU. @param kernel what the GPU's kernel is called */
export async function expectSame(
  gpu: GPU,
  kernel: RegExp,
  X: Matrix,
  options: FitOptions,
  inner: InnerOptions = {},
): Promise<Compared> {
  const both = await fitBoth(gpu, X, { seed: 4, ...options }, inner);
  expect(both.notes).toEqual([]);
  expect(both.gpu.kernel).toMatch(kernel);
  expect(told(both.gpu)).toEqual(told(both.cpu));
  return both;
}

/** Bounds skip many of 1,500 samples, and labels would be wrong without the moves of prototypes. */
export async function expectSkips(gpu: GPU, kernel: RegExp, X: Matrix, method: FitOptions["method"]): Promise<void> {
  const options = { method, k: 9, maxIterations: 12 };
  const { scored } = await expectSame(gpu, kernel, X, options);
  expect(scored[0]).toBe(1500);
  expect(scored.at(-1)).toBeLessThan(1000);
  const wrong = await fitBoth(gpu, X, { seed: 4, ...options }, { drift: 0 });
  expect(wrong.gpu.labels).not.toEqual(wrong.cpu.labels);
}

/** Everything that must be the same to the bit. */
export function told({ W, labels, history, iterations, stopped, repairs, counts }: Model) {
  return {
    W: [...new BigUint64Array(W.data.buffer)],
    labels: [...labels],
    history,
    iterations,
    stopped,
    repairs,
    counts,
  };
}
