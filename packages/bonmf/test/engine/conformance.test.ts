import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { Engine } from "../../src/engine/engine.js";
import { openEngine, openPlain, shardOf } from "../../src/engine/in-memory.js";
import { estimateNeed, streamSource } from "../../src/engine/out-of-core.js";
import { pool } from "../../src/engine/pool.js";
import { blockSize, totalStats } from "../../src/engine/stats.js";
import type { Stored } from "../../src/engine/stored.js";
import { openRemote } from "../../src/engine/worker/remote.js";
import { acquireThreads } from "../../src/engine/worker/threads.js";
import { OptionError } from "../../src/errors.js";
import { iterate, type Outcome } from "../../src/factor/iterate.js";
import { allocateCodes, type Codes, FORM, type RuleName, type Step } from "../../src/kernel/step.js";
import type { Sums } from "../../src/kernel/sums.js";
import type { Matrix } from "../../src/matrix/matrix.js";
import { gramOf } from "../../src/matrix/prototypes.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { fit } from "../../src/model/fit.js";
import { type FitOptions, resolveOptions } from "../../src/model/options.js";
import { budget } from "../budget.js";
import { ALL, bits, codeBits, dense, draws, randomRows } from "../synthetic.js";
import { storeFile, storeHere } from "./stored.js";

/** One suite over every engine: whatever they are made of, they give the same bits. */
const N = 3000;
const M = 7;
const K = 4;
const BLOCKS = 12;
// So empty that sparse samples stay sparse, so full that dense ones stay dense.
const rows = randomRows(1, N, M, 0.65);
rows[5].fill(0);
rows[2900].fill(0);
const X = dense(rows);
const weights = Float64Array.from(rows, (_, i) => (i % 5 === 0 ? 0 : 1 + (i % 7) / 3));

type Weights = Float64Array | null;

async function pooled(X: Matrix, weights: Weights, cuts: readonly number[]): Promise<Engine> {
  const ends = [...cuts.slice(1), BLOCKS];
  const parts = cuts.map((first, s) => {
    const shard = shardOf(X, first, ends[s]);
    const offset = first * blockSize(N);
    const own = weights?.subarray(offset, offset + shard.samples) ?? null;
    return openPlain(shard, { weights: own, offset, total: N });
  });
  return pool(await Promise.all(parts));
}

const ENGINES: Record<string, (X: Matrix, weights: Weights) => Promise<Engine>> = {
  plain: (X, weights) => openPlain(X, { weights }),
  "pool of 1": (X, weights) => pooled(X, weights, [0]),
  "pool of 2": (X, weights) => pooled(X, weights, [0, 5]),
  "pool of 3": (X, weights) => pooled(X, weights, [0, 1, 7]),
  "pool of 8": (X, weights) => pooled(X, weights, [0, 1, 2, 3, 5, 8, 10, 11]),
  "pool of pools": async (X, weights) => pool([await pooled(X, weights, [0, 3, 4])]),
  "a worker": async (X, weights) => openRemote((await acquireThreads(1))[0], X, { weights }),
  "3 threads": (X, weights) => openEngine(X, { weights, threads: 3, work: 0 }),
  stored: (X, weights) => streamed(storeHere(X), weights, 1, 0),
  "stored, half of it kept": (X, weights) => streamed(storeHere(X), weights, 1, 1400 * (X.kind === "dense" ? 56 : 54)),
  "stored, read late": (X, weights) => streamed(storeHere(X, true), weights, 1, 0),
  "stored in a file, 2 threads": (X, weights) => streamed(storeFile(X), weights, 2, 0),
  "stored in a file, 3 threads": (X, weights) => streamed(storeFile(X), weights, 3, 20_000),
};

/** @param room bytes of samples that stay in memory */
function streamed(stored: Stored, weights: Weights, threads: number, room: number): Promise<Engine> {
  const plan = { k: K, form: "labels", threads, effort: 1 } as const;
  const memory = estimateNeed(stored, plan, threads) + room;
  return streamSource(stored, { memory, weights, window: 1 }).open(plan);
}

const W = Float64Array.from(randomRows(2, K, M).flat());
const W2 = Float64Array.from(randomRows(3, K, M).flat());
const gram = gramOf(W, K);

/** Each step begins from the H of the one before, so both first and later sweeps of every rule are met. */
const STEPS: Record<RuleName, Step[]> = {
  cosine: [
    { rule: "cosine", k: K, W },
    { rule: "cosine", k: K, W: W2, unit: true },
    { rule: "cosine", k: K, W, codesOnly: true },
  ],
  distance: [
    { rule: "distance", k: K, W },
    { rule: "distance", k: K, W: W2 },
  ],
  ray: [
    { rule: "ray", k: K, W },
    { rule: "ray", k: K, W: W2 },
  ],
  uniform: [
    { rule: "uniform", k: K, W, seed: 9 },
    { rule: "uniform", k: K, W, seed: 10, round: true },
  ],
  linear: [
    { rule: "linear", k: K, W, gram, floor: 0.5 },
    { rule: "linear", k: K, W, round: true },
  ],
  multiply: [
    { rule: "uniform", k: K, W, seed: 9 },
    { rule: "multiply", k: K, W, gram, alpha: 0.5 },
    { rule: "multiply", k: K, W: W2, gram: gramOf(W2, K) },
    { rule: "multiply", k: K, W, gram, l1: 0.3 },
  ],
  divide: [
    { rule: "uniform", k: K, W, seed: 9 },
    { rule: "divide", k: K, W },
    { rule: "divide", k: K, W: W2, sweeps: 3, l1: 0.5, l2: 0.25 },
    { rule: "divide", k: K, W, sweeps: 0 },
    { rule: "divide", k: 3, W: W.slice(0, 3 * M), sweeps: 40, fresh: true },
    { rule: "divide", k: 3, W: W2.slice(0, 3 * M), sweeps: 200, fresh: true, codesOnly: true },
  ],
  root: [
    { rule: "uniform", k: K, W, seed: 9 },
    { rule: "root", k: K, W, gram },
    { rule: "root", k: K, W: W2, gram },
  ],
  cyclic: [
    { rule: "uniform", k: K, W, seed: 9 },
    { rule: "cyclic", k: K, W, gram },
    { rule: "cyclic", k: K, W: W2, gram: gramOf(W2, K), sweeps: 3, beyond: 0.8 },
    { rule: "cyclic", k: K, W, gram, sweeps: 3, beyond: 0.8, l1: 0.4 },
  ],
  binary: [
    { rule: "binary", k: K, W, gram, fresh: true },
    { rule: "binary", k: K, W: W2, gram: gramOf(W2, K), sweeps: 3 },
  ],
  nnls: [
    { rule: "nnls", k: K, W, gram },
    { rule: "nnls", k: K, W: W2, gram: gramOf(W2, K) },
    { rule: "nnls", k: K, W, gram, l1: 0.4 },
  ],
  hold: [
    { rule: "cosine", k: K, W },
    { rule: "hold", k: K, W: W2, fit: "cosine", rank: 20 },
    { rule: "hold", k: K, W, fit: "distance", rank: 3, unit: true },
    { rule: "ray", k: K, W },
    { rule: "hold", k: K, W, fit: "ray", rank: 5 },
    { rule: "uniform", k: K, W, seed: 4 },
    { rule: "hold", k: K, W },
    { rule: "hold", k: K, W, l1: 1 },
  ],
  probe: [
    { rule: "cosine", k: K, W },
    { rule: "probe", k: K, W, gram },
    { rule: "probe", k: K, W: W2, floor: 0 },
  ],
  softmax: [
    { rule: "cosine", k: K, W },
    { rule: "softmax", k: K, W: W2, bias: Float64Array.from(W.subarray(0, K)) },
    { rule: "distance", k: 2, W: W.slice(0, 2 * M) },
    { rule: "softmax", k: 1, W: W.slice(0, M), bias: Float64Array.of(0.25) },
  ],
  survey: [{ rule: "survey", k: 0, W: new Float64Array(0), rank: 30 }],
  race: [
    { rule: "race", k: 0, W: new Float64Array(0), fresh: true, rank: 6, seed: 3, fit: "cosine" },
    { rule: "race", k: 1, W: W.slice(0, M), rank: 2, seed: 3, stream: 1, fit: "cosine" },
    { rule: "race", k: 1, W: W.slice(M, 2 * M), seed: 3, stream: 2, fit: "cosine", unit: true },
    { rule: "race", k: 2, W: W.slice(0, 2 * M), fresh: true, rank: 4, seed: 5, fit: "ray" },
    { rule: "race", k: 2, W: W.slice(0, 2 * M), fresh: true, rank: 4, seed: 5, fit: "distance" },
  ],
};

const sumBits = ({ XHt, HHt, ...rest }: Sums) => ({ XHt: bits(XHt), HHt: bits(HHt), ...rest });

/** Everything an engine says in answer to some steps. */
async function listen(engine: Engine, steps: readonly Step[]) {
  const said: unknown[] = [];
  let assigned = false;
  for (const step of steps) {
    said.push(sumBits(totalStats(await engine.pass(step))));
    assigned ||= FORM[step.rule] !== null;
    if (assigned) said.push(codeBits(await engine.gather()));
  }
  await engine.close();
  return said;
}

async function run(engine: Engine, options: FitOptions): Promise<{ outcome: Outcome; codes: Codes }> {
  const settled = resolveOptions(options, engine.samples, engine.features);
  const outcome = await iterate(engine, settled, options.seed ?? 0, null);
  return { outcome, codes: await engine.gather() };
}

it(`the data is more than two blocks: ${BLOCKS}`, () => expect(Math.ceil(N / blockSize(N))).toBe(BLOCKS));

describe.each(Object.entries(ENGINES))("%s", (_, engineOf) => {
  describe.each(["dense", "sparse"])("of %s samples", (kind) => {
    const own = kind === "dense" ? X : Sparse.fromDense(X);

    it.each(Object.entries(STEPS))("answers %s to the bit", async (_rule, steps) => {
      for (const w of [null, weights]) {
        const expected = await listen(await openPlain(X, { weights: w }), steps);
        expect(await listen(await engineOf(own, w), steps)).toEqual(expected);
      }
    });

    it("says how large it is and copies samples", async () => {
      const engine = await engineOf(own, weights);
      expect([engine.samples, engine.features]).toEqual([N, M]);
      const ids = [2999, 0, 255, 256, 1280, 1279, 256];
      const taken = await engine.rows(ids);
      expect(ids.map((_, i) => [...taken.row(i)])).toEqual(ids.map((id) => rows[id]));
      taken.data.fill(-1);
      expect([...(await engine.rows([0])).data]).toEqual(rows[0]);
      expect((await engine.rows([])).samples).toBe(0);
      await engine.close();
    });

    it.each(["labels", "rays", "real"] as const)("takes %s and gives them back, as copies", async (form) => {
      const next = draws(4);
      const given = allocateCodes(form, N, K);
      given.labels?.forEach((_, i) => {
        given.labels![i] = Math.floor(next() * K);
      });
      given.values?.forEach((_, i) => {
        given.values![i] = next();
      });
      const engine = await engineOf(own, null);
      await engine.scatter(given);
      const before = codeBits(given);
      const back = await engine.gather();
      expect(codeBits(back)).toEqual(before);
      back.labels?.fill(0);
      back.values?.fill(0);
      given.labels?.fill(1);
      given.values?.fill(1);
      expect(codeBits(await engine.gather())).toEqual(before);
      await engine.close();
    });

    it("has nothing to gather before the first sweep", async () => {
      const engine = await engineOf(own, null);
      await expect(engine.gather()).rejects.toThrow(OptionError);
      await engine.close();
    });

    it("takes the last sweep back", async () => {
      const engine = await engineOf(own, null);
      await engine.pass({ rule: "cosine", k: K, W });
      const before = codeBits(await engine.gather());
      await engine.pass({ rule: "distance", k: K, W: W2 });
      expect(codeBits(await engine.gather())).not.toEqual(before);
      await engine.revert();
      expect(codeBits(await engine.gather())).toEqual(before);
      // And the next sweep counts its changes from there.
      const { changed } = totalStats(await engine.pass({ rule: "cosine", k: K, W }));
      expect(changed).toBe(0);
      await engine.close();
    });

    it("leaves H alone when aborted, wherever in the sweep that happens", async () => {
      let aborted = 0;
      const engine = await engineOf(own, null);
      // A clock on which every look is a second later: engines in this thread pause after every chunk.
      let seconds = 0;
      const clock = vi.spyOn(performance, "now").mockImplementation(() => 1000 * ++seconds);
      for (let ticks = 0; ticks < 60; ticks += budget(12, 3)) {
        for (const second of [STEPS.distance[1], STEPS.ray[1], STEPS.nnls[1]]) {
          await engine.pass({ ...second, W });
          await engine.pass({ ...second, W: Float64Array.from(W, (w, q) => w + (q % 2)) });
          const before = codeBits(await engine.gather());
          const controller = new AbortController();
          const reason = new Error("enough");
          const pass = engine.pass(second, controller.signal).then(
            () => null,
            (error: unknown) => error,
          );
          for (let t = 0; t < ticks; t++) await Promise.resolve();
          controller.abort(reason);
          const error = await pass;
          if (error === null) continue;
          aborted++;
          expect(error).toBe(reason);
          expect(codeBits(await engine.gather())).toEqual(before);
          const whole = await openPlain(own);
          await whole.scatter(await engine.gather());
          const expected = sumBits(totalStats(await whole.pass(second)));
          expect(sumBits(totalStats(await engine.pass(second)))).toEqual(expected);
        }
      }
      clock.mockRestore();
      // A worker has a clock of its own and may be done before the abort arrives.
      if (engineOf !== ENGINES["a worker"]) expect(aborted).toBeGreaterThan(3);
      await engine.close();
    });

    it("refuses a sweep whose signal was aborted before", async () => {
      const engine = await engineOf(own, null);
      await expect(engine.pass(STEPS.cosine[0], AbortSignal.abort("no"))).rejects.toBe("no");
      await engine.close();
    });
  });
});

const PENALTIES = { l1W: 0.01, l2W: 0.02, l1H: 0.03, l2H: 0.04 };
const RUNS: [name: string, options: Omit<FitOptions, "k">][] = [
  ...ALL.map((method): [string, Omit<FitOptions, "k">] => [method, { method }]),
  ["nmf with penalties", { method: "nmf", ...PENALTIES }],
  ["hals with penalties", { method: "hals", ...PENALTIES }],
  ["nmf by divergence", { method: "nmf", loss: "kullback-leibler" }],
  ["nmf by divergence with penalties", { method: "nmf", loss: "kullback-leibler", ...PENALTIES }],
];

describe("whole runs", () => {
  it.each(RUNS)("of %s are the same on every engine", async (_, asked) => {
    for (const [w, init] of [
      [null, undefined],
      [weights, "plusplus"],
    ] as const) {
      const options = { k: K, ...asked, seed: 5, init, maxIterations: 4 };
      const { outcome, codes } = await run(await openPlain(X, { weights: w }), options);
      for (const name of [
        "pool of 2",
        "pool of 8",
        "stored",
        "stored, half of it kept",
        "stored in a file, 2 threads",
      ]) {
        for (const data of [X, Sparse.fromDense(X)]) {
          const engine = await ENGINES[name](data, w);
          const other = await run(engine, options);
          await engine.close();
          expect(bits(other.outcome.W)).toBe(bits(outcome.W));
          expect(codeBits(other.codes)).toEqual(codeBits(codes));
          // Engines may name different kernels.
          expect({ ...other.outcome, W: null, kernel: null }).toEqual({ ...outcome, W: null, kernel: null });
        }
      }
      const model = await fit(X, { ...options, weights: w ?? undefined });
      expect(bits(model.W.data)).toBe(bits(outcome.W));
      expect(model.history).toEqual(outcome.history);
    }
  });

  it("are the same with empty clusters to repair", async () => {
    const init = [...rows.slice(0, 2), [0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0]];
    for (const method of ["bonmf", "spherical", "kmeans", "em-onmf"] as const) {
      const start = method === "kmeans" ? init.map((row, j) => (j < 2 ? row : row.map(() => 50))) : init;
      const options = { k: K, method, init: start, maxIterations: 6 };
      const { outcome } = await run(await openPlain(X), options);
      expect(outcome.repairs).toBeGreaterThan(0);
      const other = await run(await ENGINES["pool of 3"](X, null), options);
      expect(bits(other.outcome.W)).toBe(bits(outcome.W));
      expect(other.outcome.repairs).toBe(outcome.repairs);
    }
  });

  it("do not depend on where the blocks were cut", async () => {
    const options = { k: K, seed: 1, maxIterations: 3 };
    const { outcome } = await run(await openPlain(X), options);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 1, max: BLOCKS - 1 })), async (cuts) => {
        const sorted = [0, ...cuts.sort((a, b) => a - b)];
        expect(bits((await run(await pooled(X, null, sorted), options)).outcome.W)).toBe(bits(outcome.W));
      }),
      { numRuns: 20 },
    );
  });
});

describe("shards", () => {
  it("must begin at a block boundary", async () => {
    const opened = openPlain(X.slice(100, 400), { offset: 100, total: N });
    await expect(opened).rejects.toThrow(/multiple of 256 samples, not at 100/);
  });

  it("are cut at block boundaries, the last one shorter", () => {
    expect([shardOf(X, 0, 1), shardOf(X, 10, 12), shardOf(X, 12, 13)].map((part) => part.samples)).toEqual([
      256, 440, 0,
    ]);
  });
});
