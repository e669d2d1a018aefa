// Compares the library (dist, so build first) with peers in Python: a model file is read and used with safetensors and
// numpy alone, scikit-learn runs k-means and NMF from the same start, votes and measures the same answers, and exact fractions
// follow the one-hot methods.
//
// PYTHON: a Python with numpy, safetensors and scikit-learn; python3 unless told.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { finishChecks, report } from "../../../scripts/checks.js";
import { Dense, fit, saveModel } from "../dist/bonmf.js";
import { compareLogistic } from "./logistic.js";
import { compareMeasures } from "./measures.js";
import { draws, judgeRuns, traceRuns } from "./one-hot.js";
import { compareVotes } from "./vote.js";

const METHODS = ["bonmf", "kmeans", "spherical", "em-onmf", "nmf", "hals", "onmf", "onmf-ding", "semi-binary"];
const SCALERS = ["none", "minmax", "l2", "exponent", "standard", "lift"];
const SIGNED = ["bonmf", "kmeans", "spherical"];
const PREDICTED = ["bonmf", "kmeans"];

const KL = "kullback-leibler";
/** Both take the same steps. */
const STEPWISE = {
  "squared error": {},
  "squared error with penalties": { penalty: { W: 0.02, H: 0.05, share: 0.3 } },
  "Kullback–Leibler": { loss: KL },
  "Kullback–Leibler with l1": { loss: KL, penalty: { W: 0.02, H: 0.05, share: 1 } },
};
/** The steps differ, their ends do not. */
const SETTLED = {
  "nmf with penalties": { penalty: { W: 0.02, H: 0.05, share: 0.3 } },
  "Kullback–Leibler with penalties": { loss: KL, penalty: { W: 0.02, H: 0.05, share: 0.3 } },
  "hals with penalties": { method: "hals", penalty: { W: 0.02, H: 0.05, share: 0.3 } },
};
/** Without l1 by the divergence: scikit-learn 1.9 adds it once more in every step of `transform`. */
const ENCODED = {
  "nmf with penalties": SETTLED["nmf with penalties"],
  "hals with penalties": SETTLED["hals with penalties"],
  "Kullback–Leibler": { loss: KL },
  "Kullback–Leibler with l2": { loss: KL, penalty: { W: 0.02, H: 0.05, share: 0 } },
};

const here = fileURLToPath(new URL(".", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "bonmf-peers-"));

try {
  const X = makeSamples(300, 6, 1);
  const fresh = makeSamples(500, 6, 2);
  for (const method of METHODS) {
    const scalers = SIGNED.includes(method) ? SCALERS : SCALERS.slice(0, 4);
    for (const scale of scalers)
      await check(`the file of ${method}, scaler ${scale}`, () => readBack(X, fresh, method, scale));
  }
  await check("k-means from the same start", compareKmeans);
  for (const [title, options] of Object.entries(STEPWISE)) {
    await check(`multiplicative NMF from the same start, ${title}`, () => compareNmf(options));
  }
  for (const [title, options] of Object.entries(SETTLED)) {
    await check(`scikit-learn goes nowhere from where we end, ${title}`, () => compareEnd(options));
  }
  for (const [title, options] of Object.entries(ENCODED)) {
    await check(`codes for given prototypes, ${title}`, () => compareCodes(options));
  }
  await check("measures of classification, as scikit-learn's", judgeAnswers);
  await check("logistic and ridge regression, as scikit-learn's", () => compareLogistic(X, folder, runPython));
  await check("votes, as scikit-learn's", () => compareVotes(X, toRows(fresh), folder, runPython));
  await check("one-hot methods on ties, duplicates and zeros, step by step", followOneHot);
} finally {
  rmSync(folder, { recursive: true });
}
finishChecks();

async function readBack(X, fresh, method, scale) {
  const featureNames = scale === "l2" ? undefined : ["a", "länge", '"', "\\", "日本", "__proto__"];
  const model = await fit(X, { k: 4, method, scale, seed: 3, featureNames, maxIterations: 40 });
  const path = join(folder, "model.safetensors");
  writeFileSync(path, saveModel(model));
  const samples = join(folder, "samples.json");
  writeFileSync(samples, JSON.stringify(toRows(fresh)));
  const { model: fields, tensors, predicted } = runPython(["read_model.py", path, samples]);
  const differs = (what, theirs, ours) => (isDeepStrictEqual(theirs, ours) ? [] : [`${what} differs`]);
  return [
    ...differs("W", tensors.W, { shape: [4, model.W.features], data: [...model.W.data] }),
    ...differs("labels", tensors.labels.data, [...model.labels]),
    ...(model.codes.form === "real" ? differs("H", tensors.H.data, [...model.codes.values]) : []),
    ...(model.codes.form === "rays" ? differs("values", tensors.values.data, [...model.codes.values]) : []),
    ...differs(
      "the history",
      tensors["history.potential"].data,
      model.history.map(({ potential }) => potential),
    ),
    ...differs("settings", fields.settings, { ...model.settings }),
    ...differs("featureNames", fields.featureNames, model.featureNames),
    ...differs("normSq", fields.normSq, model.normSq),
    ...(PREDICTED.includes(method) ? differs("the prediction", predicted, [...model.predict(fresh)]) : []),
  ];
}

async function compareKmeans() {
  const X = makeSamples(2000, 6, 3);
  const W = toRows(X).slice(0, 7);
  const ours = await fit(X, { k: 7, method: "kmeans", init: W, maxIterations: 1000 });
  const theirs = runSklearn("kmeans", { X: toRows(X), W });
  const moved = theirs.labels.filter((label, i) => label !== ours.labels[i]).length;
  return [
    ...(ours.repairs > 0 ? ["a cluster ran empty, where the two may differ: choose other samples"] : []),
    ...(ours.iterations > 10 ? [] : [`${ours.iterations} iterations are too few to tell`]),
    ...(moved > 0 ? [`${moved} labels differ`] : []),
    ...compareNumbers("the centres", theirs.W.flat(), ours.W.data),
  ];
}

/** Our options, and scikit-learn's for the same objective: its alpha_W and alpha_H are of our W and H. */
function asSklearn({ method = "nmf", loss, penalty }) {
  if (penalty === undefined)
    return [
      { method, loss },
      { solver: method === "hals" ? "cd" : "mu", loss },
    ];
  const { W, H, share } = penalty;
  const ours = { l1W: W * share, l2W: W * (1 - share), l1H: H * share, l2H: H * (1 - share) };
  const theirs = { alpha_W: W, alpha_H: H, l1_ratio: share };
  return [
    { method, loss, ...ours },
    { solver: method === "hals" ? "cd" : "mu", loss, ...theirs },
  ];
}

async function compareNmf(given) {
  const X = makeSamples(200, 6, 4);
  const [asked, sklearn] = asSklearn(given);
  const options = { k: 3, seed: 1, tolerance: 0, ...asked };
  // Both go on from the factors that one iteration of ours leaves.
  const start = await fit(X, { ...options, maxIterations: 1 });
  const ours = await fit(X, { ...options, maxIterations: 51 });
  const arrays = { X: toRows(X), W: toRows(start.W), H: toRows(start.H) };
  const theirs = runSklearn("nmf", arrays, { ...sklearn, iterations: 50 });
  return [
    ...compareNumbers("W", theirs.W.flat(), ours.W.data),
    ...compareNumbers("H", theirs.H.flat(), ours.H.data),
    ...(compareNumbers("W", start.W.data, ours.W.data).length > 0 ? [] : ["the iterations changed nothing"]),
  ];
}

/** Where penalties or inner steps differ on the way, the ends must not. */
async function compareEnd(given) {
  const X = makeSamples(60, 6, 5);
  const [asked, sklearn] = asSklearn(given);
  const ours = await fit(X, { k: 3, seed: 1, tolerance: 0, maxIterations: 20_000, ...asked });
  const arrays = { X: toRows(X), W: toRows(ours.W), H: toRows(ours.H) };
  const theirs = runSklearn("nmf", arrays, { ...sklearn, iterations: 20 });
  return [
    ...compareNumbers("W", theirs.W.flat(), ours.W.data, 1e-6),
    ...compareNumbers("H", theirs.H.flat(), ours.H.data, 1e-6),
  ];
}

async function compareCodes(given) {
  const X = makeSamples(60, 6, 6);
  const [asked, sklearn] = asSklearn(given);
  const ours = await fit(X, { k: 3, seed: 1, maxIterations: 20, ...asked });
  const theirs = runSklearn("encode", { X: toRows(X), W: toRows(ours.W) }, { ...sklearn, iterations: 20_000 });
  // Multiplying ends when it hardly moves, which is before the optimum.
  return compareNumbers("H", theirs.H.flat(), ours.transform(X).data, given.loss === KL ? 5e-3 : 1e-6);
}

async function judgeAnswers() {
  return compareMeasures((job) => runPython(["measure.py"], JSON.stringify(job)));
}

async function followOneHot() {
  return judgeRuns(runPython(["one_hot.py"], JSON.stringify(await traceRuns())));
}

/** Equal to a share of the largest. */
function compareNumbers(what, theirs, ours, share = 1e-9) {
  if (theirs.length !== ours.length) return [`${what}: ${theirs.length} numbers, not ${ours.length}`];
  const largest = ours.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const error = ours.reduce((most, value, i) => Math.max(most, Math.abs(value - theirs[i])), 0) / largest;
  return error <= share ? [] : [`${what}: ${error} apart`];
}

async function check(title, compare) {
  report(title, await compare().catch((error) => [error.message]));
}

function runSklearn(run, arrays, options = {}) {
  return runPython(["run_sklearn.py"], JSON.stringify({ run, arrays, options }));
}

function runPython([script, ...args], input) {
  const python = process.env.PYTHON ?? "python3";
  const settings = { input, encoding: "utf8", maxBuffer: 2 ** 28 };
  const { error, status, stdout, stderr } = spawnSync(python, [join(here, script), ...args], settings);
  if (error) throw new Error(`${python} does not run: ${error.message}`);
  if (status !== 0) throw new Error(`${script} ended with ${status}: ${stderr.trim().split("\n").at(-1)}`);
  return JSON.parse(stdout);
}

/** n × m numbers in [0, 1), the same for the same seed. */
function makeSamples(n, m, seed) {
  const next = draws(seed);
  return new Dense(n, m, Float64Array.from({ length: n * m }, next));
}

function toRows(X) {
  return Array.from({ length: X.samples }, (_, i) => [...X.row(i)]);
}
