import type { Command, Option } from "../command.js";
import { READ_OPTIONS } from "../read/options.js";
import { SCHEME_OPTIONS } from "../tasks/classifier-options.js";
import { FIT_OPTIONS } from "../tasks/fit-options.js";
import { PROBABILITIES_OPTION } from "../tasks/probability-columns.js";
import { SAFE_OPTION } from "../tasks/result-options.js";

const group = "Results";

const testing: readonly Option[] = [
  {
    name: "auto",
    help: "Choose scaler, clusters and scheme by cross-validation on the training samples; the default without --scheme",
    group: "Classification",
  },
  {
    name: "limit",
    value: "N",
    type: "integer",
    help: "Try at most N candidates, cheap ones first; without --scheme",
    group: "Classification",
  },
  {
    name: "time-limit",
    value: "SECONDS",
    type: "number",
    help: "Try no further candidates after so many seconds; without --scheme. The choice then depends on the machine",
    group: "Classification",
  },
  {
    name: "split",
    value: "SHARE",
    type: "number",
    help: "Train on this share of each class and test on the rest; default 0.8",
    group: "Testing",
  },
  {
    name: "folds",
    value: "N",
    type: "integer",
    help: "Cross-validation in N parts, each tested in turn, in place of --split",
    group: "Testing",
  },
  {
    name: "test",
    value: "FILE",
    help: "Train on all of DATA and test on this file, read like DATA, in place of --split",
    group: "Testing",
  },
];

export const classify: Command = {
  name: "classify",
  summary: "Train a classifier, test it on held-out samples, and keep it",
  usage: "DATA…",
  options: [
    ...testing,
    ...SCHEME_OPTIONS,
    {
      name: "out",
      short: "o",
      value: "FILE",
      help: "After the test, train on all samples and write the classifier to this file",
      group,
    },
    {
      name: "report",
      value: "FILE",
      help: "Write a page about the test: .html, or .pdf where a browser is installed",
      group,
    },
    {
      name: "predictions",
      value: "FILE",
      help: "Write the answer to each sample tested: .csv, .tsv, .jsonl, .parquet or .arrow",
      group,
    },
    PROBABILITIES_OPTION,
    SAFE_OPTION,
    ...FIT_OPTIONS.map((option) =>
      option.name === "k"
        ? { ...option, help: "How many clusters; default: half the square root of the number of samples" }
        : option,
    ),
    ...READ_OPTIONS,
  ],
  examples: [
    { command: "bonmf classify digits.csv --label class", note: "choose everything by cross-validation, and test it" },
    {
      command: "bonmf classify digits.csv --label class --folds 5 --out digits.safetensors",
      note: "test on every sample once, then keep a classifier trained on all samples",
    },
    {
      command: "bonmf classify train.csv --test test.csv --label class --report page.html",
      note: "test on a file of your own, and write a page about it",
    },
    {
      command: "bonmf classify flows.parquet --label kind --scheme vote --neighbors 7 --scale minmax",
      note: "choose the scheme yourself",
    },
    {
      command: "bonmf classify payments.csv --label fraud --class-weights balanced",
      note: "rare classes count as much as common ones, also in the choice",
    },
    { command: "bonmf classify mail.csv --text body --label spam --json", note: "a column of text; results as JSON" },
  ],
  async run(call) {
    const { run } = await import("../tasks/classify.js");
    await run(call);
  },
};
