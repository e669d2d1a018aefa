// A million short documents, from raw text to topics, beside scikit-learn.
//
// node packages/bonmf/bench/topics/million.js [--documents 1000000] [--k 20]
//
// Sentences are those of the newsgroups (corpora.py); the file of documents stays in the folder of temporary files.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { CACHE } from "../data/files.js";
import { python, root } from "./python.js";

const { values: flags } = parseArgs({ options: { documents: { type: "string" }, k: { type: "string" } } });
const count = flags.documents ?? "1000000";
const folder = join(CACHE, "topics");
mkdirSync(folder, { recursive: true });
const texts = join(folder, "newsgroups.json");
if (!existsSync(texts)) writeFileSync(texts, runPython("corpora.py", ["newsgroups", folder, ""]));
const bonmf = join(root, "apps/cli/bin/bonmf.js");
const documents = join(folder, `sentences-${count}.txt`);
console.log(runPython("million.py", [texts, documents, count, flags.k ?? "20", process.execPath, bonmf]));

function runPython(script, args) {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const run = spawnSync(python(), ["-B", "-W", "ignore", path, ...args], { encoding: "utf8", maxBuffer: 2 ** 30 });
  if (run.status !== 0) throw new Error(run.stderr);
  return run.stdout;
}
