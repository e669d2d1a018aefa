import type { Command } from "../command.js";
import { READ_OPTIONS } from "../read/options.js";
import { SAFE_OPTION } from "../tasks/result-options.js";
import { FORMATS } from "../write/format.js";

export const convert: Command = {
  name: "convert",
  summary: "Convert samples from one format to another",
  usage: "DATA… OUT",
  options: [
    {
      name: "to",
      value: "FORMAT",
      choices: FORMATS,
      help: "The format to write, if the name of OUT does not say",
    },
    {
      name: "labels-out",
      value: "FILE",
      help: "Write the labels to a separate file (csv, jsonl, parquet, npy), for formats that cannot hold them",
    },
    SAFE_OPTION,
    ...READ_OPTIONS,
  ],
  examples: [
    { command: "bonmf convert data.csv data.parquet", note: "numbers as columns" },
    { command: "bonmf convert w8a.svm w8a.mtx --labels-out w8a-labels.csv", note: "sparse samples stay sparse" },
    { command: "bonmf convert data.parquet - --to jsonl | head", note: "- is standard output" },
    { command: "bonmf convert photos/ photos.npy --size 32x32", note: "pictures as a matrix for NumPy" },
    { command: "bonmf convert reviews.csv words.svm --text review --label stars", note: "texts as weighted words" },
  ],
  async run(call) {
    const { run } = await import("../tasks/convert.js");
    await run(call);
  },
};
