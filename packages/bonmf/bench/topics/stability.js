// How topics last: ids after a refit on documents of which a fifth is new, and the objective after ten partial fits beside that
// of one fit. BENCHMARKS.md shows the result.
//
// node packages/bonmf/bench/topics/stability.js [--only bbc,r8] [--seeds 3]
//
// BONMF_DATA_DIR is the folder of BBC and R8.
import { parseArgs } from "node:util";
import { mean } from "./coherence.js";
import { readTexts } from "./corpora.js";

const { topics } = await import("../../dist/bonmf.js");

const { values: flags } = parseArgs({ options: { only: { type: "string" }, seeds: { type: "string" } } });
const NAMES = flags.only?.split(",") ?? ["bbc", "r8"];
const SEEDS = Array.from({ length: Number(flags.seeds ?? 3) }, (_, seed) => seed + 1);
const PARTS = 10;
const CHANGED = 0.2;

console.log("| | topics | ids kept | documents that stay | objective after ten parts |\n|---|---|---|---|---|");
for (const name of NAMES) {
  const { texts, labels } = readTexts(name);
  for (const k of [new Set(labels).size, 20]) {
    const kept = [];
    const stayed = [];
    const reached = [];
    for (const seed of SEEDS) {
      const order = shuffle(texts.length, seed);
      const refit = await fitAgain(texts, order, k, seed);
      kept.push(refit.kept);
      stayed.push(refit.stayed);
      reached.push(await grow(texts, order, k, seed));
    }
    const percent = (values) =>
      `${(100 * mean(values)).toFixed(1)} % (least ${(100 * Math.min(...values)).toFixed(1)})`;
    console.log(`| ${name} | ${k} | ${[kept, stayed, reached].map(percent).join(" | ")} |`);
  }
}

/** Places in a random order, the same for the same seed. */
function shuffle(n, seed) {
  const order = Array.from({ length: n }, (_, i) => i);
  let state = seed;
  for (let i = n - 1; i > 0; i--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const j = Math.floor((state / 2 ** 32) * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

/** The share of topics that are found again, and of the documents in both that keep their topic. */
async function fitAgain(texts, order, k, seed) {
  // The second set is the first without its first fifth, and as many others.
  const n = Math.floor(texts.length / (1 + CHANGED));
  const shift = texts.length - n;
  const pick = (from) => order.slice(from, from + n).map((i) => texts[i]);
  const first = await topics(pick(0), { k, seed });
  const second = await topics(pick(shift), { previous: first, seed });
  let same = 0;
  for (let i = 0; i < n - shift; i++) same += Number(first.labels[i + shift] === second.labels[i]);
  return { kept: second.list.filter(({ id }) => id < k).length / k, stayed: same / (n - shift) };
}

/** The objective of partial fits as a share of that of one fit. */
async function grow(texts, order, k, seed) {
  const whole = await topics(texts, { k, seed });
  const size = Math.ceil(texts.length / PARTS);
  const part = (p) => order.slice(p * size, (p + 1) * size).map((i) => texts[i]);
  let grown = await topics(part(0), { k, seed });
  for (let p = 1; p < PARTS; p++) grown = await grown.partialFit(part(p));
  const labels = [];
  order.forEach((i, at) => {
    labels[i] = grown.labels[at];
  });
  return objectiveOf(whole, labels) / whole.model.potential;
}

function objectiveOf({ model, seen, list }, labels) {
  const Z = model.prepare(seen);
  const sums = list.map(() => new Float64Array(Z.features));
  for (let i = 0; i < Z.samples; i++) {
    if (labels[i] >= 0) {
      Z.each(i, (f, value) => {
        sums[labels[i]][f] += value;
      });
    }
  }
  return sums.reduce((total, sum) => total + Math.sqrt(sum.reduce((all, x) => all + x * x, 0)), 0);
}
