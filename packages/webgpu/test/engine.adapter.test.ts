import { Dense, OptionError } from "bonmf";
import { type Engine, memorySource, type Step, surveyData, totalStats } from "bonmf/engine";
import { beforeAll, expect, it } from "vitest";
import { type InnerOptions, webgpuSource } from "../src/source.js";
import { openAdapter } from "./adapter.js";
import { clouds } from "./synthetic.js";

/** The engine step by step beside that of the CPU. */
let gpu: GPU;
beforeAll(async () => {
  gpu = await openAdapter();
});

const N = 1100;
const M = 6;
const K = 5;
const X = clouds(N, M, K);
const OPENING = { k: K, form: "labels", threads: 1, effort: 1 } as const;
const W = clouds(K, M, K).data;
const W2 = clouds(K, M, 2).data;

async function openBoth(inner: InnerOptions = {}): Promise<{ engines: [Engine, Engine]; exact: Partial<Step> }> {
  const cpu = await memorySource(X, inner.weights ?? null).open(OPENING);
  const { grid, weightGrid } = await surveyData(cpu, false, 0);
  const notes: string[] = [];
  const own = await webgpuSource(X, { gpu, onNote: (note) => notes.push(note), ...inner }).open(OPENING);
  expect(notes).toEqual([]);
  return { engines: [cpu, own], exact: { grid, weightGrid } };
}

/** Both engines are asked the same, and must answer the same. */
async function ask<T>([cpu, own]: [Engine, Engine], question: (engine: Engine) => Promise<T>): Promise<T> {
  const expected = await question(cpu).catch((error: unknown) => String(error));
  const answer = await question(own).catch((error: unknown) => String(error));
  expect(answer).toEqual(expected);
  return answer as T;
}

async function pass(engine: Engine, step: Step) {
  const { XHt, HHt, changed, hash0, hash1, ranked } = totalStats(await engine.pass(step));
  return { XHt, HHt, changed, hash0, hash1, ranked };
}

it("answers whatever is asked of it, in whatever order", async () => {
  const weights = Float64Array.from({ length: N }, (_, i) => (i % 4) / 2);
  for (const own of [null, weights]) {
    const { engines, exact } = await openBoth({ weights: own, most: 500 });
    const { grid, weightGrid } = await surveyData(engines[0], true, 0);
    const wide = Float64Array.from(W);
    const near = Float64Array.from(W2);
    const steps: Step[] = [
      { rule: "cosine", k: K, W: wide, ...exact },
      { rule: "cosine", k: K, W: near, ...exact },
      { rule: "hold", k: K, W: near, fit: "cosine", rank: 5 },
      { rule: "distance", k: K, W: near, ...exact },
      { rule: "cosine", k: K, W: wide, unit: true, grid, weightGrid },
      { rule: "cosine", k: K - 1, W: near.slice(0, (K - 1) * M), ...exact },
      { rule: "ray", k: K, W: wide },
      { rule: "distance", k: K, W: near, ...exact },
      { rule: "uniform", k: K, W: wide, seed: 1 },
    ] as Step[];
    await ask(engines, (engine) => engine.gather());
    for (const step of steps) {
      await ask(engines, (engine) => pass(engine, step));
      await ask(engines, (engine) => engine.gather());
    }
    await ask(engines, (engine) => engine.rows([3, 0, N - 1]));
    for (const engine of engines) await engine.close();
  }
});

it("takes passes back, and labels from outside", async () => {
  const { engines, exact } = await openBoth();
  const first = { rule: "cosine", k: K, W: Float64Array.from(W), ...exact } as Step;
  const second = { rule: "distance", k: K, W: Float64Array.from(W2), ...exact } as Step;
  await ask(engines, (engine) => pass(engine, first));
  const before = await ask(engines, (engine) => engine.gather());
  await ask(engines, (engine) => pass(engine, second));
  await ask(engines, (engine) => engine.revert());
  expect(await ask(engines, (engine) => engine.gather())).toEqual(before);
  await ask(engines, (engine) => pass(engine, second));
  await ask(engines, (engine) => engine.scatter(before));
  await ask(engines, (engine) => engine.gather());
  await ask(engines, (engine) => pass(engine, second));
  await ask(engines, (engine) => pass(engine, { rule: "hold", k: K, W: second.W }));
  await ask(engines, (engine) => engine.revert());
  await ask(engines, (engine) => engine.gather());
  await ask(engines, (engine) => pass(engine, first));
  for (const engine of engines) await engine.close();
});

it("has nothing to gather before the first sweep, nor after that was taken back", async () => {
  const { engines, exact } = await openBoth();
  const [, own] = engines;
  await expect(own.gather()).rejects.toThrow(OptionError);
  await own.pass({ rule: "cosine", k: K, W: Float64Array.from(W), ...exact } as Step);
  await own.revert();
  await expect(own.gather()).rejects.toThrow(OptionError);
  await expect(
    own.pass({ rule: "cosine", k: K, W: Float64Array.from(W), ...exact } as Step, AbortSignal.abort("no")),
  ).rejects.toBe("no");
  for (const engine of engines) await engine.close();
});

it("leaves to the CPU what it cannot do", async () => {
  const told: string[] = [];
  const open = async (X: Dense, options: InnerOptions = {}, form: "labels" | "real" = "labels") => {
    const engine = await webgpuSource(X, { gpu, onNote: (note) => told.push(note), ...options }).open({
      ...OPENING,
      form,
    });
    await engine.close();
  };
  await open(X, {}, "real");
  await open(
    Dense.from(
      [
        [1, 2],
        [3, 4],
        [5, 6],
        [7, 8],
      ],
      "f64",
    ),
  );
  await open(clouds(3, 2, 1));
  await open(clouds(500, 2, 2, (value) => value * 1e30));
  await open(X, { weights: Float64Array.from({ length: N }, (_, i) => (i === 0 ? N : 1)) });
  expect(told.map((note) => note.replace(/\d\.\d+e/, "…e"))).toEqual([
    "The CPU computes: only bonmf, spherical and kmeans run on the GPU",
    "The CPU computes: samples in 64 bits stay on the CPU",
    "The CPU computes: there are fewer than four samples",
    expect.stringMatching(/^The CPU computes: values up to .* are out of the GPU's range$/),
    "The CPU computes: one sample has a quarter of all weight",
  ]);
});
