// The map beside umap-learn's (PyPI): trustworthiness, continuity and processor time on MNIST 10k, BBC and Pendigits.
// node packages/bonmf/bench/map/run.js [mnist10k bbc pendigits]
// BONMF_BENCH_PYTHON names a Python with umap-learn and scikit-learn; BONMF_DATA_DIR the folder of the data.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Dense, fitScaler, mapSteps, writeNpy } from "bonmf";
import { readReal } from "../choose/real.js";
import { python } from "../peers.js";

const METRICS = { mnist10k: "euclidean", bbc: "cosine", pendigits: "euclidean" };

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(METRICS);
const folder = mkdtempSync(join(tmpdir(), "bonmf-map-"));
try {
  for (const { name, X, options } of readReal()) {
    if (!names.includes(name)) continue;
    const metric = METRICS[name];
    const Z = options.scale === "tfidf" ? fitScaler("tfidf", X).transform(X) : X;
    drawMap(Z, metric); // warm, as the peer is
    const begin = process.cpuUsage();
    const { x, y } = drawMap(Z, metric);
    const { user, system } = process.cpuUsage(begin);
    const places = Float32Array.from({ length: 2 * x.length }, (_, p) => (p % 2 === 0 ? x : y)[p >> 1]);
    writeFileSync(join(folder, "samples.npy"), writeNpy(Z.toDense()));
    writeFileSync(join(folder, "places.npy"), writeNpy(new Dense(x.length, 2, places)));
    const script = fileURLToPath(new URL("umap_peer.py", import.meta.url));
    const run = spawnSync(python, ["-W", "ignore", script, folder, metric], { encoding: "utf8" });
    if (run.status !== 0) throw new Error(run.stderr);
    const { ours, theirs, seconds } = JSON.parse(run.stdout);
    const own = (user + system) / 1e6;
    console.log(
      `${name}: trustworthiness ${ours[0]} against ${theirs[0]}, continuity ${ours[1]} against ${theirs[1]}, ` +
        `${own.toFixed(2)} s of processor time against ${seconds.toFixed(2)} s (${(own / seconds).toFixed(2)})`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}

function drawMap(X, metric) {
  const steps = mapSteps(X, { metric });
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
