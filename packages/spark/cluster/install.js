import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const PACKAGES = ["pyspark==4.0.1", "numpy==2.3.5"];

/** Why no cluster can be started here; null: one can. */
export function whyNot() {
  if (spawnSync("java", ["-version"]).status !== 0) return "Java is not installed";
  if (spawnSync("python3", ["-c", "import venv, ensurepip"]).status !== 0) return "python3 with venv is not installed";
  return null;
}

/**
 * Installs Spark from its Python package into the cache folder, once.
 *
 * @returns Spark's home, and a Python that knows it
 */
export function installSpark(note = () => {}) {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "bonmf");
  const folder = join(cache, PACKAGES.join("-").replaceAll("==", "-"));
  if (!existsSync(folder)) {
    note(`installing ${PACKAGES.join(" and ")} into ${folder}`);
    mkdirSync(cache, { recursive: true });
    const draft = mkdtempSync(join(cache, "draft-"));
    try {
      call("python3", ["-m", "venv", draft]);
      call(join(draft, "bin/python"), ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...PACKAGES]);
      if (!existsSync(folder)) renameSync(draft, folder);
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  }
  const lib = join(folder, "lib");
  const python = readdirSync(lib).find((name) => name.startsWith("python"));
  return { home: join(lib, python, "site-packages/pyspark"), python: join(folder, "bin/python") };
}

function call(command, args) {
  const { status, stderr } = spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed: ${stderr}`);
}
