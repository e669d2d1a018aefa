// The scheme `linear` beside scikit-learn's LogisticRegression (lbfgs): the same scaled samples, penalty 1 (C = 1), rounds in turn. Both
// objectives are measured by the same function in Python. scikit-learn's tolerance of the gradient is 1e-5; ours is lowered by a fifth until our
// objective is at most 1e-5 of theirs above it. One thread by default: idle threads of OpenBLAS take processor time for nothing.
// With more, ours takes as many of the machine's as the work is worth.
//
//   node packages/bonmf/bench/classify/linear.js [--sets mnist10k,r8,w8a] [--rounds 7] [--threads 1]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { classifier, fit, fitScaler } from "../../dist/bonmf.js";
import { runPython, writeArray, writeSet } from "./peers.js";
import { readSet } from "./sets.js";

const python = process.env.BONMF_BENCH_PYTHON ?? "python3";
const { values: options } = parseArgs({
  options: {
    sets: { type: "string", default: "mnist10k,r8,w8a" },
    rounds: { type: "string", default: "7" },
    threads: { type: "string", default: "1" },
  },
});
const folder = mkdtempSync(join(tmpdir(), "bonmf-linear-"));
process.env.OMP_NUM_THREADS = options.threads;
process.env.OPENBLAS_NUM_THREADS = options.threads;

try {
  console.log(
    "| set | shape | ours, s | scikit-learn, s | ratio | processor: ours, s | scikit-learn, s | ratio | objectives |",
  );
  console.log("|---|---|---|---|---|---|---|---|---|");
  for (const name of options.sets.split(",")) await compare(name);
} finally {
  rmSync(folder, { recursive: true });
}

async function compare(name) {
  const { X, y, text } = readSet(name, python, folder);
  const Z = fitScaler(text ? "tfidf" : X.kind === "dense" ? "standard" : "none", X).transform(X);
  const own = join(folder, name);
  writeSet({ X: Z, y, text }, own);
  const model = await fit(Z, { k: 1, method: "kmeans", maxIterations: 1 });
  const rounds = [];
  let tolerance = 1e-5;
  while (rounds.length < Number(options.rounds)) {
    const ours = await train(model, Z, y, tolerance);
    writeArray(join(own, "found"), Float64Array.from([...ours.linear.W, ...ours.linear.bias]));
    const theirs = JSON.parse(runPython(python, "logistic", own, join(own, "found")));
    if (theirs.found <= theirs.objective * (1 + 1e-5) || tolerance < 1e-7) rounds.push({ ours, theirs });
    else tolerance *= 0.8;
  }
  const least = (of) => Math.min(...rounds.map(of));
  const [wall, cpu] = ["seconds", "processor"].map((key) => [least((r) => r.ours[key]), least((r) => r.theirs[key])]);
  const { objective, found } = rounds[0].theirs;
  const times = [wall, cpu].flatMap(([a, b]) => [a.toFixed(2), b.toFixed(2), (b / a).toFixed(1)]);
  console.log(
    `| ${[name, `${X.samples} × ${X.features}`, ...times, `${found.toFixed(3)}, ${objective.toFixed(3)}`].join(" | ")} |`,
  );
}

async function train(model, Z, y, tolerance) {
  const [start, begin] = [performance.now(), process.cpuUsage()];
  const trained = await classifier(model, Z, y, {
    scheme: "linear",
    penalty: 1,
    tolerance,
    // As a user gets it: with more than one, as many as the work is worth.
    threads: options.threads === "1" ? 1 : undefined,
  });
  const { user, system } = process.cpuUsage(begin);
  return {
    seconds: (performance.now() - start) / 1000,
    processor: (user + system) / 1e6,
    linear: trained.state().linear,
  };
}
