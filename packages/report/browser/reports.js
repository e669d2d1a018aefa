import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { provideTestData } from "../../../scripts/testdata.js";

const binary = fileURLToPath(new URL("../../../apps/cli/dist/main.js", import.meta.url));
const SECTIONS = ["Map", "Clusters", "Sizes and convergence", "Against the classes", "How to repeat it"];

const TOPICS = ["the economy", "films", "<b>games", "parliament", "gadgets"];

/**
 * One report of each form; `shows` is what the map shows of a sample, `labelled` one of the classes, `named` what the
 * clusters are called.
 */
export const CASES = {
  digits: {
    data: "optdigits/optdigits.csv.gz",
    fit: ["--k", "10", "--label", "class", "--seed", "7", "--size", "8x8"],
    headings: ["optdigits.csv.gz", ...SECTIONS],
    shows: "canvas",
    labelled: "7",
  },
  faces: {
    data: "orl/orl.csv.gz",
    fit: ["--k", "40", "--label", "class", "--size", "64x64"],
    headings: ["orl.csv.gz", ...SECTIONS],
    shows: "canvas",
    labelled: "39",
  },
  text: {
    data: "bbc/bbc-docs.csv.gz",
    fit: ["--text", "text", "--k", "5", "--label", "class", "--init", "plusplus"],
    report: ["--label", "class", "--names", TOPICS.join(",")],
    headings: [
      "bbc-docs.csv.gz",
      ...SECTIONS.map((title) => (title === "Clusters" ? "Documents of each topic" : title)),
      "Topics",
    ],
    shows: ".bonmf-passage",
    labelled: "sport",
    named: TOPICS,
  },
  table: {
    data: "diabetes/diabetes.csv.gz",
    fit: ["--k", "3", "--scale", "minmax", "--exclude", "class"],
    report: [],
    headings: ["diabetes.csv.gz", ...SECTIONS.filter((title) => title !== "Against the classes")],
    shows: ".bonmf-pairs",
  },
  chosen: {
    data: "segment/segment.csv.gz",
    fit: ["--k", "auto", "--label", "class"],
    headings: ["segment.csv.gz", ...SECTIONS, "How many clusters"],
    shows: ".bonmf-pairs",
  },
};

const TESTED = [
  "Who is taken for whom",
  "Can the probabilities be believed?",
  "Surely wrong",
  "What it goes by",
  "How to repeat it",
];

/** Pages about the test of a classifier, one of each form. */
export const TESTS = {
  "tested digits": {
    data: "optdigits/optdigits.csv.gz",
    classify: ["--label", "class", "--size", "8x8", "--scheme", "vote", "--split", "0.3"],
    headings: ["optdigits.csv.gz", ...TESTED],
  },
  "tested text": {
    data: "bbc/bbc-docs.csv.gz",
    classify: ["--text", "text", "--label", "class", "--scheme", "linear"],
    headings: ["bbc-docs.csv.gz", ...TESTED],
  },
  "tested table": {
    data: "diabetes/diabetes.csv.gz",
    classify: ["--label", "class", "--reject-probability", "0.6"],
    headings: ["diabetes.csv.gz", ...TESTED, "What was tried"],
  },
  "tested votes": {
    data: "segment/segment.csv.gz",
    classify: ["--label", "class", "--scheme", "vote"],
    headings: ["segment.csv.gz", ...TESTED],
  },
};

export function makeTestReport({ data, classify }, out) {
  run(["classify", join(provideTestData().folder, data), ...classify, "--report", out]);
  return out;
}

/** By `fit --report`, or by `report` on the model of a fit where that has arguments of its own. */
export function makeReport({ data, fit, report }, out) {
  const source = join(provideTestData().folder, data);
  if (!report) {
    run(["fit", source, ...fit, "--report", out]);
    return out;
  }
  run(["fit", source, ...fit, "--out", `${out}.safetensors`]);
  run(["report", `${out}.safetensors`, source, ...report, "--out", out]);
  return out;
}

function run(args) {
  const { status, stderr } = spawnSync(process.execPath, [binary, ...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(`bonmf ${args.join(" ")} failed: ${stderr}`);
}
