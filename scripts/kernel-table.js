// Prints the answers of chooseKernel for typical data into ARCHITECTURE.md, between the two markers:
// node scripts/kernel-table.js. A test fails where the table is out of date.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { loadInternal } from "../packages/bonmf/bench/internals.js";

const FILE = new URL("../ARCHITECTURE.md", import.meta.url);
const [BEGIN, END] = ["<!-- kernels: made by scripts/kernel-table.js -->", "<!-- end of kernels -->"];

const digits = {
  samples: 60_000,
  features: 784,
  given: "dense",
  density: 0.19,
  precision: "f32",
  k: 10,
  rule: "cosine",
};
const optdigits = { ...digits, samples: 5620, features: 64, density: 0.51 };
const points = { ...digits, samples: 1_000_000, features: 16, density: 1, rule: "distance" };
const text = { ...digits, samples: 20_000, features: 50_000, given: "CSR", density: 0.002, k: 20 };

/** What a row shows, and its workload. */
const ROWS = [
  ["kmeans, 1,000,000 × 16, k 10", points],
  ["bonmf, 5,620 × 64, k 10", optdigits],
  ["bonmf, 60,000 × 784 with 19 % non-zeros, k 10", digits],
  ["the same, k 100", { ...digits, k: 100 }],
  ["the same, k 100, little memory (out of core)", { ...digits, k: 100, given: "CSR", resident: false, mostGroups: 1 }],
  ["kmeans, 200,000 × 784 without zeros, k 50", { ...digits, samples: 200_000, density: 1, k: 50, rule: "distance" }],
  ["bonmf, 20,000 texts × 50,000 words, CSR with 0.2 %, k 20", text],
  ["bonmf, CSR with 60 % non-zeros, 5,000 × 100, k 5", { ...text, samples: 5000, features: 100, density: 0.6, k: 5 }],
  ["bonmf, 5,620 × 64 in 64 bits, k 10", { ...optdigits, precision: "f64" }],
  ["nmf, 5,620 × 64, k 10", { ...optdigits, rule: "multiply" }],
  ["em-onmf, 5,620 × 64, k 10", { ...optdigits, rule: "ray" }],
  ["any, without WebAssembly SIMD", { ...optdigits, simd: false }],
];

export function makeTable(chooseKernel) {
  const lines = ROWS.map(([data, workload]) => {
    const { name, reason } = chooseKernel(workload);
    return `| ${data} | ${name} | ${reason} |`;
  });
  return ["| fit | kernel | because |", "|---|---|---|", ...lines].join("\n");
}

/** Replaces what is between the markers. */
export function insertTable(page, table) {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`ARCHITECTURE.md lacks the lines "${BEGIN}" and "${END}"`);
  return `${page.slice(0, from + BEGIN.length)}\n${table}\n${page.slice(to)}`;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { chooseKernel } = await loadInternal("kernel/choose.ts");
  writeFileSync(FILE, insertTable(readFileSync(FILE, "utf8"), makeTable(chooseKernel)));
}
