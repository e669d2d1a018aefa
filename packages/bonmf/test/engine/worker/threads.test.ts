import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Worker } from "node:worker_threads";
import { afterAll, describe, expect, it } from "vitest";
import { openEngine } from "../../../src/engine/in-memory.js";
import { blockSize } from "../../../src/engine/stats.js";
import { surveyData } from "../../../src/engine/survey.js";
import { openRemote } from "../../../src/engine/worker/remote.js";
import { releaseThread, startThreads, Thread, threadCount } from "../../../src/engine/worker/threads.js";
import { copyAll } from "../../../src/engine/worker/wire.js";
import { BonmfError, OptionError } from "../../../src/errors.js";
import { Dense } from "../../../src/matrix/dense.js";
import { Sparse } from "../../../src/matrix/sparse.js";
import { AbortError } from "../../../src/model/abort.js";
import { fit, resume } from "../../../src/model/fit.js";
import type { StepReport } from "../../../src/model/options.js";
import { ALL, bits, blobRows, codeBits, dense, randomRows, record } from "../../synthetic.js";

const N = 3000;
const K = 5;
const X = dense(blobRows(1, N, 9, 7), "f32");
const sparse = Sparse.fromDense(dense(randomRows(2, N, 12, 0.6), "f64"));
const weights = Float64Array.from({ length: N }, (_, i) => (i % 5 === 0 ? 0 : 1 + (i % 7) / 3));
const W = Float64Array.from(randomRows(3, K, 9).flat());
const dist = fileURLToPath(new URL("../../../dist", import.meta.url));

/** Every worker this process starts, for those who want to count or kill them. */
const started: Worker[] = [];
const note = (worker: Worker) => started.push(worker);
process.on("worker", note);
afterAll(() => {
  process.off("worker", note);
});

it("the data is twelve blocks", () => expect(N / blockSize(N)).toBeGreaterThan(11));

describe.each(ALL)("%s", (method) => {
  it.each([
    ["dense", X],
    ["sparse", sparse],
  ] as const)("finds the same bits in %s samples with any number of threads", async (_, data) => {
    for (const options of [{}, { weights, init: "plusplus" as const, restarts: 2 }]) {
      const run = { k: K, method, seed: 3, maxIterations: 5, ...options };
      const alone = record(await fit(data, { ...run, threads: 1 }));
      for (const threads of [2, 3, 8]) expect(record(await fit(data, { ...run, threads }))).toEqual(alone);
    }
  });

  it("continues with another number of threads", async () => {
    const options = { k: K, method, seed: 3, tolerance: 0, weights };
    const whole = await fit(X, { ...options, maxIterations: 6, threads: 1 });
    let model = await fit(X, { ...options, maxIterations: 2, threads: 3 });
    model = await resume(model, X, { maxIterations: 4, threads: 1, weights });
    model = await resume(model, X, { maxIterations: 6, threads: 4, weights });
    expect(record(model)).toEqual(record(whole));
  });
});

describe("parallel restarts", () => {
  const options = { k: K, seed: 3, init: "sample" as const, restarts: 5, maxIterations: 6, weights };

  it.each(["bonmf", "hals", "semi-binary"] as const)("report in order: %s", async (method) => {
    const tell = async (threads: number) => {
      const steps: string[] = [];
      const onStep = ({ restart, iteration, W }: StepReport) => steps.push(`${restart} ${iteration} ${bits(W)}`);
      const model = await fit(X, { ...options, method, threads, onStep });
      return { ...record(model), steps };
    };
    const alone = await tell(1);
    for (const threads of [2, 4]) expect(await tell(threads)).toEqual(alone);
  });

  it("stop anywhere, and continue to the same bits", async () => {
    const whole = record(await fit(X, { ...options, threads: 1 }));
    let stopped = 0;
    for (const [threads, count] of [
      [2, 1],
      [3, 4],
      [3, 11],
      [4, 17],
    ]) {
      const stop = new AbortController();
      let steps = 0;
      const onStep = () => ++steps === count && stop.abort();
      const end = await fit(X, { ...options, threads, signal: stop.signal, onStep }).catch((error) => error.model);
      // By the time a step of a late restart is told of, that run may be over: then all are.
      if (end.stopped === "aborted") stopped++;
      expect(record(await resume(end, X, { threads, weights }))).toEqual(whole);
    }
    expect(stopped).toBeGreaterThan(1);
  });

  it("end with the error that onStep throws", async () => {
    for (const last of [0, 3]) {
      const onStep = ({ restart }: StepReport) => {
        if (restart === last) throw new RangeError("enough");
      };
      await expect(fit(X, { ...options, threads: 3, onStep })).rejects.toThrow(RangeError);
    }
  });
});

describe("workers", () => {
  it("were really used, and used again", () => {
    expect(started.length).toBeGreaterThanOrEqual(7);
    expect(started.length).toBeLessThan(20);
  });

  it("serve several fits at a time", async () => {
    const fits = [1, 2, 3, 4].map((threads) => fit(X, { k: K, seed: 9, threads }));
    const [alone, ...others] = (await Promise.all(fits)).map(record);
    for (const other of others) expect(other).toEqual(alone);
  });

  it("leave the caller's arrays alone", async () => {
    const init = Dense.from(blobRows(5, K, 9, K), "f64");
    const before = [X.data, weights, init.data].map(bits);
    await fit(X, { k: K, weights, init, threads: 3 });
    expect([X.data, weights, init.data].map(bits)).toEqual(before);
  });

  it("read shared memory where it is", async () => {
    const data = new Float32Array(new SharedArrayBuffer(X.data.byteLength));
    data.set(X.data);
    const shared = new Dense(N, 9, data);
    const transfer: ArrayBuffer[] = [];
    expect((copyAll(shared.slice(256, 512), transfer) as Dense).data.buffer).toBe(data.buffer);
    expect(transfer).toEqual([]);
    const options = { k: K, seed: 1, maxIterations: 4 };
    expect(record(await fit(shared, { ...options, threads: 3 }))).toEqual(record(await fit(X, options)));
  });

  it.each([
    ["are mostly zeros", 0.8],
    ["are emptier where they are looked at", 0.2],
  ])("help to bring in samples that %s", async (_, zeros) => {
    const [n, m] = [12_800, 40];
    const full = dense(randomRows(5, n, m, zeros), "f32");
    // Every 200th sample is looked at.
    if (zeros < 0.5) for (let i = 0; i < n; i += 200) full.row(i).fill(0);
    const options = { k: 3, seed: 1, init: "sample" as const, maxIterations: 3 };
    const alone = await fit(full, { ...options, threads: 1 });
    expect(alone.kernel).toMatch(zeros > 0.5 ? /^CSR/ : /^dense/);
    for (const threads of [2, 3]) expect(record(await fit(full, { ...options, threads }))).toEqual(record(alone));
  });

  it("can be aborted inside a sweep and keep the last finished one", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    let early = null;
    const options = { k: K, method: "semi-binary" as const, seed: 3, sweeps: 40, tolerance: 0, maxIterations: 6 };
    try {
      // Not at once, which would be between two sweeps.
      const onStep = () => setImmediate(() => controller.abort(reason));
      await fit(X, { ...options, threads: 3, signal: controller.signal, onStep });
    } catch (error) {
      expect(error).toBeInstanceOf(AbortError);
      expect((error as AbortError).cause).toBe(reason);
      early = (error as AbortError).model;
    }
    expect(early?.stopped).toBe("aborted");
    expect(record(await resume(early!, X, { threads: 2 }))).toEqual(record(await fit(X, { ...options, threads: 1 })));
  });
});

describe("an engine over threads", () => {
  const open = (threads: number) => openEngine(X, { weights, threads, work: 0 });

  it.each(["whose sums are exact", "other"])("reverts every part when one was aborted: steps %s", async (kind) => {
    // A pass of many yields, so that an abort arrives in the middle of it on any machine.
    const [n, m, k] = [100_000, 32, kind === "other" ? 24 : 400];
    const long = Dense.zeros(n, m, "f32");
    long.data.forEach((_, p, values) => {
      values[p] = (p * 7919) % 101;
    });
    const prototypes = Float64Array.from({ length: k * m }, (_, p) => 1 + ((p * 31) % 97));
    const engine = await openEngine(long, { weights: null, threads: 3, work: 0 });
    const survey = await surveyData(engine, false, 0);
    const exact = kind === "other" ? {} : { grid: survey.grid, weightGrid: survey.weightGrid };
    await engine.pass({ rule: "cosine", k, W: prototypes, ...exact });
    const before = codeBits(await engine.gather());
    let aborted = 0;
    for (let ms = 0; ms < 24; ms += 4) {
      const controller = new AbortController();
      const pass = engine
        .pass({ rule: "distance", k, W: prototypes.map((w) => w + 1), ...exact }, controller.signal)
        .then(
          () => null,
          (error: unknown) => error,
        );
      const until = performance.now() + ms;
      while (performance.now() < until) await new Promise(setImmediate);
      controller.abort("enough");
      const error = await pass;
      if (error === null) await engine.revert();
      else {
        expect(error).toBe("enough");
        aborted++;
      }
      expect(codeBits(await engine.gather())).toEqual(before);
    }
    expect(aborted).toBeGreaterThan(0);
    await engine.close();
  });

  it("passes typed errors on", async () => {
    const engine = await open(2);
    await expect(engine.gather()).rejects.toThrow(OptionError);
    await expect(engine.pass({ rule: "hold", k: K, W })).rejects.toThrow(/no codes to hold/);
    await engine.close();
  });

  it("is one thread where the work is small", async () => {
    const before = started.length;
    const engine = await openEngine(X, { weights: null, work: 1000 });
    expect(started.length).toBe(before);
    await engine.close();
  });
});

describe("a lost worker", () => {
  const lost = (error: unknown) => {
    expect(error).toBeInstanceOf(BonmfError);
    expect((error as BonmfError).code).toBe("worker");
    expect(String(error)).toMatch(/a worker thread was lost: .*threads: 1/);
  };

  it.each(["hals", "kmeans"] as const)(
    "ends a fit by %s with an error, and the next fit starts another",
    async (method) => {
      const options = { k: K, method, seed: 3, maxIterations: 20, tolerance: 0, threads: 4 };
      let steps = 0;
      const onStep = async () => {
        // Until they have ended: a worker that sleeps when it is lost is not missed before the next sweep.
        if (++steps === 1) await Promise.all(started.map((worker) => worker.terminate()));
      };
      lost(await fit(X, { ...options, onStep }).catch((error: unknown) => error));
      expect(record(await fit(X, options))).toEqual(record(await fit(X, { ...options, threads: 1 })));
    },
  );

  it("rejects pending requests and later ones", async () => {
    const thread = await Thread.start();
    const engine = await openRemote(thread, X, {});
    const passes = [engine.pass({ rule: "cosine", k: K, W }), engine.rows([0])];
    thread.end("a test wanted it");
    for (const pass of passes) lost(await Promise.resolve(pass).catch((error: unknown) => error));
    lost(await engine.gather().catch((error: unknown) => error));
    expect(thread.free).toBe(false);
    await engine.close();
  });

  it("may be lost while it starts, before anybody asks for it", async () => {
    const end = (worker: Worker) => void worker.terminate();
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on("worker", end).on("unhandledRejection", note);
    // More than can be idle.
    const starts = startThreads(18);
    await new Promise((resolve) => setTimeout(resolve, 500));
    process.off("worker", end).off("unhandledRejection", note);
    const settled = await Promise.allSettled(starts);
    for (const start of settled) start.status === "fulfilled" ? releaseThread(start.value) : lost(start.reason);
    expect(settled.some(({ status }) => status === "rejected")).toBe(true);
    expect(unhandled).toEqual([]);
  });

  it("is not kept when it is closed in the middle of a sweep", async () => {
    const thread = await Thread.start();
    const engine = await openRemote(thread, X, {});
    const pass = engine.pass({ rule: "cosine", k: K, W });
    await engine.close();
    lost(await pass.catch((error: unknown) => error));
  });
});

describe("the number of threads", () => {
  it("grows with the work, up to the cores and the blocks", () => {
    const cores = Math.min(16, availableParallelism());
    expect(threadCount(undefined, 1e6, 64)).toBe(1);
    expect(threadCount(undefined, 1e15, 64)).toBe(cores);
    expect(threadCount(undefined, 1e15, 1)).toBe(1);
    const counts = [1e7, 1e8, 2e8, 1e9].map((work) => threadCount(undefined, work, 64));
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
  });

  it("is what the user asks for, up to the blocks", () => {
    expect(threadCount(7, 0, 64)).toBe(7);
    expect(threadCount(7, 0, 3)).toBe(3);
    expect(threadCount(1, 1e15, 64)).toBe(1);
  });

  it.each([0, -1, 1.5, Number.NaN, "2"])("cannot be %s", async (threads) => {
    const options = { k: 1, threads: threads as number };
    await expect(fit([[1]], options)).rejects.toThrow(/threads must be a whole number, 1 or more/);
    const model = await fit([[1]], { k: 1 });
    await expect(resume(model, [[1]], options)).rejects.toThrow(OptionError);
  });
});

describe("a process of its own", () => {
  const folder = mkdtempSync(join(tmpdir(), "bonmf-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  const DATA = `
    const data = Float32Array.from({ length: 30_000 }, (_, i) => (i * 7919) % 1000);
    const X = new Dense(3000, 10, data);
    const digest = ({ labels, W, history }) => JSON.stringify([[...labels], [...W.data], history]);`;

  /** Runs a module that imports bonmf from a folder; its exit code and what it said, `null` if it had to be killed. */
  function runModule(from: string, code: string): Promise<{ code: number | null; out: string }> {
    const file = join(from, from.endsWith("dist") ? "bonmf.js" : "bonmf.min.js");
    const text = `import { Dense, fit } from ${JSON.stringify(pathToFileURL(file).href)};${DATA}${code}`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", text], { timeout: 600_000 });
    let out = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (out += part));
    return new Promise((resolve) => child.on("close", (code) => resolve({ code, out })));
  }

  it("ends by itself after a fit, with workers still waiting for another", async () => {
    const code = `await fit(X, { k: 4, threads: 4 }); console.log("fitted");`;
    expect(await runModule(dist, code)).toEqual({ code: 0, out: "fitted\n" });
  });

  it("does not end before the fit, though nothing else keeps it alive", async () => {
    const code = `fit(X, { k: 4, threads: 4, method: "nmf" }).then(() => console.log("fitted"));`;
    expect(await runModule(dist, code)).toEqual({ code: 0, out: "fitted\n" });
  });

  it("ends by itself after an abort", async () => {
    const code = `
      const stop = new AbortController();
      const onStep = () => setTimeout(() => stop.abort());
      const options = { k: 4, threads: 4, method: "hals", tolerance: 0, maxIterations: 1e6, signal: stop.signal, onStep };
      fit(X, options).catch((error) => console.log(error.name));`;
    expect(await runModule(dist, code)).toEqual({ code: 0, out: "AbortError\n" });
  });

  it("ends by itself when a worker is lost", async () => {
    const code = `
      const workers = [];
      process.on("worker", (worker) => workers.push(worker));
      const onStep = () => workers[1].terminate();
      const options = { k: 4, threads: 4, method: "hals", tolerance: 0, maxIterations: 1e6, onStep };
      fit(X, options).catch((error) => console.log(workers.length, error.name, error.code));`;
    expect(await runModule(dist, code)).toEqual({ code: 0, out: "3 BonmfError worker\n" });
  });

  it("needs no workers: without their script one thread does it all, silently", async () => {
    for (const file of ["bonmf.min.js", "worker.js"]) cpSync(join(dist, file), join(folder, file));
    const code = `
      let started = 0;
      let failed = 0;
      process.on("worker", (worker) => {
        started++;
        worker.on("error", () => failed++);
      });
      const [alone, shared] = [await fit(X, { k: 4, threads: 1 }), await fit(X, { k: 4, threads: 3 })];
      console.log(started, failed, digest(alone) === digest(shared));`;
    expect(await runModule(folder, code)).toEqual({ code: 0, out: "2 0 true\n" });
    rmSync(join(folder, "worker.js"));
    expect(await runModule(folder, code)).toEqual({ code: 0, out: "2 2 true\n" });
  });
});

it("one signal for many threads causes no warning", async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on("warning", note);
  const { signal } = new AbortController();
  await fit(X, { k: K, seed: 1, init: "sample", restarts: 14, threads: 12, signal });
  await fit(X, { k: K, seed: 1, threads: 12, signal });
  await new Promise((resolve) => setTimeout(resolve, 10));
  process.off("warning", note);
  expect(warnings.map(String)).toEqual([]);
});
