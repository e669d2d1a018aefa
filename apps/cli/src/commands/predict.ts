import type { Command } from "../command.js";
import { READ_OPTIONS } from "../read/options.js";
import { SCHEME_OPTIONS } from "../tasks/schemes.js";

const group = "Results";

export const predict: Command = {
  name: "predict",
  summary: "Give samples their cluster, and their class where the model is a classifier",
  usage: "MODEL DATA…",
  options: [
    { name: "why", help: "Say why: cosine, margin, share of the votes, deciding training sample", group },
    {
      name: "out",
      short: "o",
      value: "FILE",
      help: "Write the answers here: .csv, .tsv, .jsonl, .parquet or .arrow; default: CSV on standard output",
      group,
    },
    ...SCHEME_OPTIONS,
    ...READ_OPTIONS,
  ],
  examples: [
    { command: "bonmf predict model.safetensors new.csv > clusters.csv", note: "the cluster of each row" },
    {
      command: "bonmf predict digits.safetensors scans/ --why --out answers.parquet",
      note: "classes, and what decided them",
    },
    {
      command: "bonmf predict digits.safetensors test.csv --label class --out answers.csv",
      note: "and how many are right",
    },
    {
      command: "bonmf predict digits.safetensors test.csv --neighbors 9 --reject-margin 0.05",
      note: "ask more neighbours, and refuse what is not clear",
    },
  ],
  async run(call) {
    const { run } = await import("../tasks/predict.js");
    await run(call);
  },
};
