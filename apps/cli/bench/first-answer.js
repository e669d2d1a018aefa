// How good is the first answer? `bonmf fit FILE --k K --label CLASS`, with nothing else said, beside scikit-learn's
// make_pipeline(StandardScaler(), KMeans(n_init=10)) on the same tables: normalised mutual information with the classes.
//
//   BONMF_DATA_DIR=… PYTHON=python3 node apps/cli/bench/first-answer.js
//
// PYTHON: a Python with scikit-learn, pandas and palmerpenguins. BONMF_DATA_DIR: the folder of datasets.
// Prints the table of docs/first-answer.md. Build first.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { PYTHON = "python3", BONMF_DATA_DIR = here("../../../../shared/datasets") } = process.env;
const folder = mkdtempSync(join(tmpdir(), "bonmf-first-answer-"));
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

function run(program, args) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${status}:\n${stderr}`);
  return stdout;
}

function answer({ path, k, label }) {
  const args = [here("../bin/bonmf.js"), "fit", path, "--k", String(k), "--label", label, "--json"];
  return JSON.parse(run(process.execPath, args));
}

try {
  const peers = run(PYTHON, [here("first_answer.py"), folder, BONMF_DATA_DIR]);
  const rows = peers
    .trim()
    .split("\n")
    .map((line) => {
      const table = JSON.parse(line);
      const { nmi, scale, starts } = answer(table);
      return { ...table, ours: nmi, scale: scale.name, starts, apart: nmi - mean(table.nmi) };
    });
  console.log("| table | k | scale | starts | `bonmf fit` | scikit-learn | difference |");
  console.log("|---|--:|---|---|--:|--:|--:|");
  for (const { name, k, scale, starts, ours, nmi, apart } of rows) {
    const range = `${Math.min(...nmi).toFixed(3)} … ${Math.max(...nmi).toFixed(3)}`;
    const found = `${starts.best} of ${starts.runs}`;
    const difference = `${apart < 0 ? "−" : "+"}${Math.abs(apart).toFixed(3)}`;
    console.log(`| ${name} | ${k} | \`${scale}\` | ${found} | ${ours.toFixed(3)} | ${range} | ${difference} |`);
  }
  const count = (test) => rows.filter(test).length;
  console.log(
    `\n${count(({ apart }) => apart > 0)} of ${rows.length} better, ` +
      `${count(({ apart }) => apart >= -0.02)} not more than 0.02 below, ` +
      `worst ${Math.min(...rows.map(({ apart }) => apart)).toFixed(3)}`,
  );
} finally {
  rmSync(folder, { recursive: true });
}
