// What is disturbed: small data, one command, and the files that it writes.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { makeNpy, makeZip } from "../../../fuzz/containers.js";

/**
 * @typedef {object} Scenario
 * @property {string} name
 * @property {readonly string[]} line the command that is disturbed
 * @property {readonly string[]} outputs the files it writes
 * @property {readonly (readonly string[])[]} [before] commands that run once, undisturbed
 * @property {string} [input] standard input
 * @property {boolean} [cached] whether it uses the cache
 * @property {boolean} [cold] whether the cache is empty each time
 * @property {boolean} [pack] whether the process that packs samples is disturbed, not the command itself
 * @property {boolean} [kill] whether it is killed, too: one of each way to write
 */

const WORDS = ["red apple pie", "apple tart", "green apple", "fast red car", "blue car", "car and bus", "fast bus"];
const FIT = ["fit", "blobs.csv", "--label", "class", "--k", "3", "--threads", "1"];
const DISK = [...FIT, "--memory", "900MB", "--out", "disk.st", "--assignments", "disk.csv"];
const MODEL = [...FIT, "--out", "given.st"];

/** @type {readonly Scenario[]} */
export const SCENARIOS = [
  {
    name: "fit",
    line: [...FIT, "--out", "model.st", "--assignments", "rows.csv", "--prototypes", "W.csv"],
    outputs: ["model.st", "rows.csv", "W.csv"],
    kill: true,
  },
  {
    name: "fit from standard input, Parquet out",
    line: ["fit", "-", "--k", "2", "--threads", "1", "--out", "model.st", "--assignments", "rows.parquet"],
    input: "a,b\n1,5\n2,6\n9,1\n8,2\n",
    outputs: ["model.st", "rows.parquet"],
    kill: true,
  },
  {
    name: "fit a query",
    line: ["fit", "--sql", "select x0, x1 from 'blobs.csv'", "--k", "2", "--threads", "1", "--out", "model.st"],
    outputs: ["model.st"],
  },
  {
    name: "fit a folder of texts",
    line: ["fit", "texts", "--k", "2", "--threads", "1", "--out", "model.st", "--assignments", "rows.jsonl"],
    outputs: ["model.st", "rows.jsonl"],
  },
  {
    name: "fit with threads",
    line: ["fit", "blobs.csv.gz", "--label", "class", "--k", "3", "--threads", "2", "--out", "model.st"],
    outputs: ["model.st"],
  },
  {
    name: "predict",
    before: [MODEL],
    line: ["predict", "given.st", "blobs.csv", "--out", "rows.parquet"],
    outputs: ["rows.parquet"],
  },
  {
    name: "classify",
    line: ["classify", "blobs.csv", "--label", "class", "--scheme", "majority", "--k", "3", "--out", "classes.st"],
    outputs: ["classes.st"],
  },
  {
    name: "convert",
    line: ["convert", "blobs.csv", "blobs.svm.gz", "--label", "class"],
    outputs: ["blobs.svm.gz"],
    kill: true,
  },
  { name: "convert to Parquet", line: ["convert", "blobs.csv", "blobs.parquet"], outputs: ["blobs.parquet"] },
  // Read in a thread.
  { name: "convert an NPZ file", line: ["convert", "X.npz", "X.csv"], outputs: ["X.csv"] },
  {
    name: "report",
    before: [MODEL],
    line: ["report", "given.st", "blobs.csv", "--label", "class", "-o", "page.html"],
    outputs: ["page.html"],
  },
  {
    name: "choose",
    line: ["choose", "blobs.csv", "--label", "class", "--k", "2-4", "--threads", "1"],
    outputs: [],
  },
  { name: "fit from disk", line: DISK, outputs: ["disk.st", "disk.csv"], before: [DISK], cached: true },
  {
    name: "fit from disk, nothing cached",
    line: DISK,
    outputs: ["disk.st", "disk.csv"],
    cached: true,
    cold: true,
    kill: true,
  },
  { name: "pack", line: DISK, outputs: ["disk.st", "disk.csv"], cached: true, cold: true, pack: true, kill: true },
  { name: "cache list", before: [DISK], line: ["cache", "list"], outputs: [] },
  { name: "cache clear", line: ["cache", "clear"], outputs: [] },
];

export function writeData(folder) {
  const rows = Array.from({ length: 90 }, (_, i) => {
    const values = Array.from({ length: 12 }, (_, f) => 1 + 8 * Number(f % 3 === i % 3) + ((i * 7 + f * 5) % 11) / 10);
    return `r${i},${values.join(",")},c${i % 3}`;
  });
  const head = ["id", ...Array.from({ length: 12 }, (_, f) => `x${f}`), "class"].join(",");
  const table = `${head}\n${rows.join("\n")}\n`;
  writeFileSync(join(folder, "blobs.csv"), table);
  writeFileSync(join(folder, "blobs.csv.gz"), gzipSync(table));
  writeFileSync(join(folder, "X.npz"), makeZip([["X.npy", makeNpy(20, 3)]]));
  mkdirSync(join(folder, "texts"));
  for (const [i, words] of WORDS.entries()) writeFileSync(join(folder, "texts", `${i}.txt`), words);
}
