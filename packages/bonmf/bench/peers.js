// Installs the peers once, outside the tree. A peer that cannot be installed is missing, not fatal.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CACHE } from "./data/files.js";

const PYTHON = ["numpy==2.4.6", "scikit-learn==1.9.1", "faiss-cpu==1.15.1"];
const NPM = ["ml-kmeans@7.0.1", "hnswlib-node@3.0.0", "mokolo@0.0.2", "@ai-on-browser/data-analysis-models@0.13.0"];

const windows = process.platform === "win32";
const venv = join(CACHE, "python");
const inVenv = join(venv, windows ? "Scripts/python.exe" : "bin/python");

/** The Python to run; BONMF_BENCH_PYTHON names one that has the packages already. */
export const python = process.env.BONMF_BENCH_PYTHON ?? inVenv;

export function installPeers() {
  mkdirSync(CACHE, { recursive: true });
  installPython();
  for (const spec of NPM) installNpm(spec);
}

/** Name → version of whatever is there. */
export function peerVersions() {
  const script =
    "import importlib.metadata as m, json, platform, sys\n" +
    "print(json.dumps({'Python': platform.python_version(), " +
    "**{d.metadata['Name']: d.version for d in m.distributions() if d.metadata['Name'] in sys.argv}}))";
  const names = PYTHON.map((spec) => spec.split("==")[0]);
  const { status, stdout } = spawnSync(python, ["-c", script, ...names], { encoding: "utf8" });
  const versions = status === 0 ? JSON.parse(stdout) : {};
  for (const spec of NPM) {
    const { name, folder } = parse(spec);
    if (existsSync(folder)) versions[name] = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version;
  }
  return versions;
}

function installPython() {
  if (process.env.BONMF_BENCH_PYTHON) return;
  const stamp = join(venv, "bonmf-bench.txt");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === PYTHON.join()) return;
  console.error(`bench: installing ${PYTHON.join(", ")}`);
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
  if (!attempt(windows ? "python" : "python3", ["-m", "venv", venv], "Python")) return;
  const done = PYTHON.filter((spec) => attempt(inVenv, [...pip, spec], spec));
  if (done.length === PYTHON.length) writeFileSync(stamp, PYTHON.join());
}

function installNpm(spec) {
  const { folder, failed } = parse(spec);
  if (existsSync(folder) || existsSync(failed)) return;
  console.error(`bench: installing ${spec}`);
  if (!existsSync(join(CACHE, "package.json"))) writeFileSync(join(CACHE, "package.json"), '{ "private": true }\n');
  const args = ["install", "--no-audit", "--no-fund", "--loglevel=error", spec];
  // Not tried again at every run: building it without a compiler takes a while to fail.
  if (!attempt("npm", args, spec)) writeFileSync(failed, "");
}

function parse(spec) {
  const name = spec.slice(0, spec.lastIndexOf("@"));
  const failed = join(CACHE, `failed-${spec.replaceAll("/", "-")}`);
  return { name, folder: join(CACHE, "node_modules", name), failed };
}

function attempt(command, args, what) {
  const shell = windows && command === "npm";
  const { status, error, stderr } = spawnSync(command, args, { cwd: CACHE, encoding: "utf8", shell });
  if (status === 0) return true;
  const reason = error?.message ?? stderr.trim().split("\n").at(-1);
  console.error(`bench: ${what} cannot be installed and is left out (${reason})`);
  return false;
}
