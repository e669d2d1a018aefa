/** Steps of different kinds in one engine: whoever held the codes before, totals, codes and `revert` are the plain engine's. */
import { expect, it } from "vitest";
import type { Engine } from "../../src/engine/engine.js";
import { openEngine, openPlain, openShard } from "../../src/engine/in-memory.js";
import { estimateNeed, streamSource } from "../../src/engine/out-of-core.js";
import { totalStats } from "../../src/engine/stats.js";
import { surveyData } from "../../src/engine/survey.js";
import type { Step } from "../../src/kernel/step.js";
import type { Matrix } from "../../src/matrix/matrix.js";
import { gramOf } from "../../src/matrix/prototypes.js";
import { bits, codeBits, dense, randomRows } from "../synthetic.js";
import { storeHere } from "./stored.js";

const K = 4;
const M = 6;
const X = dense(randomRows(1, 700, M, 0.4), "f32");
const [W, W2] = [2, 3].map((seed) => Float64Array.from(randomRows(seed, K, M).flat()));

function openStoredIn(X: Matrix): Promise<Engine> {
  const stored = storeHere(X);
  const options = { k: K, form: "labels", threads: 1, effort: 1 } as const;
  return streamSource(stored, { memory: estimateNeed(stored, options, 1), window: 1 }).open(options);
}

async function stepsOf(): Promise<Record<string, Step>> {
  const { grid, weightGrid } = await surveyData(await openPlain(X), false, 0);
  return {
    "cosine, exact": { rule: "cosine", k: K, W, grid, weightGrid },
    "distance, exact": { rule: "distance", k: K, W: W2, grid, weightGrid },
    "fewer clusters, exact": { rule: "distance", k: 3, W: W2.slice(0, 3 * M), grid, weightGrid },
    cosine: { rule: "cosine", k: K, W: W2 },
    ray: { rule: "ray", k: K, W },
    uniform: { rule: "uniform", k: K, W, seed: 1 },
    "linear, 32 bits": { rule: "linear", k: 3, W: W2.slice(0, 3 * M), floor: 0, float32: 2 },
    "multiply, 32 bits": { rule: "multiply", k: K, W, gram: gramOf(W, K), float32: 2 },
    "cyclic, 32 bits": {
      rule: "cyclic",
      k: K,
      W: W2,
      gram: gramOf(W2, K),
      sweeps: 2,
      beyond: 0.8,
      float32: 4,
      run: 128,
    },
  };
}

/** Pruning makes the number of products differ; all else is the same. */
async function passed(engine: Engine, step: Step) {
  const { XHt, HHt, products, ...rest } = totalStats(await engine.pass(step));
  return { ...rest, XHt: bits(XHt), HHt: bits(HHt), codes: codeBits(await engine.gather()) };
}

async function listen(engine: Engine, first: Step, second: Step) {
  const said: unknown[] = [await passed(engine, first), await passed(engine, second)];
  await engine.revert();
  said.push(codeBits(await engine.gather()), await passed(engine, second));
  const stop = AbortSignal.abort("no");
  await expect(engine.pass(first, stop)).rejects.toBe("no");
  said.push(codeBits(await engine.gather()));
  await engine.close();
  return said;
}

it.each([
  ["a shard", openShard],
  ["stored samples", openStoredIn],
  ["three threads", (X: Matrix) => openEngine(X, { weights: null, threads: 3, work: 0 })],
] as const)("%s: any step after any other", async (_, open) => {
  const steps = await stepsOf();
  for (const [a, first] of Object.entries(steps)) {
    for (const [b, second] of Object.entries(steps)) {
      const expected = await listen(await openPlain(X), first, second);
      expect(await listen(await open(X), first, second), `${b} after ${a}`).toEqual(expected);
    }
  }
});
