import type { Command } from "../command.js";
import { READ_OPTIONS, VECTORS_OPTION } from "../read/options.js";
import { clusterAddress, engineOptions } from "../spark/options.js";
import { SCHEME_OPTIONS } from "../tasks/classifier-options.js";
import { PROBABILITIES_OPTION } from "../tasks/probability-columns.js";
import { COLUMNS_OPTION, SAFE_OPTION } from "../tasks/result-options.js";

const group = "Results";

export const predict: Command = {
  name: "predict",
  summary: "Find the cluster of each sample, and its class if the model is a classifier",
  usage: "MODEL DATA…",
  options: [
    {
      name: "why",
      help: "Add columns that explain a class (share of the votes, nearest training sample, why it was refused) or a topic (words)",
      group,
    },
    {
      name: "outliers",
      help: "Of topics, add the column outlier: the share of the topic's documents that fit better, from 0 to 1",
      group,
    },
    {
      name: "out",
      short: "o",
      value: "FILE",
      help: "Write the answers to this file: .csv, .tsv, .jsonl, .parquet or .arrow; default: CSV on standard output",
      group,
    },
    PROBABILITIES_OPTION,
    COLUMNS_OPTION,
    SAFE_OPTION,
    ...SCHEME_OPTIONS,
    VECTORS_OPTION,
    ...READ_OPTIONS,
    ...engineOptions("find clusters", group),
  ],
  examples: [
    { command: "bonmf predict model.safetensors new.csv > clusters.csv", note: "the cluster of each row" },
    {
      command: "bonmf predict digits.safetensors scans/ --why --out answers.parquet",
      note: "classes, and why",
    },
    {
      command: "bonmf predict digits.safetensors test.csv --label class --out answers.csv",
      note: "classes, and how many are right",
    },
    {
      command: "bonmf predict digits.safetensors test.csv --probabilities all --reject-probability 0.8",
      note: "the probability of every class; no class where the answer's is below 0.8",
    },
    {
      command: "bonmf predict digits.safetensors test.csv --neighbors 9 --reject-margin 0.05",
      note: "use more neighbours, and give no class to unclear samples",
    },
    {
      command: "bonmf predict model.safetensors pixels.npy --columns none --engine gpu --out clusters.parquet",
      note: "on the GPU: the clusters alone, which are the same",
    },
    {
      command: "bonmf predict model.safetensors --engine sc://spark:15002 --table db.events --id id --out db.clusters",
      note: "on a Spark cluster, which writes the answers",
    },
  ],
  async run(call) {
    const onCluster = clusterAddress(call.options) !== undefined;
    const { run } = onCluster ? await import("../spark/predict.js") : await import("../tasks/predict.js");
    await run(call);
  },
};
