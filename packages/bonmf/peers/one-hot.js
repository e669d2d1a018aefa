// Runs of the one-hot methods on data full of ties, duplicates and zeros, for one_hot.py to follow.
import { Dense, fit, Sparse } from "../dist/bonmf.js";

const METHODS = ["bonmf", "spherical", "kmeans"];
const RUNS = 90;
const MOST_STEPS = 8;

/** What one_hot.py reads: every run with W and labels of each iteration. */
export async function traceRuns() {
  const runs = [];
  for (let seed = 0; seed < RUNS; seed++) runs.push(await traceRun(seed));
  return runs;
}

/** @returns problems */
export function judgeRuns(followed) {
  const total = (name) => followed.reduce((sum, run) => sum + run[name], 0);
  const problems = followed.flatMap(({ wrong }, run) => wrong.map((what) => `run ${run}, ${what}`));
  for (const [name, least] of [
    ["ties", 200],
    ["repairs", 20],
    ["steps", 2 * RUNS],
  ]) {
    if (total(name) < least) problems.push(`${total(name)} ${name} are too few to tell: at least ${least}`);
  }
  return problems;
}

async function traceRun(seed) {
  const next = draws(seed);
  const pick = (count) => Math.floor(next() * count);
  const method = METHODS[seed % METHODS.length];
  const [n, m, k] = [6 + pick(30), 1 + pick(4), 2 + pick(4)];
  // Small whole numbers: equal distances, parallel and repeated samples are common; some samples are all zero.
  const X = Array.from({ length: n }, () => Array.from({ length: m }, () => (next() < 0.3 ? 0 : pick(4))));
  for (let copy = pick(n); copy > 0; copy--) X[pick(n)] = [...X[pick(n)]];
  X[pick(n)].fill(0);
  const init = Array.from({ length: k }, () => [...X[pick(n)]]);
  const weights = next() < 0.5 ? X.map(() => 1) : X.map(() => pick(3));
  weights[pick(n)] = 1;
  const precision = next() < 0.5 ? "f32" : "f64";
  const emptyClusters = next() < 0.5 ? "keep" : "reseed";
  const dense = Dense.from(X, precision);
  const samples = next() < 0.5 ? dense : Sparse.fromDense(dense);
  const steps = [];
  for (let maxIterations = 1; maxIterations <= MOST_STEPS; maxIterations++) {
    const options = { k, method, init, weights, emptyClusters, maxIterations };
    const { W, labels, iterations } = await fit(samples, options);
    if (iterations < maxIterations) break;
    steps.push({ W: Array.from({ length: k }, (_, j) => [...W.row(j)]), labels: [...labels] });
  }
  return { method, X, weights, precision, emptyClusters, steps };
}

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
export function draws(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
