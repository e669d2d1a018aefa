// The scheme `linear` beside scikit-learn's LogisticRegression (lbfgs): the same scaled samples, penalty 1 (C = 1), the same tolerance of
// the gradient (1e-5: at scikit-learn's default of 1e-4 the objectives may differ by 0.1 %), rounds in turn. Both objectives are measured by the same function in Python.
//
//   node packages/bonmf/bench/classify/linear.js [--sets mnist10k,r8,w8a] [--rounds 3] [--threads 2]
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
    rounds: { type: "string", default: "3" },
    threads: { type: "string", default: "2" },
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
  for (let round = 0; round < Number(options.rounds); round++) {
    const ours = await train(model, Z, y);
    writeArray(join(own, "found"), Float64Array.from([...ours.linear.W, ...ours.linear.bias]));
    rounds.push({ ours, theirs: JSON.parse(runPython(python, "logistic", own, join(own, "found"))) });
  }
  const least = (of) => Math.min(...rounds.map(of));
  const [wall, cpu] = ["seconds", "processor"].map((key) => [least((r) => r.ours[key]), least((r) => r.theirs[key])]);
  const { objective, found } = rounds[0].theirs;
  const times = [wall, cpu].flatMap(([a, b]) => [a.toFixed(2), b.toFixed(2), (b / a).toFixed(1)]);
  console.log(
    `| ${[name, `${X.samples} × ${X.features}`, ...times, `${found.toFixed(3)}, ${objective.toFixed(3)}`].join(" | ")} |`,
  );
}

async function train(model, Z, y) {
  const [start, begin] = [performance.now(), process.cpuUsage()];
  const trained = await classifier(model, Z, y, {
    scheme: "linear",
    penalty: 1,
    tolerance: 1e-5,
    threads: Number(options.threads),
  });
  const { user, system } = process.cpuUsage(begin);
  return {
    seconds: (performance.now() - start) / 1000,
    processor: (user + system) / 1e6,
    linear: trained.state().linear,
  };
}
