// How often chooseK is right, and how long it takes; docs/choose.md shows the result.
//
// node packages/bonmf/bench/choose/run.js [planted] [none] [real] [time]
import { spawnSync } from "node:child_process";
import { chooseK, Dense } from "../library.js";
import { python } from "../peers.js";
import { describeCase, listPlanted, listUnstructured, makeCase, nameKind } from "./cases.js";
import { makeDense } from "./planted.js";
import { readReal } from "./real.js";

const parts = process.argv.slice(2);
const wants = (part) => parts.length === 0 || parts.includes(part);
/** The measures of the table are not needed: one sweep of each k. */
const QUICK = { restarts: 1, maxIterations: 1 };
const LAST = 40;

if (wants("planted")) await runPlanted();
if (wants("none")) await runUnstructured();
if (wants("real")) await runReal();
if (wants("time")) await runTime();

function rangeTo(last) {
  return Array.from({ length: last - 1 }, (_, i) => i + 2);
}

async function runPlanted() {
  const groups = new Map();
  console.log("\n## Planted mixtures\n");
  for (const each of listPlanted()) {
    const { X, options } = makeCase(each);
    const { k } = await chooseK(X, { ...QUICK, ...options, ks: rangeTo(LAST) });
    if (k !== each.k) console.log(`- ${describeCase(each)}, ${X.samples} samples: ${k}`);
    for (const group of [
      "all",
      nameKind(each),
      each.balanced ? "balanced" : "1:20",
      `overlap ${100 * each.overlap} %`,
    ]) {
      const { total = 0, right = 0, near = 0 } = groups.get(group) ?? {};
      groups.set(group, {
        total: total + 1,
        right: right + (k === each.k ? 1 : 0),
        near: near + (Math.abs(k - each.k) <= 1 ? 1 : 0),
      });
    }
  }
  console.log("\n| mixtures | sets | right k | within one |\n|---|---|---|---|");
  for (const [group, { total, right, near }] of groups) {
    console.log(`| ${group} | ${total} | ${percent(right / total)} | ${percent(near / total)} |`);
  }
}

async function runUnstructured() {
  const groups = new Map();
  for (const each of listUnstructured()) {
    const { X, options } = makeCase(each);
    const { structure, k } = await chooseK(X, { ...QUICK, ...options, ks: rangeTo(20) });
    if (structure) console.log(`- ${describeCase(each)}: ${k}`);
    for (const group of ["all", nameKind(each)]) {
      const { total = 0, none = 0 } = groups.get(group) ?? {};
      groups.set(group, { total: total + 1, none: none + (structure ? 0 : 1) });
    }
  }
  console.log("\n| without clusters | sets | no clusters |\n|---|---|---|");
  for (const [group, { total, none }] of groups) console.log(`| ${group} | ${total} | ${percent(none / total)} |`);
}

async function runReal() {
  console.log("\n| real set | samples × features | classes | k | off by a factor of 2^ |\n|---|---|---|---|---|");
  const off = [];
  for (const { name, X, classes, options } of readReal()) {
    const { k, structure } = await chooseK(X, { ...QUICK, ...options, ks: rangeTo(LAST) });
    off.push(Math.abs(Math.log2(k / classes)));
    const shown = structure ? k : "no clusters";
    console.log(
      `| ${name} | ${X.samples} × ${X.features} | ${classes} | ${shown} | ${off[off.length - 1].toFixed(2)} |`,
    );
  }
  off.sort((a, b) => a - b);
  const middle = (off[(off.length - 1) >> 1] + off[off.length >> 1]) / 2;
  if (off.length > 0) console.log(`\nmedian ${middle.toFixed(2)}`);
}

/** 10,000 × 64, k from 2 to 20: chooseK with its own defaults beside as many fits by scikit-learn. */
async function runTime() {
  const rows = makeDense({ k: 12, m: 64, balanced: true, overlap: 0.01, seed: 3 });
  const X = Dense.from(
    Array.from({ length: 10_000 }, (_, i) => rows[i % rows.length].map((x) => x + ((i * 7919) % 97) / 97)),
  );
  const start = performance.now();
  await chooseK(X, { method: "kmeans", ks: rangeTo(20) });
  console.log(`\nchooseK, 10,000 × 64, k = 2 … 20: ${((performance.now() - start) / 1000).toFixed(1)} s`);
  const script = [
    "import sys, time, numpy as np",
    "from sklearn.cluster import KMeans",
    "X = np.frombuffer(sys.stdin.buffer.read(), np.float32).reshape(-1, 64)",
    "start = time.perf_counter()",
    "for k in range(2, 21): KMeans(k, n_init=10, random_state=0).fit(X)",
    "print(f'{time.perf_counter() - start:.1f}')",
  ].join("\n");
  const { status, stdout, stderr } = spawnSync(python, ["-c", script], { input: Buffer.from(X.data.buffer) });
  console.log(status === 0 ? `scikit-learn, KMeans(n_init=10): ${stdout.toString().trim()} s` : stderr?.toString());
}

function percent(share) {
  return `${(100 * share).toFixed(0)} %`;
}
