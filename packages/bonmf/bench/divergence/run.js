// One iteration of nmf by the Kullback–Leibler divergence beside scikit-learn's mu, from the factors that one iteration of ours leaves.
// One thread each, processor seconds, so that other work on the machine matters little; the median of three.
//
//   node packages/bonmf/bench/divergence/run.js [optdigits 10 …]
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fit, resume } from "../../dist/bonmf.js";
import { loadMatrix, prepareSet } from "../data/catalog.js";
import { DATA, writeArray } from "../data/files.js";
import { python } from "../peers.js";

const ROUNDS = 3;
/** Iterations; of mu the time of one is the difference of two runs. */
const [FEW, MANY] = [2, 12];
const given = process.argv.slice(2);
const ROWS =
  given.length > 0
    ? []
    : [
        ["optdigits", 10],
        ["mnist10k", 40],
        ["r8", 50],
        ["w8a", 20],
        ["orl", 40],
      ];
for (let at = 0; at < given.length; at += 2) ROWS.push([given[at], Number(given[at + 1])]);

console.log(
  "| set | ours, ms | mu, ms | ours is … × as fast | D after 13 iterations, ours and mu |\n|---|---|---|---|---|",
);
for (const [name, k] of ROWS) {
  const set = prepareSet(name);
  if (set === null) continue;
  const X = loadMatrix(set);
  const first = await fit(X, {
    k,
    method: "nmf",
    loss: "kullback-leibler",
    tolerance: 0,
    maxIterations: 1,
    threads: 1,
  });
  const start = `${name}.divergence${k}`;
  writeArray(`${start}.W`, Float32Array.from(first.W.data));
  writeArray(`${start}.H`, Float32Array.from(first.H.data));
  const [W, H] = ["W", "H"].map((factor) => join(DATA, `${start}.${factor}.f32`));
  const ours = await measureOurs(first, X);
  const mu = runPython({ set, k, W, H, rounds: ROUNDS, few: FEW, many: MANY });
  const [a, b] = [ours, mu].map(({ seconds }) => 1000 * seconds);
  const ratio = (b / a).toFixed(2);
  console.log(
    `| ${name}, k ${k} | ${a.toFixed(1)} | ${b.toFixed(1)} | ${ratio} | ${ours.divergence.toPrecision(6)}, ${mu.divergence.toPrecision(6)} |`,
  );
}

async function measureOurs(first, X) {
  const found = [];
  let divergence = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    const marks = [];
    const onStep = () => {
      const { user, system } = process.cpuUsage();
      marks.push((user + system) / 1e6);
    };
    // The labels at the end are no part of an iteration.
    ({ potential: divergence } = await resume(first, X, { maxIterations: 1 + MANY, threads: 1, onStep }));
    if (round > 0) found.push((marks.at(-1) - marks[0]) / (marks.length - 1));
  }
  return { seconds: found.sort((a, b) => a - b)[ROUNDS >> 1], divergence };
}

function runPython(job) {
  const script = fileURLToPath(new URL("mu.py", import.meta.url));
  const env = { ...process.env, OPENBLAS_NUM_THREADS: "1", OMP_NUM_THREADS: "1" };
  const { status, stdout, stderr } = spawnSync(python, ["-B", script], {
    input: JSON.stringify(job),
    encoding: "utf8",
    env,
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}
