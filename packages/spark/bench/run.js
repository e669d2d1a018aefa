// Sweeps on a Spark cluster beside Spark MLlib's KMeans with the cosine measure, from the same centres, in one run:
//   node packages/spark/bench/run.js [--quick] [--only 60000x784] [--iterations 5] [--workers 2] [--out bench.json]
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Dense, fit } from "bonmf";
import { startCluster } from "../cluster/cluster.js";
import { connect } from "../dist/connect/index.js";
import { sparkEngine } from "../dist/index.js";
import { chooseShapes, writeRows } from "./data.js";

const { values } = parseArgs({
  options: {
    quick: { type: "boolean" },
    only: { type: "string" },
    iterations: { type: "string" },
    workers: { type: "string", multiple: true },
    out: { type: "string" },
  },
});
const iterations = Number(values.iterations ?? 5);
const MEMORY = "3g";
const KS = [10, 100];
const { shapes, reason } = chooseShapes(values);
if (reason) {
  console.error(reason);
  process.exit(1);
}

const folder = mkdtempSync(join(tmpdir(), "bonmf-spark-bench-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const results = [];
for (const workers of values.workers?.map(Number) ?? [2, 1]) await measure(workers);
show();
if (values.out) await writeFile(values.out, `${JSON.stringify(results, null, 2)}\n`);

async function measure(workers) {
  const conf = { "spark.executor.memory": MEMORY };
  const cluster = await startCluster({ workers, memory: "3500m", conf, note: console.error });
  try {
    for (const [at, shape] of shapes.entries()) {
      const path = join(folder, `rows-${at}`);
      if (!existsSync(path)) {
        const session = await connect(cluster.url);
        await writeRows(session, shape, path);
        await session.close();
      }
      // Both want all cores, so one after the other.
      await cluster.stopConnect();
      const peers = await runMllib(cluster, path);
      await cluster.startConnect();
      // A small fit first, as mllib.py does.
      await runOwn(cluster.url, path, { k: 2, centres: peers[0].centres.slice(0, 2) }, 1);
      for (const peer of peers) {
        const own = await runOwn(cluster.url, path, peer, 1 + iterations);
        results.push({ shape: shape.name, workers, k: peer.k, mllib: peer.seconds, bonmf: own });
        console.error(JSON.stringify(results.at(-1)));
      }
    }
  } finally {
    await cluster.stop();
  }
}

async function runMllib({ python, home, master }, data) {
  const script = new URL("mllib.py", import.meta.url).pathname;
  const env = { ...process.env, SPARK_HOME: home, SPARK_LOCAL_IP: "127.0.0.1" };
  const child = spawn(python, [script], { env, stdio: ["pipe", "pipe", "inherit"] });
  const end = () => child.kill();
  process.on("exit", end);
  child.stdin.end(JSON.stringify({ master, data, ks: KS, iterations, memory: MEMORY }));
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  const code = await new Promise((resolve) => child.on("close", resolve));
  process.off("exit", end);
  if (code !== 0) throw new Error(`mllib.py ended with ${code}`);
  return output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** The median seconds of an iteration after the first, and what comes before them. */
async function runOwn(url, parquet, { k, centres }, maxIterations) {
  const begin = performance.now();
  const seconds = [];
  const source = await sparkEngine({ url, parquet, order: ["id"], features: ["x"] });
  const checked = performance.now();
  const init = new Dense(k, centres[0].length, Float64Array.from(centres.flat()));
  await fit(source, {
    k,
    method: "spherical",
    init,
    maxIterations,
    tolerance: 0,
    onStep: () => seconds.push(performance.now() / 1000),
  });
  await source.close();
  const each = seconds.slice(1).map((end, at) => end - seconds[at]);
  each.sort((a, b) => a - b);
  return {
    check: (checked - begin) / 1000,
    first: seconds[0] - checked / 1000,
    iteration: each[Math.floor(each.length / 2)],
  };
}

function show() {
  const round = (number) => number.toFixed(2);
  console.log("| shape | k | workers | MLlib row, s | MLlib block, s | bonmf, s | times faster than the better |");
  console.log("|---|---|---|---|---|---|---|");
  for (const { shape, k, workers, mllib, bonmf } of results) {
    const ratio = Math.min(mllib.row, mllib.block) / bonmf.iteration;
    const cells = [shape, k, workers, ...[mllib.row, mllib.block, bonmf.iteration, ratio].map(round)];
    console.log(`| ${cells.join(" | ")} |`);
  }
}
