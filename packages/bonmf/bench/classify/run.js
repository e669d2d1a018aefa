// `auto` as it comes beside scikit-learn's classifiers as they come: mean accuracy over stratified 80/20 splits, processor time of one
// training, expected calibration error. BONMF_BENCH_PYTHON names a Python with scikit-learn; BONMF_DATA_DIR the folder of the data.
//
//   node packages/bonmf/bench/classify/run.js [--splits 10] [--sets iris,wine] [--ours] [--out results.json]
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { auto, holdout } from "../../dist/bonmf.js";
import { listSets, readSet, SCRIPT } from "./sets.js";

const python = process.env.BONMF_BENCH_PYTHON ?? "python3";
const { values: options } = parseArgs({
  options: {
    splits: { type: "string", default: "10" },
    sets: { type: "string" },
    ours: { type: "boolean", default: false },
    out: { type: "string" },
  },
});
const count = Number(options.splits);
const names = options.sets?.split(",") ?? listSets();
const folder = mkdtempSync(join(tmpdir(), "bonmf-classify-"));
const results = [];

try {
  console.log("set | ours | best peer | LR | SVC | 5-NN | RF | seconds | peers × 5 | ECE | chosen");
  for (const name of names) {
    const set = readSet(name, python, folder);
    const splits = Array.from({ length: count }, (_, seed) => holdout(set.y, 0.8, seed));
    const peers = options.ours ? null : scorePeers(name, set, splits);
    const ours = [];
    for (const split of splits) ours.push(await scoreOurs(set, split));
    results.push({ name, ...show(name, ours, peers) });
  }
} finally {
  rmSync(folder, { recursive: true });
}
if (options.out) writeFileSync(options.out, JSON.stringify(results, null, 2));

async function scoreOurs({ X, y }, { train, test }) {
  const pick = (ids) => Array.from(ids, (i) => y[i]);
  const begin = process.cpuUsage();
  const { classifier, chosen } = await auto(X.take(train), pick(train));
  const { user, system } = process.cpuUsage(begin);
  const asked = X.take(test);
  const truth = pick(test);
  const accuracy = classifier.score(asked, truth);
  return {
    accuracy,
    seconds: (user + system) / 1e6,
    error: calibrationError(classifier, classifier.probabilities(asked), truth),
    chosen: describe(chosen),
  };
}

function describe({ scheme, scale, metric, neighbors, penalty, sharpness, clustersPerClass }) {
  const how = {
    vote: `${neighbors} by ${metric}`,
    majority: clustersPerClass,
    prototypes: clustersPerClass,
    linear: penalty,
  }[scheme];
  return `${scheme} ${how ?? `${sharpness} ${penalty}`} ${scale}`;
}

/** Expected calibration error: 15 bins of equal width of the largest probability. */
function calibrationError({ classes }, P, truth) {
  const bins = Array.from({ length: 15 }, () => ({ sure: 0, right: 0 }));
  truth.forEach((label, i) => {
    const row = P.row(i);
    const most = Math.max(...row);
    const bin = bins[Math.min(14, Math.floor(most * 15))];
    bin.sure += most;
    if (classes[row.indexOf(most)] === label) bin.right++;
  });
  return bins.reduce((sum, { sure, right }) => sum + Math.abs(sure - right), 0) / truth.length;
}

function scorePeers(name, { X, y, text }, splits) {
  const own = join(folder, name);
  mkdirSync(own);
  const sparse = X.kind === "sparse";
  const write = (file, array) =>
    writeFileSync(join(own, file), new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  write("values", Float32Array.from(sparse ? X.values : X.data));
  if (sparse) {
    write("indices", Int32Array.from(X.indices));
    write("offsets", Int32Array.from(X.offsets));
  }
  write("classes", Int32Array.from(y));
  const { samples, features } = X;
  const header = { samples, features, sparse, text, splits: splits.map(({ train }) => Array.from(train)) };
  writeFileSync(join(own, "set.json"), JSON.stringify(header));
  const run = spawnSync(python, [SCRIPT, "score", own], { encoding: "utf8", maxBuffer: 2 ** 26 });
  if (run.status !== 0) throw new Error(run.stderr);
  return run.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

function show(name, ours, peers) {
  const mean = (list, key) => list.reduce((sum, row) => sum + row[key], 0) / list.length;
  const percent = (share) => (100 * share).toFixed(2);
  const theirs = {};
  let seconds = 0;
  for (const peer of Object.keys(peers?.[0] ?? {})) {
    theirs[peer] = mean(
      peers.map((row) => row[peer]),
      "accuracy",
    );
    seconds +=
      5 *
      mean(
        peers.map((row) => row[peer]),
        "seconds",
      );
  }
  const best = Math.max(...Object.values(theirs));
  const own = { accuracy: mean(ours, "accuracy"), seconds: mean(ours, "seconds"), error: mean(ours, "error") };
  const columns = [name, percent(own.accuracy), peers ? percent(best) : "", ...Object.values(theirs).map(percent)];
  const chosen = [...new Set(ours.map((row) => row.chosen))].slice(0, 3).join(", ");
  columns.push(own.seconds.toFixed(1), peers ? seconds.toFixed(1) : "", own.error.toFixed(3), chosen);
  console.log(columns.join(" | "));
  return { splits: ours.length, ours: own, peers: theirs, peerSeconds: seconds };
}
