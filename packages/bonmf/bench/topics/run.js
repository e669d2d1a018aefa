// Topics beside those of scikit-learn and BERTopic: how well they agree with the classes (AMI), how their words hang together (NPMI
// of the ten first) and differ (diversity). BENCHMARKS.md shows the result.
//
// node packages/bonmf/bench/topics/run.js [--seeds 10] [--only bbc,r8] [--skip BERTopic,LDA] [--words] [--own]
//
// What a peer found is kept by corpus, method and seed, so that a run that was stopped goes on where it was.
// Peers live in an environment of their own, which BONMF_BENCH_PYTHON replaces; BONMF_DATA_DIR is the folder of BBC and R8.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { countDocuments } from "bonmf-data";
import { diversity, mean, npmi } from "./coherence.js";
import { folder, readTexts, runPython } from "./corpora.js";

const { ami, readNpy, topics } = await import("../../dist/bonmf.js");

const { values: flags } = parseArgs({
  options: {
    seeds: { type: "string" },
    only: { type: "string" },
    skip: { type: "string" },
    // Without vectors, which take most of the time.
    words: { type: "boolean" },
    // No fit of a peer; what they found before is shown.
    own: { type: "boolean" },
  },
});
const SEEDS = Array.from({ length: Number(flags.seeds ?? 10) }, (_, seed) => seed);
const NAMES = flags.only?.split(",") ?? ["bbc", "r8", "newsgroups", "handbook-de", "handbook-zh"];
const skipped = flags.skip?.split(",") ?? [];
const WORD_PEERS = ["NMF", "NMF-KL", "LDA", "KMeans"];
const VECTOR_PEERS = ["KMeans on vectors", "BERTopic"];

for (const name of NAMES) {
  const corpus = await readCorpus(name);
  const { X, labels } = corpus;
  const rows = [...(await runOwn(corpus)), ...runPeers(name, corpus)];
  console.log(`\n### ${name}: ${X.samples} documents, ${X.features} words, ${corpus.k} classes\n`);
  console.log("| method | seeds | AMI | NPMI | diversity | NPMI × diversity |\n|---|---|---|---|---|---|");
  for (const method of new Set(rows.map((row) => row.method))) {
    const runs = rows.filter((row) => row.method === method);
    const figures = [
      (run) => ami(labels, run.labels),
      (run) => npmi(run.topics, X, corpus.words),
      (run) => diversity(run.topics),
      (run) => npmi(run.topics, X, corpus.words) * diversity(run.topics),
    ].map((figure) => mean(runs.map(figure)).toFixed(3));
    console.log(`| ${method} | ${runs.length} | ${figures.join(" | ")} |`);
  }
  const [first] = rows;
  console.log(`\n${first.topics.map((words) => `- ${words.join(", ")}`).join("\n")}`);
}

async function readCorpus(name) {
  const { path, texts, labels } = readTexts(name);
  const counted = await countDocuments({ texts, labels, ids: null, weights: null, notes: [] }, {});
  const vectors = flags.words ? null : join(folder, `${name}-vectors.npy`);
  if (vectors && !existsSync(vectors)) runPython("vectors.py", [path, vectors]);
  return { X: counted.X, words: counted.features, texts, labels, k: new Set(labels).size, vectors };
}

async function runOwn({ X, words, k, vectors }) {
  const counted = { counts: X, vocabulary: words };
  const inputs = {
    "bonmf, words": counted,
  };
  if (vectors) {
    const both = { ...counted, vectors: readNpy(readFileSync(vectors)).X };
    inputs["bonmf, vectors"] = { ...both, vectorWeight: 1 };
    inputs["bonmf, words and vectors"] = both;
  }
  const rows = [];
  for (const [method, { vectorWeight, ...input }] of Object.entries(inputs)) {
    for (const seed of SEEDS) {
      const found = await topics(input, { k, seed, vectorWeight });
      const told = found.list.map(({ telling }) => telling.slice(0, 10).map(({ word }) => word));
      rows.push({ method, labels: [...found.labels], topics: told });
    }
  }
  return rows;
}

/** Fits of the peers that are not kept yet, then all that are asked for. */
function runPeers(name, { X, words, k, vectors }) {
  const { offsets, indices, values, samples, features } = X;
  const counts = { shape: [samples, features], offsets: [...offsets], indices: [...indices], values: [...values] };
  const methods = [...WORD_PEERS, ...(vectors ? VECTOR_PEERS : [])].filter((method) => !skipped.includes(method));
  // Other counts are another task: what was found on the old ones is not theirs.
  const task = createHash("sha256").update(JSON.stringify({ counts, words, k })).digest("hex");
  const kept = join(folder, `${name}-peers-${task.slice(0, 12)}.jsonl`);
  if (!flags.own) {
    const job = join(folder, `${name}-job.json`);
    writeFileSync(job, JSON.stringify({ counts, words, k, vectors, seeds: SEEDS, methods, kept }));
    runPython("peers.py", [job]);
  }
  if (!existsSync(kept)) return [];
  return readFileSync(kept, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ method, seed }) => methods.includes(method) && SEEDS.includes(seed));
}
