// How a fit gains from threads, and where the time goes that gains nothing:
//   node packages/bonmf/bench/cores.js [--only digits60k-k10,…] [--method kmeans] [--threads 1,2,4,8,16] [--repeats 3]
// Each number of threads is a process of its own (cores/fits.js). With BONMF_BENCH_PYTHON, scikit-learn fits the same samples on
// all cores.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { OTHER, PURPOSES } from "./cores/purposes.js";
import { prepareSet, prepareStart } from "./data/catalog.js";
import { CACHE, readArray } from "./data/files.js";
import { describeMachine } from "./machine.js";
import { openContestant } from "./process.js";
import { median } from "./report/ratios.js";
import { format } from "./report/tables.js";

/** `most`: iterations for everybody, where one thread needs minutes to the fixed point. */
const ROWS = [
  { set: "digits60k", k: 10, most: 300 },
  { set: "digits60k", k: 100, most: 300 },
  { set: "blobs200k", k: 100, most: 300 },
  { set: "narrow1m", k: 10, most: 300 },
  { set: "wide1m", k: 256, most: 8 },
];
/** Seconds that one run of a peer may take, and all of them. */
const PATIENCE = 60;
const ENOUGH = 12;

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    method: { type: "string", default: "kmeans" },
    threads: { type: "string", default: "1,2,4,8,16" },
    repeats: { type: "string", default: "3" },
  },
});
const repeats = Number(values.repeats);
const only = values.only?.split(",");
const { processor, software } = describeMachine();
console.log(`${processor}; ${software}; ${values.method}\n`);
for (const row of ROWS) {
  const name = `${row.set}-k${row.k}`;
  if (only?.includes(name) ?? true) await compareRow(name, row);
}

async function compareRow(name, { set, k, most }) {
  const header = prepareSet(set);
  const labels = join(CACHE, "labels");
  mkdirSync(labels, { recursive: true });
  const job = { set: header, start: prepareStart(header, k), k, most, method: values.method, repeats };
  const found = [];
  for (const threads of values.threads.split(",").map(Number)) {
    found.push(fitAlone({ ...job, threads, out: join(labels, `${name} ${threads}.i32`) }));
  }
  const [{ iterations, kernel }] = found;
  console.log(`## ${name}: ${iterations} iterations (at most ${most}, for everybody), ${kernel}\n`);
  console.log(writeTimes(found));
  console.log(`\nThe caller's thread, under the profiler, ms:\n\n${writePurposes(found)}\n`);
  if (process.env.BONMF_BENCH_PYTHON && values.method === "kmeans") {
    console.log(`${await comparePeers(job, found.at(-1), join(labels, `${name} peer.i32`))}\n`);
  }
}

function fitAlone(job) {
  const script = fileURLToPath(new URL("cores/fits.js", import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, JSON.stringify(job)], { encoding: "utf8" });
  if (status !== 0) throw new Error(`${job.set.name}, ${job.threads} threads: ${stderr}`);
  return { ...JSON.parse(stdout), threads: job.threads, out: job.out };
}

/** "busy" is processor time of the threads that compute. */
function writeTimes(found) {
  const head = ["threads", "first fit, ms", "ms", "min – max", "speed-up", "to the first sweep's end, ms"];
  head.push("a sweep, early – late, ms", "busy, all, ms", "busy, most / mean", "results");
  const rows = found.map((fits) => [
    fits.threads,
    fits.cold.toFixed(0),
    median(fits.times).toFixed(1),
    `${Math.min(...fits.times).toFixed(1)} – ${Math.max(...fits.times).toFixed(1)}`,
    `**${(median(found[0].times) / median(fits.times)).toFixed(2)}**`,
    fits.first.toFixed(1),
    `${fits.early.toFixed(2)} – ${fits.late.toFixed(2)}`,
    fits.busy.toFixed(0),
    fits.uneven.toFixed(2),
    fits.digest === found[0].digest ? "equal" : "DIFFER",
  ]);
  return format(head, rows);
}

function writePurposes(found) {
  const purposes = [...Object.keys(PURPOSES), OTHER];
  const rows = found.map(({ threads, profile: { ms, split } }) => [
    threads,
    ms.toFixed(0),
    ...purposes.map((purpose) => (split[purpose] ?? 0).toFixed(1)),
  ]);
  const { threads, profile } = found.at(-1);
  const listed = profile.functions.map(([name, ms]) => `${name} ${ms.toFixed(1)}`).join(", ");
  return `${format(["threads", "all", ...purposes], rows)}\n\n${threads} threads: ${listed}`;
}

async function comparePeers(job, ours, out) {
  const labels = readArray(ours.out);
  const rows = [];
  for (const algorithm of ["lloyd", "elkan"]) {
    const load = { ...job, out, options: { algorithm, max_iter: job.most } };
    const about = { runtime: "python", script: "python/contestant.py", task: "sklearn-kmeans", load };
    try {
      const peer = await openContestant(about, PATIENCE);
      const reports = [];
      let spent = 0;
      for (let run = 0; run <= repeats && (run < 2 || spent < ENOUGH); run++) {
        reports.push(await peer.run({}));
        spent += reports.at(-1).seconds;
      }
      peer.close();
      const ms = 1000 * median(reports.slice(1).map(({ seconds }) => seconds));
      const theirs = readArray(out);
      const same = theirs.reduce((count, label, i) => count + +(label === labels[i]), 0);
      const times = `**${(ms / median(ours.times)).toFixed(2)}**`;
      rows.push([
        algorithm,
        ms.toFixed(0),
        times,
        reports[0].iterations,
        `${((100 * same) / labels.length).toFixed(2)} %`,
      ]);
    } catch (error) {
      rows.push([algorithm, "–", "–", "–", error.message]);
    }
  }
  return format(
    ["scikit-learn", "ms", `ours, ${ours.threads} threads, is … × as fast`, "iterations", "equal labels"],
    rows,
  );
}
