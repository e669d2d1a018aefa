/** Samples in WASM memory: used where they are, split where they do not fit, and never copied twice. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openEngine } from "../../../src/engine/in-memory.js";
import { allocateDense } from "../../../src/engine/memory/allocate-dense.js";
import { loadSamples } from "../../../src/engine/memory/samples.js";
import { totalStats } from "../../../src/engine/stats.js";
import { surveyData } from "../../../src/engine/survey.js";
import { Dense } from "../../../src/matrix/dense.js";
import { fit } from "../../../src/model/fit.js";
import { Random } from "../../../src/random.js";

function fill(X: Dense): Dense {
  const random = new Random(3);
  for (let p = 0; p < X.data.length; p++) X.data[p] = random.next() * ((p % 7) + 1);
  return X;
}

const record = ({ W, labels, history }: Awaited<ReturnType<typeof fit>>) => ({ W: W.data, labels, history });

describe("samples allocated by the library", () => {
  it.each(["f32", "f64"] as const)("are zeros to be filled: %s", (precision) => {
    const X = allocateDense(3, 5, precision);
    expect([X.samples, X.features, X.precision]).toEqual([3, 5, precision]);
    expect([...X.data]).toEqual(new Array(15).fill(0));
  });

  it("are used where they are, whole and in part", async () => {
    const X = fill(allocateDense(40, 6));
    expect((await loadSamples(X))!.X).toBe(X);
    expect((await loadSamples(X.slice(10, 20)))!.X.kind === "dense").toBe(true);
    const part = (await loadSamples(X.slice(10, 20)))!.X as Dense;
    expect(part.data.buffer).toBe(X.data.buffer);
  });

  it.each([1, 2, 3])("give the same bits as any others, again and again, on %i threads", async (threads) => {
    const X = fill(allocateDense(1500, 30));
    const plain = new Dense(1500, 30, X.data.slice());
    for (const method of ["kmeans", "bonmf", "nmf"] as const) {
      const options = { k: 14, method, seed: 2, maxIterations: 12, threads };
      const expected = record(await fit(plain, options));
      for (let time = 0; time < 3; time++) expect(record(await fit(X, options))).toEqual(expected);
    }
    expect(X.data).toEqual(plain.data);
  });

  it("do not grow with every fit", async () => {
    const X = fill(allocateDense(3000, 20));
    const { memory } = (await loadSamples(X))!;
    await fit(X, { k: 30, seed: 1, maxIterations: 3 });
    const bytes = memory.buffer.byteLength;
    for (let time = 0; time < 4; time++) await fit(X, { k: 30, seed: time, maxIterations: 3 });
    expect(memory.buffer.byteLength).toBe(bytes);
  });

  it("serve two fits at a time", async () => {
    const X = fill(allocateDense(2000, 25));
    const plain = new Dense(2000, 25, X.data.slice());
    const options = (seed: number) => ({ k: 9, seed, method: "kmeans" as const, threads: 1 });
    const both = await Promise.all([fit(X, options(1)), fit(X, options(2))]);
    expect(record(both[0])).toEqual(record(await fit(plain, options(1))));
    expect(record(both[1])).toEqual(record(await fit(plain, options(2))));
  });
});

it("splits samples that are larger than a memory", async () => {
  const X = fill(Dense.zeros(2000, 10));
  const totals = async (most: number, threads: number) => {
    const engine = await openEngine(X, { weights: null, threads, work: 1e9, most });
    const { grid, weightGrid } = await surveyData(engine, false, 0);
    const W = Float64Array.from(X.take([1, 2, 3]).data);
    const stats = totalStats(await engine.pass({ rule: "distance", k: 3, W, grid, weightGrid }));
    const { labels } = await engine.gather();
    await engine.close();
    return { stats: { ...stats, ranked: null }, labels };
  };
  const whole = await totals(2 ** 30, 1);
  expect(await totals(30_000, 1)).toEqual(whole);
  expect(await totals(30_000, 2)).toEqual(whole);
});

it.each([1, 2, 3])("a second fit with %i threads reuses the memories of the first", async (threads) => {
  const X = fill(new Dense(4000, 30, new Float32Array(120_000)));
  const Memory = WebAssembly.Memory;
  let made = 0;
  WebAssembly.Memory = class extends Memory {
    constructor(wish: WebAssembly.MemoryDescriptor) {
      super(wish);
      made++;
    }
  };
  try {
    const first = await fit(X, { k: 4, seed: 5, threads });
    made = 0;
    const second = await fit(X, { k: 4, seed: 5, threads });
    expect(made).toBe(0);
    expect(record(second)).toEqual(record(first));
    const restarts = { k: 4, seed: 5, threads, restarts: 3 };
    const several = record(await fit(X, restarts));
    made = 0;
    expect(record(await fit(X, restarts))).toEqual(several);
    expect(made).toBe(0);
  } finally {
    WebAssembly.Memory = Memory;
  }
});

it("small samples do not keep the large memory of an earlier fit", async () => {
  await fit(fill(new Dense(400_000, 30, new Float32Array(12_000_000))), {
    k: 2,
    seed: 1,
    maxIterations: 1,
    threads: 1,
  });
  expect(allocateDense(10, 4).data.buffer.byteLength).toBeLessThan(40e6);
});

const dist = fileURLToPath(new URL("../../../dist/bonmf.js", import.meta.url));

/** In a process of its own, whose peak the system knows: n, m, k, threads. */
const PEAK = `
  const [url, n, m, k, threads] = process.argv.slice(1);
  const { allocateDense, fit } = await import(url);
  const X = allocateDense(+n, +m);
  for (let p = 0; p < X.data.length; p++) X.data[p] = ((p * 2654435761) % 1000003) / 1000003 + ((p / m) % k === p % k ? 3 : 0);
  const before = process.resourceUsage().maxRSS;
  await fit(X, { k: +k, seed: 1, maxIterations: 6, threads: +threads });
  console.log((process.resourceUsage().maxRSS - before) * 1024);
`;

describe.skipIf(!existsSync(dist))("the peak memory of a fit", () => {
  it.each([
    { n: 400_000, m: 32, k: 10, threads: 1 },
    { n: 400_000, m: 32, k: 100, threads: 2 },
    { n: 150_000, m: 200, k: 40, threads: 2 },
  ])("of $n × $m, k = $k, $threads threads keeps its promise", ({ n, m, k, threads }) => {
    const args = ["--input-type=module", "-e", PEAK, dist, ...[n, m, k, threads].map(String)];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    expect(stderr).toBe("");
    // The samples are there before; the limit is 64 bytes a sample, 16 m k (threads + 2) and 64 MB.
    expect(Number(stdout)).toBeGreaterThan(0);
    expect(Number(stdout)).toBeLessThan(64 * n + 16 * m * k * (threads + 2) + 64e6);
  });
});
