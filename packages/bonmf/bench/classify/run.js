// `auto` as it comes beside scikit-learn's classifiers as they come: mean accuracy over stratified 80/20 splits, processor time of one
// training, expected calibration error. BONMF_BENCH_PYTHON names a Python with scikit-learn; BONMF_DATA_DIR the folder of the data.
//
//   node packages/bonmf/bench/classify/run.js [--splits 10] [--sets iris,wine] [--only ours|peers] [--store results.jsonl] [--balanced]
//
// With --balanced every class counts alike in training (KNeighbors cannot), and accuracy is the balanced one.
//
// Every result is a line of the store: run it again to continue, delete the lines of `ours` to measure another build.
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { auto, balancedAccuracy, calibration, holdout } from "../../dist/bonmf.js";
import { scorePeers } from "./peers.js";
import { listSets, readSet } from "./sets.js";

const python = process.env.BONMF_BENCH_PYTHON ?? "python3";
const { values: options } = parseArgs({
  options: {
    splits: { type: "string", default: "10" },
    sets: { type: "string" },
    only: { type: "string" },
    store: { type: "string" },
    balanced: { type: "boolean", default: false },
  },
});
const names = options.sets?.split(",") ?? listSets();
const folder = mkdtempSync(join(tmpdir(), "bonmf-classify-"));
const sets = new Map();
const results = readStore();

try {
  for (let split = 0; split < Number(options.splits); split++) {
    for (const name of names) {
      if (options.only !== "ours") await once(name, split, "peers", scorePeersOf);
      if (options.only !== "peers") await once(name, split, "ours", scoreOurs);
    }
  }
  showTable();
} finally {
  rmSync(folder, { recursive: true });
}

function readStore() {
  if (!options.store || !existsSync(options.store)) return [];
  const lines = readFileSync(options.store, "utf8").split("\n");
  return lines.filter((line) => line).map((line) => JSON.parse(line));
}

async function once(name, split, who, score) {
  if (results.some((row) => row.set === name && row.split === split && row.who === who)) return;
  const set = sets.get(name) ?? readSet(name, python, folder);
  sets.set(name, set);
  const row = { set: name, split, who, ...(await score(set, holdout(set.y, 0.8, split), name, split)) };
  results.push(row);
  if (options.store) appendFileSync(options.store, `${JSON.stringify(row)}\n`);
}

async function scoreOurs({ X, y }, { train, test }) {
  const pick = (ids) => Array.from(ids, (i) => y[i]);
  const begin = process.cpuUsage();
  const { classifier, chosen } = await auto(X.take(train), pick(train), {
    classWeights: options.balanced ? "balanced" : null,
  });
  const { user, system } = process.cpuUsage(begin);
  const asked = X.take(test);
  const truth = pick(test);
  const accuracy = options.balanced
    ? balancedAccuracy(truth, classifier.predict(asked))
    : classifier.score(asked, truth);
  const { error } = calibration(truth, classifier.probabilities(asked), classifier.classes, 15);
  return { accuracy, seconds: (user + system) / 1e6, error, tests: truth.length, chosen: describe(chosen) };
}

function scorePeersOf(set, split, name) {
  return { peers: scorePeers(set, split, join(folder, name), python, options.balanced) };
}

function describe({ scheme, scale, metric, votes, neighbors, penalty, sharpness, clustersPerClass }) {
  const how = {
    vote: `${neighbors} by ${metric}${votes === "closer" ? " closer" : ""}`,
    majority: clustersPerClass,
    prototypes: clustersPerClass,
    linear: penalty,
  }[scheme];
  return `${scheme} ${how ?? `${sharpness} ${penalty}`} ${scale}`;
}

/** One row a set, over the splits that both sides have. */
function showTable() {
  console.log("| set | splits | ours | best peer | LR | SVC | 5-NN | RF | ECE | seconds | peers × 5 | chosen |");
  console.log("|---|---|---|---|---|---|---|---|---|---|---|---|");
  for (const name of names) {
    const of = (who) => results.filter((row) => row.set === name && row.who === who);
    const peers = new Map(of("peers").map((row) => [row.split, row.peers]));
    const ours = of("ours").filter((row) => options.only === "ours" || peers.has(row.split));
    if (ours.length) showRow(name, ours, peers);
  }
}

function showRow(name, ours, peers) {
  const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const percent = (share) => (100 * share).toFixed(2);
  const theirs = ours.map((row) => peers.get(row.split)).filter(Boolean);
  const of = (peer, key) => mean(theirs.map((row) => row[peer][key]));
  const kinds = Object.keys(theirs[0] ?? {});
  const scores = kinds.map((peer) => of(peer, "accuracy"));
  const seconds = kinds.reduce((sum, peer) => sum + 5 * of(peer, "seconds"), 0);
  const columns = [name, ours.length, percent(mean(ours.map((row) => row.accuracy)))];
  columns.push(...(kinds.length ? [Math.max(...scores), ...scores].map(percent) : ["", "", "", "", ""]));
  columns.push(mean(ours.map((row) => row.error)).toFixed(3), mean(ours.map((row) => row.seconds)).toFixed(1));
  columns.push(
    kinds.length ? seconds.toFixed(1) : "",
    [...new Set(ours.map((row) => row.chosen))].slice(0, 3).join(", "),
  );
  console.log(`| ${columns.join(" | ")} |`);
}
