// Whole fits of k-means: the GPU engine, our own CPU threads, and the same Lloyd loop in PyTorch (fp32, CUDA), from the same prototypes
// to the same fixed point, copies to the GPU counted for all. Ends with an error if labels, W or history differ from the CPU's.
//
//   node packages/webgpu/bench/run.js [--shapes large,narrow,5000x20x8] [--iterations 100] [--no-cpu] [--json FILE]
//
// WEBGPU_MODULE: a folder whose node_modules holds the package webgpu.  PYTHON: one with torch; default python3.
// PEAK_TFLOPS and PEAK_GBS: what the card can do, for shares; default those of an H200 (67, 4800).
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { firstOf, makeBlobs, makeTexts, SHAPES, SPARSE_SHAPES } from "./shapes.js";

const { values: asked } = parseArgs({
  options: {
    shapes: { type: "string", default: Object.keys({ ...SHAPES, ...SPARSE_SHAPES }).join() },
    iterations: { type: "string", default: "100" },
    "no-cpu": { type: "boolean", default: false },
    json: { type: "string" },
  },
});
const maxIterations = Number(asked.iterations);
const { PYTHON = "python3", PEAK_TFLOPS = "67", PEAK_GBS = "4800", WEBGPU_MODULE } = process.env;
const load = (path) => import(new URL(path, import.meta.url));
const { Dense, fit, predict, Sparse } = await load("../../bonmf/dist/bonmf.js");
const { describeGpu, webgpuSource } = await load("../dist/index.js");
const { create } = WEBGPU_MODULE
  ? await import(pathToFileURL(join(WEBGPU_MODULE, "node_modules/webgpu/index.js")))
  : await import("webgpu");
// Otherwise timestamps are rounded to 0.1 ms.
const gpu = create(["disable-dawn-features=timestamp_quantization"]);
const adapter = await describeGpu(gpu);
if (adapter === null) throw new Error("there is no adapter");
console.log(`${adapter.name}, ${availableParallelism()} threads, Node ${process.version}`);

const folder = mkdtempSync(join(tmpdir(), "bonmf-gpu-"));
const rows = [];
let wrong = 0;
for (const name of asked.shapes.split(",")) {
  const row = await compare(name, SHAPES[name] ?? SPARSE_SHAPES[name] ?? name.split("x").map(Number));
  rows.push(row);
  wrong += row.differs.length;
  console.log(JSON.stringify(row));
}
rmSync(folder, { recursive: true, force: true });
if (asked.json) writeFileSync(asked.json, JSON.stringify({ adapter, rows }, null, 1));
console.log(`\n${"shape".padEnd(10)} sweeps  GPU s  CPU s  torch s  CPU/GPU  torch/GPU  settled  labels like torch's`);
for (const { name, sweeps, gpu, cpu, torch, settled, agreement } of rows) {
  const cells = [sweeps, gpu, cpu, torch, over(cpu, gpu), over(torch, gpu), settled, agreement];
  console.log(name.padEnd(10), cells.map((cell) => String(cell ?? "–").padStart(7)).join(" "));
}
process.exit(wrong > 0 ? 1 : 0);

function over(a, b) {
  return a === null ? null : (a / b).toFixed(2);
}

async function compare(name, [n, m, k, stored]) {
  const X = stored ? new Sparse(n, m, ...makeTexts(n, m, k, stored)) : new Dense(n, m, makeBlobs(n, m, k));
  const init = firstOf(n, k).map((i) => Array.from(X.row(i)));
  const options = { k, method: "kmeans", init, maxIterations, emptyClusters: "keep" };
  const notes = [];
  const onNote = (note) => notes.push(note);
  const [cold, own] = await time(() => fit(webgpuSource(X, { gpu, onNote }), options));
  const [warm] = await time(() => fit(webgpuSource(X, { gpu, onNote }), options));
  const differs = notes.slice();
  if (!own.kernel.startsWith("WebGPU")) differs.push(`computed by ${own.kernel}`);
  let cpu = null;
  if (!asked["no-cpu"]) {
    const [seconds, other] = await time(() => fit(X, options));
    cpu = seconds;
    if (!same(own.labels, other.labels)) differs.push("labels");
    if (!same(own.W.data, other.W.data)) differs.push("W");
    if (JSON.stringify(own.history) !== JSON.stringify(other.history)) differs.push("history");
  }
  const { sweeps, kernels, settled } = await profile(X, options);
  const labelling = await comparePredictions(own, X, differs);
  const torch = stored ? null : runTorch(name, [n, m, k], own.iterations);
  const agreement = torch && share(own.labels, torch.labels);
  return {
    ...{ name, n, m, k, kernel: own.kernel, sweeps, gpu: round(warm), gpuCold: round(cold), cpu: cpu && round(cpu) },
    ...{ torch: torch && round(torch.seconds), settled, agreement, kernels, predict: labelling, differs },
  };
}

/** Seconds of `predict` of all samples, the second on the GPU. */
async function comparePredictions(model, X, differs) {
  const engine = (Z, options) => webgpuSource(Z, { ...options, gpu });
  await predict(model, X, { engine });
  const [seconds, labels] = await time(() => predict(model, X, { engine }));
  if (asked["no-cpu"]) return { gpu: round(seconds) };
  const [cpu, expected] = await time(() => predict(model, X));
  if (!same(labels, expected)) differs.push("predicted labels");
  return { gpu: round(seconds), cpu: round(cpu) };
}

async function time(run) {
  const began = performance.now();
  const result = await run();
  return [(performance.now() - began) / 1000, result];
}

/** Milliseconds of each kernel: in the first sweep, and the mean of the others. */
async function profile(X, { k, ...options }) {
  const all = [];
  await fit(webgpuSource(X, { gpu, onTimes: (times) => all.push(times) }), { k, ...options });
  const later = all.slice(1);
  const mean = (name) => later.reduce((sum, times) => sum + (times[name] ?? 0), 0) / Math.max(1, later.length);
  const kernels = {};
  for (const name of Object.keys(all[0]).filter((name) => name !== "settled" && name !== "scored")) {
    kernels[name] = { first: round(all[0][name]), later: round(mean(name)) };
  }
  const { samples: n } = X;
  const m = X.kind === "dense" ? X.features : X.values.length / n;
  // The first sweep scores all samples.
  if (kernels.label) {
    const label = all[0].label / 1000;
    kernels.label.peakFlops = round((2 * n * m * k) / label / (Number(PEAK_TFLOPS) * 1e12));
    kernels.label.peakBandwidth = round((4 * n * m) / label / (Number(PEAK_GBS) * 1e9));
    kernels.label.scoredLater = round(mean("scored") / n);
  }
  if (kernels.sums) kernels.sums.peakBandwidth = round((4 * n * m) / (all[0].sums / 1000) / (Number(PEAK_GBS) * 1e9));
  return {
    sweeps: all.length,
    kernels,
    settled: Math.round(all.reduce((sum, { settled }) => sum + settled, 0) / all.length),
  };
}

/** Null where there is no PyTorch with CUDA. */
function runTorch(name, shape, iterations) {
  const out = join(folder, `${name}.labels`);
  const script = fileURLToPath(new URL("lloyd.py", import.meta.url));
  const { status, stdout, stderr } = spawnSync(PYTHON, [script, ...shape.map(String), String(iterations), out], {
    encoding: "utf8",
  });
  if (status !== 0 || !existsSync(out)) {
    console.log(`no PyTorch: ${(stderr ?? "").trim().split("\n").at(-1)}`);
    return null;
  }
  const bytes = readFileSync(out);
  return { ...JSON.parse(stdout), labels: new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4) };
}

function same(a, b) {
  return a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
}

function share(a, b) {
  let equal = 0;
  a.forEach((label, i) => {
    if (label === b[i]) equal++;
  });
  return round(equal / a.length);
}

function round(value) {
  return Number(value.toPrecision(4));
}
