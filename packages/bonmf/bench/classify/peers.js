// scikit-learn's classifiers on one split, by peers.py.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("peers.py", import.meta.url));

/** { LogisticRegression: { accuracy, seconds }, … }. The samples are written to `folder` once. */
export function scorePeers(set, { train }, folder, python, balanced = false) {
  if (!existsSync(folder)) writeSet(set, folder);
  const split = join(folder, "train");
  writeArray(split, Int32Array.from(train));
  return JSON.parse(runPython(python, "score", folder, split, ...(balanced ? ["balanced"] : [])));
}

/** Standard output of one command of peers.py. */
export function runPython(python, ...args) {
  const run = spawnSync(python, [SCRIPT, ...args], { encoding: "utf8", maxBuffer: 2 ** 26 });
  if (run.status !== 0) throw new Error(run.stderr || String(run.error));
  return run.stdout;
}

/** Samples and classes as plain arrays, the shapes in set.json. */
export function writeSet({ X, y, text }, folder) {
  mkdirSync(folder);
  const sparse = X.kind === "sparse";
  writeArray(join(folder, "values"), Float32Array.from(sparse ? X.values : X.data));
  if (sparse) {
    writeArray(join(folder, "indices"), Int32Array.from(X.indices));
    writeArray(join(folder, "offsets"), Int32Array.from(X.offsets));
  }
  writeArray(join(folder, "classes"), Int32Array.from(y));
  const { samples, features } = X;
  writeFileSync(join(folder, "set.json"), JSON.stringify({ samples, features, sparse, text }));
}

export function writeArray(path, array) {
  writeFileSync(path, new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
}
