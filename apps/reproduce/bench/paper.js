// Algorithm 1 beside the paper's method in numpy, in one run: training, and classification by the nearest member.
//   node apps/reproduce/bench/paper.js [datasets with commas between] [rounds, 10]
// Build first: npm run build. BONMF_DATA_DIR names the folder of the datasets, BONMF_BENCH_PYTHON a Python with numpy;
// without one, numpy is installed into an environment among the temporary files.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { classifier, fit } from "bonmf";
import { lookUp } from "../../cli/dist/datasets/catalogue.js";
import { resolveSource } from "../../cli/dist/datasets/find.js";
import { findPaperDataset } from "../dist/datasets.js";
import { moveToKernelMemory, readSamples, splitSamples } from "../dist/samples.js";

/** Those of the paper with 3,000 samples or more. */
const LARGE = "optdigits,phishing,banking,svmguide,pendigits,w8a";
/** Rounds that warm everybody up and are not counted; no more once so many milliseconds have gone. */
const WARM = 10;
const WARM_MS = 20_000;
/** Seconds that each contestant's turn takes at least; one that needs less does its work again, and the mean counts. */
const TURN = 0.05;
/** Milliseconds after numpy's turns in one precision: its threads keep a core busy for a while, waiting for more. */
const REST = 200;
/** numpy as it comes, and in the precision that we have. */
const KINDS = ["f64", "f32"];
const BARS = { train: 5, loop: 20, brute: 1 };
const [names = LARGE, rounds = "10"] = process.argv.slice(2);

const folder = mkdtempSync(join(tmpdir(), "bonmf-paper-"));
// One for each: what one kind has allocated changes how long the other waits for memory.
const pythons = Object.fromEntries(KINDS.map((kind) => [kind, openPython(findPython())]));
try {
  for (const name of names.split(",")) report(name, await compare(findPaperDataset(name)));
} finally {
  for (const python of Object.values(pythons)) python.close();
  rmSync(folder, { recursive: true });
}

async function compare(dataset) {
  const { source } = dataset;
  const file = { path: resolveSource(`@${source}`), features: lookUp(source).files[0].features };
  const split = splitSamples(readSamples(dataset, file), 0);
  const { train, test, classes: k } = split;
  // Both get the scaled samples and the same start, so that both do the same.
  const begun = await fit(train.X, { k, scale: dataset.scale, maxIterations: 1, init: "columns" });
  const [scaled, Q] = [train, test].map((part) => begun.scaler.transform(part.X));
  const X = scaled === train.X ? scaled : moveToKernelMemory(scaled);
  const [A, B] = [X, Q].map((matrix) => matrix.toDense());
  const W = (await fit(A, { k, maxIterations: 1, init: "columns", seed: 1 })).W;
  const codes = new Map([...new Set(train.y)].map((label, code) => [label, code]));
  const files = {
    X: A.data,
    Q: B.data,
    W: Float32Array.from(W.data),
    y: Int32Array.from(train.y, (l) => codes.get(l)),
  };
  for (const [file, data] of Object.entries(files))
    writeFileSync(join(folder, file), new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  for (const kind of KINDS) await pythons[kind].ask({ task: "load", kind, folder, k, m: A.features });

  const init = Array.from({ length: k }, (_, j) => Array.from(W.row(j), Math.fround));
  const letter = { k, init, update: "multiplicative" };
  let model = null;
  const ours = {
    mean: async () => fit(X, { k, init, emptyClusters: "keep" }),
    letter: async () => {
      model = await fit(X, letter);
    },
    nearest: async () => (await classifier(model, X, train.y, { scheme: "nearest" })).predict(Q),
    exact: async () => (await classifier(model, X, train.y, { scheme: "vote", neighbors: 1 })).predict(Q),
  };
  const times = {};
  const keep = (key, seconds) => {
    times[key] ??= [];
    times[key].push(seconds);
  };
  const loops = {};
  let said = null;
  const began = performance.now();
  for (let round = -WARM; round < Number(rounds); round++) {
    if (round < 0 && performance.now() - began > WARM_MS) round = 0;
    for (const [key, work] of Object.entries(ours)) {
      const start = performance.now();
      let [runs, gone, result] = [0, 0, null];
      for (; gone < TURN; runs++) {
        result = await work();
        gone = (performance.now() - start) / 1000;
      }
      if (round >= 0) keep(key, gone / runs);
      if (key === "nearest") said = result;
    }
    for (const kind of KINDS) {
      for (const task of ["letter", "mean", "samples", "brute"]) {
        const { seconds, ...more } = await pythons[kind].ask({ task, turn: TURN });
        if (round >= 0) keep(`${task} ${kind}`, seconds);
        if (task === "samples") loops[kind] = more;
      }
      await setTimeout(REST);
    }
  }
  for (const kind of KINDS) keep(`loop ${kind}`, (await pythons[kind].ask({ task: "loop" })).seconds);
  const agreement = said.filter((label, i) => codes.get(label) === loops.f64.labels[i]).length / said.length;
  const iterations = [model.iterations, ...KINDS.map((kind) => loops[kind].iterations)];
  return { shape: `${A.samples} + ${B.samples} × ${A.features}, k = ${k}`, times, iterations, agreement };
}

function report(name, { shape, times, iterations, agreement }) {
  const middle = (key) => times[key].toSorted((a, b) => a - b)[Math.floor(times[key].length / 2)];
  const row = (what, own, task, bar) => {
    const ratios = KINDS.map((kind) => middle(`${task} ${kind}`) / middle(own));
    const cells = KINDS.map((kind, c) => `${show(middle(`${task} ${kind}`)).padStart(9)} ${factor(ratios[c])}`);
    const verdict =
      bar === undefined ? "" : `bar ${bar}: ${ratios.map((ratio) => (ratio >= bar ? "met" : "missed")).join(", ")}`;
    console.log(`  ${what.padEnd(26)}${show(middle(own)).padStart(9)}  ${cells.join("  ")}  ${verdict}`.trimEnd());
  };
  console.log(`${name}  ${shape}`);
  console.log(`${"".padEnd(28)}${["bonmf", "numpy f64", "", "numpy f32"].map((head) => head.padStart(9)).join("  ")}`);
  row("training", "mean", "mean", BARS.train);
  row("training, to the letter", "letter", "letter", BARS.train);
  row("classes, brute force", "nearest", "brute", BARS.brute);
  row("classes, loop of samples", "nearest", "samples");
  row("classes, loop of members", "nearest", "loop", BARS.loop);
  row("exact 1-NN, brute force", "exact", "brute");
  const same = `${(100 * agreement).toFixed(2)} % of the classes are the same`;
  console.log(`  iterations to the letter ${iterations.join(", ")}; ${same}`);
}

function factor(ratio) {
  return `${ratio.toFixed(ratio < 9.95 ? 1 : 0).padStart(6)} ×`;
}

function show(seconds) {
  return seconds < 1 ? `${(1000 * seconds).toPrecision(3)} ms` : `${seconds.toPrecision(3)} s`;
}

function findPython() {
  if (process.env.BONMF_BENCH_PYTHON) return process.env.BONMF_BENCH_PYTHON;
  const windows = process.platform === "win32";
  const place = join(tmpdir(), "bonmf-paper-python");
  const inside = join(place, windows ? "Scripts/python.exe" : "bin/python");
  if (existsSync(inside)) return inside;
  for (const [command, args] of [
    [windows ? "python" : "python3", ["-m", "venv", place]],
    [inside, ["-m", "pip", "install", "--quiet", "numpy"]],
  ]) {
    if (spawnSync(command, args, { stdio: ["ignore", "inherit", "inherit"] }).status !== 0) {
      rmSync(place, { recursive: true, force: true });
      throw new Error(`${command} ${args.join(" ")} failed: set BONMF_BENCH_PYTHON to a Python that has numpy`);
    }
  }
  return inside;
}

/** One JSON line to it, one back. */
function openPython(command) {
  const script = fileURLToPath(new URL("paper.py", import.meta.url));
  const child = spawn(command, [script], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async ask(request) {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`${command} ended early`);
      return JSON.parse(value);
    },
    close: () => child.kill(),
  };
}
