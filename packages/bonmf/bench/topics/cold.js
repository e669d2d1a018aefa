// R8 from raw text to topics, cold, beside scikit-learn's TfidfVectorizer and NMF: each run is a process of its own, in turn.
//
// BONMF_DATA_DIR=data node packages/bonmf/bench/topics/cold.js [--runs 5]
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { CACHE } from "../data/files.js";
import { python, root } from "./python.js";

const { values: flags } = parseArgs({ options: { runs: { type: "string" } } });
const data = process.env.BONMF_DATA_DIR ?? join(root, "../shared/datasets");
const folder = join(CACHE, "topics");
mkdirSync(folder, { recursive: true });
const documents = join(folder, "r8.txt");
// One document a line, without its class.
const lines = gunzipSync(readFileSync(join(data, "r8/r8-docs.csv.gz")))
  .toString()
  .trim()
  .split("\n")
  .slice(1);
writeFileSync(documents, `${lines.map((line) => line.slice(0, line.lastIndexOf(","))).join("\n")}\n`);
const script = fileURLToPath(new URL("cold.py", import.meta.url));
const args = [documents, "8", flags.runs ?? "5", process.execPath, join(root, "packages/bonmf/dist/bonmf.js")];
const command = join(root, "apps/cli/bin/bonmf.js");
const run = spawnSync(python(), ["-B", script, ...args, command], {
  encoding: "utf8",
  stdio: ["ignore", "pipe", "inherit"],
});
console.log(run.stdout);
process.exitCode = run.status ?? 1;
