// Labelled corpora, made by corpora.py and kept outside the tree.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CACHE } from "../data/files.js";
import { python, root } from "./python.js";

/** Where corpora, vectors and what peers found are kept. */
export const folder = join(CACHE, "topics");
mkdirSync(folder, { recursive: true });

/** @returns its path, its texts and the class of each */
export function readTexts(name) {
  const path = join(folder, `${name}.json`);
  if (!existsSync(path)) {
    const data = process.env.BONMF_DATA_DIR ?? join(root, "../shared/datasets");
    writeFileSync(path, runPython("corpora.py", [name, folder, data]));
  }
  return { path, ...JSON.parse(readFileSync(path, "utf8")) };
}

export function runPython(script, args) {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const run = spawnSync(python(), ["-B", "-W", "ignore", path, ...args], { encoding: "utf8", maxBuffer: 2 ** 30 });
  if (run.status !== 0) throw new Error(run.stderr);
  return run.stdout;
}
