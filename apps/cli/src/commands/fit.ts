import type { Command, Option } from "../command.js";
import { READ_OPTIONS } from "../read/options.js";
import { engineOptions } from "../spark/options.js";
import { FIT_OPTIONS, INITS } from "../tasks/fit-options.js";
import { COLUMNS_OPTION, SAFE_OPTION } from "../tasks/result-options.js";

const group = "Results";

const INIT: Option = {
  name: "init",
  value: "NAME|FILE",
  help: `Initialisation: ${INITS.join(", ")}, or a file of prototypes (.csv, .npy or a model); default: the method's own`,
  group: "Factorisation",
};
const AUTO = { words: ["auto"], help: "How many clusters, or auto: as many as bonmf choose suggests" };

export const fit: Command = {
  name: "fit",
  summary: "Find k clusters or topics in samples and save them as a model",
  usage: "DATA…",
  options: [
    ...FIT_OPTIONS.map((option) =>
      option.name === "init" ? INIT : option.name === "k" ? { ...option, ...AUTO } : option,
    ),
    {
      name: "memory",
      value: "SIZE",
      help: "Limit the memory, for example 512MB, 2GB or 50%: samples are packed on disk once, and every iteration reads them there",
      group: "Factorisation",
    },
    { name: "out", short: "o", value: "FILE", help: "Write the model to this file, as safetensors", group },
    {
      name: "assignments",
      value: "FILE",
      help: "Write the rows and the cluster of each to this file: .csv, .tsv, .jsonl, .parquet or .arrow; - for standard output",
      group,
    },
    COLUMNS_OPTION,
    SAFE_OPTION,
    {
      name: "prototypes",
      value: "FILE",
      help: "Write the prototypes to this file, in the units of the samples: .csv, .jsonl, .json, .parquet, .arrow or .npy",
      group,
    },
    { name: "report", value: "FILE", help: "Write an HTML report of the clusters to this file", group },
    {
      name: "resume",
      value: "MODEL",
      help: "Continue an interrupted fit; the result is the same as without the interruption",
      group,
    },
    ...READ_OPTIONS.filter(({ name }) => name !== "memory"),
    ...engineOptions("compute", "Factorisation"),
  ],
  examples: [
    { command: "bonmf fit digits.csv --k 10 --label class", note: "clusters, compared with the classes" },
    { command: "bonmf fit digits.csv --k auto --label class", note: "as many clusters as there seem to be" },
    {
      command: "bonmf fit 'logs/*.parquet' --k 8 --scale minmax --out model.safetensors --assignments clusters.csv",
      note: "save the model and the cluster of each row",
    },
    { command: "bonmf fit news.csv --text body --k 20 --method nmf", note: "topics in a column of text" },
    { command: "bonmf fit faces/ --k 16 --size 32x32", note: "a folder of pictures" },
    {
      command: `bonmf fit --sql "select * exclude (day) from 'sales.parquet' where year > 2020" --k 6 --json`,
      note: "any DuckDB query",
    },
    { command: "bonmf fit pixels.npy --k 100 --engine gpu", note: "on the GPU; the clusters are the same" },
    {
      command: "bonmf fit --engine sc://spark:15002 --table db.events --order id --k 50 --assignments db.clusters",
      note: "rows that stay on a Spark cluster",
    },
  ],
  async run(call) {
    const { run } = await import("../tasks/fit.js");
    await run(call);
  },
};
