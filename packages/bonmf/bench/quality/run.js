// Time to quality: how long until the error of NMF is within 1 % and 0.1 % of the best known one, from the same NNDSVD start.
// Contestants in turn, each run in a process of its own that has warmed up. Results are kept row by row.
//
//   node packages/bonmf/bench/quality/run.js [--only orl,r8] [--rounds 3] [--limit 60] [--threads 2] [--table] [--ours]
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { nmi } from "../../dist/bonmf.js";
import { prepareSet } from "../data/catalog.js";
import { CACHE, DATA, readArray } from "../data/files.js";
import { openContestant } from "../process.js";
import { printTables } from "./table.js";

const ROWS = [
  ["orl", 40],
  ["mnist10k", 40],
  ["digits60k", 10],
  ["digits60k", 50],
  ["blobs200k", 20],
  ["faces4k", 40],
  ["r8", 50],
  ["w8a", 20],
  ["optdigits", 10],
].map(([set, k]) => ({ id: `${set}-k${k}`, set, k }));
/** Within 1 % and 0.1 % of the best known error. */
const NEAR = [1.01, 1.001];
/** A contestant that takes this many times as long as the fastest peer has lost the row, and is stopped. */
const LOST = 3;
/** Wall seconds that a run or its loading may take, beside its limit of processor seconds. */
const PATIENCE = 600;
const RESULTS = join(CACHE, "quality.json");

const { values: options } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    rounds: { type: "string", default: "3" },
    /** Of every contestant. On a busy machine take 1: threads of a BLAS that wait for each other use the processor, too. */
    threads: { type: "string", default: "2" },
    /** Processor seconds of a run. */
    limit: { type: "string", default: "60" },
    /** Only print what is known. */
    table: { type: "boolean", default: false },
    /** Measure ours alone and keep what is known of the peers. */
    ours: { type: "boolean", default: false },
  },
});
const limit = Number(options.limit);
const wanted = options.only.split(",").filter((name) => name !== "");
const known = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, "utf8")) : {};

for (const row of options.table ? [] : ROWS) {
  if (wanted.length > 0 && !wanted.includes(row.set) && !wanted.includes(row.id)) continue;
  console.error(`quality: ${row.id}`);
  const set = prepareSet(row.set);
  if (set === null) console.error("  its data is missing (BONMF_DATA_DIR names the folder)");
  else {
    known[row.id] = await measureRow(row, set, known[row.id]);
    writeFileSync(RESULTS, JSON.stringify(known));
  }
}
printTables(ROWS.flatMap(({ id }) => (known[id] ? { id, ...known[id] } : [])));

function fieldOf({ id, k }, set) {
  const at = (name) => join(DATA, `${id}.start.${name}.f32`);
  const out = (name) => join(CACHE, `quality-${id}-${name}.i32`);
  const job = { set, k, W: at("W"), H: at("H") };
  const ours = (method, name) => ({
    name,
    runtime: "node",
    script: "ours.js",
    task: "descent",
    load: { ...job, out: out(name), options: { method, threads: Number(options.threads) } },
  });
  const python = (name, task, more) => ({
    name,
    runtime: "python",
    script: "python/contestant.py",
    task,
    load: { ...job, out: out(name), ...more },
    env: {
      OPENBLAS_NUM_THREADS: options.threads,
      OMP_NUM_THREADS: options.threads,
      RAYON_NUM_THREADS: options.threads,
    },
  });
  return {
    start: python("start", "descent-start"),
    ours: [ours("hals", "hals"), ours("nmf", "nmf")],
    peers: [
      python("cd", "descent-sklearn", { solver: "cd" }),
      python("mu", "descent-sklearn", { solver: "mu" }),
      python("nmf-rs", "descent-rust", { method: "ehals" }),
    ],
  };
}

async function measureRow(row, set, before) {
  const { start, ours, peers } = fieldOf(row, set);
  if (!existsSync(start.load.W)) (await openContestant(start, PATIENCE)).close();
  const best = before?.best ?? (await findBest([ours[0], peers[0]]));
  const target = Math.min(...NEAR) * best;
  const contestants = options.ours ? ours : [...peers, ...ours];
  /** Processor seconds to the target. */
  const times = new Map();
  const results = options.ours ? { ...before?.results } : {};
  const labels = set.files.labels && readArray(set.files.labels);
  const rounds = contestants.map(() => []);
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const [c, contestant] of contestants.entries()) {
      if (round > rounds[c].length) continue;
      // Whoever does not arrive in the limit has one round.
      if (round > 0 && rounds[c].at(-1)?.at(-1)[0] > target) continue;
      const fastest = Math.min(...peers.map(({ name }) => times.get(name) ?? limit));
      const patience = Math.max(1, Math.min(limit, LOST * fastest));
      const targets = NEAR.map((near) => near * best);
      const trace = await runOnce(contestant, { target, targets, limit: patience }).then(
        (report) => report.trace,
        ({ message }) => {
          console.error(`  ${contestant.name}: ${message}`);
          return null;
        },
      );
      if (trace === null) continue;
      console.error(
        `  ${contestant.name}: ${trace.length} steps, ${trace.at(-1)[1].toFixed(2)} s, ${trace.at(-1)[0].toFixed(6)}`,
      );
      rounds[c].push(trace);
      if (trace.at(-1)[0] <= target) times.set(contestant.name, trace.at(-1)[2]);
    }
  }
  contestants.forEach(({ name, load }, c) => {
    if (rounds[c].length === 0) return;
    const quality = labels && existsSync(load.out) ? nmi(labels, readArray(load.out)) : null;
    results[name] = { traces: rounds[c], nmi: quality };
  });
  return {
    values: countValues(set),
    features: set.features,
    samples: set.samples,
    best: Math.min(best, ...Object.values(results).flatMap(({ traces }) => traces.flat().map(([e]) => e))),
    results,
  };
}

/** How many values are not 0. */
function countValues({ files }) {
  return readArray(files.values ?? files.data).reduce((count, value) => count + (value === 0 ? 0 : 1), 0);
}

/** The least error that long runs reach. */
async function findBest(contestants) {
  const errors = [];
  for (const contestant of contestants) errors.push((await runOnce(contestant, { target: 0, limit })).trace.at(-1)[0]);
  console.error(`  best known: ${errors.map((error) => error.toFixed(6)).join(", ")}`);
  return Math.min(...errors);
}

/** A process of its own for each run. */
async function runOnce(contestant, request) {
  const process = await openContestant(contestant, PATIENCE);
  try {
    return await process.run(request);
  } finally {
    process.close();
  }
}
