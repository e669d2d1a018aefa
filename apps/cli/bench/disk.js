// Fits from disk against the same fits in memory, on data four times as large as the memory they may use:
// "fit": all sweeps of a fit after the first, with bounds that spare most samples, in both;
// "sweep": one sweep in which every sample is looked at, with the file in the page cache;
// "cold": the same with the file out of it, beside reading the file from end to end; the share is that of the slower of
// reading it and sweeping in memory.
//   node apps/cli/bench/disk.js [megabytes, 1200] [features, 784] [runs, 5]
// Build first: npm run build. By turns, medians; results are checked to be equal. "cold" asks dd to forget the file.

import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allocateDense, fit } from "bonmf";
import { openEngine, streamSource } from "bonmf/engine";
import { readerModule } from "../dist/cache/file-reader.js";

const [megabytes = 1200, features = 784, runs = 5] = process.argv.slice(2).map(Number);
const samples = Math.round((megabytes * 1e6) / (4 * features));
const folder = mkdtempSync(join(tmpdir(), "bonmf-bench-"));
const path = join(folder, "samples");
const threads = 2;

try {
  const X = generate();
  const bytes = X.data.byteLength;
  store(X);
  const stored = {
    samples,
    features,
    precision: "f32",
    kind: "dense",
    part: 128,
    starts: Float64Array.of(0),
    reader: { module: readerModule(), options: { path } },
  };
  const source = streamSource(stored, { memory: bytes / 4 });
  console.log(
    `${samples} × ${features}, ${Math.round(bytes / 1e6)} MB; from disk ${Math.round(bytes / 4e6)} MB of memory`,
  );
  for (const k of [10, 50]) {
    await compareFits(X, source, k);
    await compareSweeps(X, source, k, bytes);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);

/** Samples around 40 overlapping centres. */
function generate() {
  const X = allocateDense(samples, features);
  let state = 1;
  const draw = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const centres = Array.from({ length: 40 }, () =>
    Float32Array.from({ length: features }, () => (draw() < 0.5 ? 8 : 1) * draw()),
  );
  for (let i = 0; i < samples; i++) {
    const centre = centres[Math.floor(draw() * 40)];
    for (let f = 0; f < features; f++) X.data[i * features + f] = Math.max(0, centre[f] + 8 * (draw() - 0.5));
  }
  return X;
}

function store({ data }) {
  const file = openSync(path, "w");
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, Math.min(2 ** 26, bytes.length - at), at);
  closeSync(file);
}

async function compareFits(X, source, k) {
  const times = { memory: [], disk: [] };
  const work = { memory: [], disk: [] };
  let expected;
  for (let run = 0; run <= runs; run++) {
    for (const [name, samples] of [
      ["memory", X],
      ["disk", source],
    ]) {
      const marks = [];
      const onStep = () => marks.push({ time: performance.now(), cpu: countWork() });
      const model = await fit(samples, { k, seed: 1, maxIterations: 20, threads, onStep });
      const told = JSON.stringify([model.history, [...model.W.data]]);
      expected ??= told;
      if (told !== expected) throw new Error("the results differ");
      // The first run warms up.
      if (run === 0) continue;
      const [first, last] = [marks[0], marks.at(-1)];
      times[name].push((last.time - first.time) / (marks.length - 1));
      work[name].push(last.cpu - first.cpu);
    }
  }
  const [memory, disk] = [median(times.memory), median(times.disk)];
  const cpu = Math.round(100 * share(work));
  const text = `${memory.toFixed(1)} ms a sweep in memory, ${disk.toFixed(1)} ms from disk`;
  say("fit", k, `${text} (by processor time ${cpu} %)`, share(times));
}

/** Seconds that all threads have worked. */
function countWork() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** The speed from disk as a share of that in memory, run by run. */
function share({ memory, disk }) {
  return median(memory.map((time, r) => time / disk[r]));
}

/** Prototypes so far from the last ones that no bound holds. */
function stepOf(k, round) {
  const W = new Float64Array(k * features);
  for (let q = 0; q < W.length; q++) {
    const mixed = Math.imul(q + 1, 0x9e3779b1) ^ Math.imul(round + 1, 0x85ebca77);
    W[q] = (Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35) >>> 8) / 2 ** 24;
  }
  return { rule: "cosine", k, W, grid: new Float64Array(features).fill(1.5 * 2 ** 40), weightGrid: 1.5 * 2 ** 30 };
}

async function compareSweeps(X, source, k, bytes) {
  const engines = {
    memory: await openEngine(X, { weights: null, threads, work: 0 }),
    disk: await source.open({ k, form: "labels", threads, effort: 1 }),
  };
  const times = { memory: [], disk: [], cold: [], read: [] };
  const sweep = async (engine, round) => {
    const start = performance.now();
    await engine.pass(stepOf(k, round));
    return performance.now() - start;
  };
  for (let run = 0; run <= runs; run++) {
    const round = 2 * run;
    const [memory, disk] = [await sweep(engines.memory, round), await sweep(engines.disk, round)];
    forget();
    const cold = await sweep(engines.disk, round + 1);
    await engines.memory.pass(stepOf(k, round + 1));
    forget();
    const read = readAll();
    if (run > 0) for (const [name, time] of Object.entries({ memory, disk, cold, read })) times[name].push(time);
  }
  for (const engine of Object.values(engines)) await engine.close();
  const rate = (list) => `${(bytes / 1e6 / median(list)).toFixed(2)} GB/s`;
  say("sweep", k, `${rate(times.memory)} in memory, ${rate(times.disk)} from the page cache`, share(times));
  // No sweep is faster than the slower of the two.
  const cold = median(times.read.map((time, r) => Math.max(time, times.memory[r]) / times.cold[r]));
  say("cold", k, `${rate(times.read)} read from end to end, ${rate(times.cold)} swept`, cold);
}

/** Takes the file out of the page cache, where that can be asked for. */
function forget() {
  spawnSync("sync", [path]);
  const { status } = spawnSync("dd", [`if=${path}`, "iflag=nocache", "count=0"], { stdio: "ignore" });
  if (status !== 0) console.log("(the page cache does not forget here: cold is not cold)");
}

function readAll() {
  const file = openSync(path, "r");
  const block = Buffer.alloc(2 ** 20);
  const start = performance.now();
  while (readSync(file, block) > 0);
  closeSync(file);
  return performance.now() - start;
}

function median(list) {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

function say(what, k, text, ratio) {
  console.log(`${what.padEnd(5)} k = ${String(k).padEnd(3)} ${text}: ${Math.round(100 * ratio)} %`);
}
