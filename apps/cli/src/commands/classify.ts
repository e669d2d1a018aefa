import type { Command, Option } from "../command.js";
import { READ_OPTIONS } from "../read/options.js";
import { SCHEME_OPTIONS } from "../tasks/classifier-options.js";
import { FIT_OPTIONS } from "../tasks/fit-options.js";

const group = "Results";

const testing: readonly Option[] = [
  {
    name: "auto",
    help: "Choose scaler, clusters and scheme by cross-validation on the training samples; the default without --scheme",
    group: "Classification",
  },
  {
    name: "split",
    value: "SHARE",
    type: "number",
    help: "Train on this share of the samples and test on the rest, class by class; default 0.8",
    group: "Testing",
  },
  {
    name: "folds",
    value: "N",
    type: "integer",
    help: "Cut the samples in N parts and test on each in turn, instead of --split",
    group: "Testing",
  },
];

export const classify: Command = {
  name: "classify",
  summary: "Train a classifier, test it on samples it has not seen, and keep it",
  usage: "DATA…",
  options: [
    ...testing,
    ...SCHEME_OPTIONS,
    {
      name: "out",
      short: "o",
      value: "FILE",
      help: "Train on all samples after the test, and write the classifier here",
      group,
    },
    ...FIT_OPTIONS.map((option) =>
      option.name === "k" ? { ...option, help: "How many clusters; default: half the root of the samples" } : option,
    ),
    ...READ_OPTIONS,
  ],
  examples: [
    { command: "bonmf classify digits.csv --label class", note: "let it choose, and see how well it does" },
    {
      command: "bonmf classify digits.csv --label class --folds 5 --out digits.safetensors",
      note: "test on every sample once, then keep a classifier trained on all",
    },
    {
      command: "bonmf classify flows.parquet --label kind --scheme vote --neighbors 7 --scale minmax",
      note: "say how",
    },
    { command: "bonmf classify mail.csv --text body --label spam --json", note: "text, and the result as JSON" },
  ],
  async run(call) {
    const { run } = await import("../tasks/classify.js");
    await run(call);
  },
};
