// Imputation beside scikit-learn's KNNImputer and IterativeImputer: 20 % of the entries of Optdigits and MNIST are hidden, and 94 % of a
// generated matrix of ratings. Root mean squared error of hidden entries and processor time. Then what 1 % of gaps costs a fit.
// BONMF_BENCH_PYTHON names a Python with scikit-learn; BONMF_DATA_DIR the folder of the data; --only NAME takes one set, --only cost the gaps;
// --rounds N: how often each of their fits is timed, after one that is not.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Dense, fit, impute, writeNpy } from "bonmf";
import { readReal } from "../choose/real.js";
import { python } from "../peers.js";

const LIMIT = 600_000;
const optionOf = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : null);
const only = optionOf("--only");
const rounds = Number(optionOf("--rounds") ?? 3);

/** Numbers of 0 … 1 that are the same in every run. */
function makeRandom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** 943 people, 1,682 films: ratings of rank 8 and some noise, 1 … 5. */
function makeRatings() {
  const random = makeRandom(3);
  const [n, m, rank] = [943, 1682, 8];
  const part = (length) => Float64Array.from({ length }, () => random() ** 2);
  const [A, B] = [part(n * rank), part(m * rank)];
  const X = Dense.zeros(n, m);
  for (let i = 0; i < n; i++) {
    for (let f = 0; f < m; f++) {
      let x = 0;
      for (let r = 0; r < rank; r++) x += A[i * rank + r] * B[f * rank + r];
      X.data[i * m + f] = Math.min(5, 1 + 2.5 * x + 0.5 * (random() - 0.5));
    }
  }
  return X;
}

function hide(X, share) {
  const random = makeRandom(7);
  const { samples: n, features: m } = X;
  const data = X.data.slice();
  for (let i = 0; i < n; i++) {
    for (let f = 0; f < m; f++) if (random() < share && i % m !== f && f % n !== i) data[i * m + f] = Number.NaN;
  }
  return new Dense(n, m, data);
}

function measureError(X, shown, filled) {
  let squares = 0;
  let count = 0;
  shown.data.forEach((x, p) => {
    if (!Number.isNaN(x)) return;
    squares += (filled.data[p] - X.data[p]) ** 2;
    count++;
  });
  return Math.sqrt(squares / count);
}

async function timed(act) {
  const begin = process.cpuUsage();
  const value = await act();
  const { user, system } = process.cpuUsage(begin);
  return { value, seconds: (user + system) / 1e6 };
}

function askPeer(folder, which) {
  const script = fileURLToPath(new URL("imputers.py", import.meta.url));
  const env = { ...process.env, OMP_NUM_THREADS: "1", OPENBLAS_NUM_THREADS: "1" };
  const run = spawnSync(python, ["-W", "ignore", script, folder, which], { encoding: "utf8", timeout: LIMIT, env });
  if (run.error?.code === "ETIMEDOUT") return null;
  if (run.status !== 0) throw new Error(run.stderr);
  return JSON.parse(run.stdout);
}

/** The first samples of a set. */
function dense(name, most) {
  for (const set of readReal()) if (set.name === name) return set.X.toDense().slice(0, Math.min(most, set.X.samples));
  throw new Error(`${name} is not in BONMF_DATA_DIR`);
}

const SETS = [
  { name: "optdigits", make: () => dense("optdigits", 5620), share: 0.2 },
  { name: "mnist", make: () => dense("mnist10k", 3000), share: 0.2 },
  { name: "ratings", make: makeRatings, share: 0.94 },
].filter(({ name }) => only === null || only === name);

const folder = mkdtempSync(join(tmpdir(), "bonmf-impute-"));
try {
  for (const { name, make, share } of SETS) {
    const X = make();
    const shown = hide(X, share);
    const { value, seconds } = await timed(() => impute(shown));
    const error = measureError(X, shown, value.X);
    console.log(`${name}: error ${error.toFixed(4)}, ${seconds.toFixed(2)} s`);
    writeFileSync(join(folder, "whole.npy"), writeNpy(X));
    writeFileSync(join(folder, "shown.npy"), writeNpy(shown));
    for (const which of ["knn", "iterative"]) {
      const peer = askPeer(folder, which);
      const told = peer
        ? `error ${peer.error.toFixed(4)}, ${peer.seconds.toFixed(1)} s (${(peer.seconds / seconds).toFixed(1)} ×)`
        : "more than ten minutes";
      console.log(`${name}: ${which} ${told}`);
    }
  }
  if (only === null || only === "cost") await measureCost();
} finally {
  rmSync(folder, { recursive: true });
}

/** Samples around 20 points, 200,000 × 64. */
function makeBlobs() {
  const random = makeRandom(5);
  const [n, m, count] = [200_000, 64, 20];
  const noise = () => random() + random() + random() + random() + random() + random() - 3;
  const centres = Float64Array.from({ length: count * m }, () => 4 * random());
  const data = new Float32Array(n * m);
  for (let i = 0; i < n; i++) {
    const centre = Math.floor(random() * count) * m;
    for (let f = 0; f < m; f++) data[i * m + f] = Math.max(0, centres[centre + f] + 0.8 * noise());
  }
  return new Dense(n, m, data);
}

/** What 1 % of gaps costs: whole fits with and without, taking turns. */
async function measureCost() {
  const sets = { optdigits: dense("optdigits", 5620), mnist10k: dense("mnist10k", 10_000), blobs: makeBlobs() };
  for (const [name, X] of Object.entries(sets)) {
    const shown = hide(X, 0.01);
    for (const method of ["hals", "nmf", "semi-binary", "kmeans", "bonmf", "spherical"]) {
      const options = { k: 10, method, threads: 1, maxIterations: 30, tolerance: 0 };
      const times = { error: [], mask: [] };
      const sweeps = {};
      for (let round = 0; round <= rounds; round++) {
        for (const missing of ["error", "mask"]) {
          const { value, seconds } = await timed(() => fit(missing === "mask" ? shown : X, { ...options, missing }));
          if (round > 0) times[missing].push(seconds);
          sweeps[missing] = value.iterations;
        }
      }
      const [plain, masked] = [times.error, times.mask].map((list) => list.sort((a, b) => a - b)[rounds >> 1]);
      const told = `${plain.toFixed(3)} s (${sweeps.error} iterations) → ${masked.toFixed(3)} s (${sweeps.mask})`;
      console.log(`1 % missing, ${name}, ${method}: ${told}, ${(masked / plain).toFixed(2)} ×`);
    }
  }
}
