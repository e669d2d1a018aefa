import { DATASET_NAMES, METHOD_NAMES, PAPER_DATASETS } from "bonmf-reproduce/names";
import type { Command } from "../command.js";

const group = "Experiment";

export const reproduce: Command = {
  name: "reproduce",
  summary: "Run the paper's experiment again and show its figures beside ours",
  usage: "",
  options: [
    {
      name: "dataset",
      value: "NAMES",
      type: "list",
      choices: DATASET_NAMES,
      help: `The datasets, separated by commas; default: the paper's ${PAPER_DATASETS.length}`,
      group,
    },
    {
      name: "methods",
      value: "NAMES",
      type: "list",
      choices: METHOD_NAMES,
      help: "The methods, separated by commas; default: all",
      group,
    },
    {
      name: "runs",
      value: "N",
      type: "integer",
      help: "How many random splits and initialisations; default 30, as in the paper",
      group,
    },
    { name: "seed", value: "N", type: "integer", help: "The same seed gives the same accuracies; default 0", group },
    {
      name: "threads",
      value: "N",
      type: "integer",
      help: "How many runs at once; the first three always run alone, for their times; default: the number of cores",
      group,
    },
    {
      name: "out",
      short: "o",
      value: "FOLDER",
      help: "Write tables, figures and a page here; cells already there are not run again",
      group: "Results",
    },
  ],
  examples: [
    { command: "bonmf reproduce --out table2", note: "the whole table; after Ctrl-C the same command continues" },
    { command: "bonmf reproduce --dataset optdigits,svmguide --runs 5", note: "a part of it, which takes seconds" },
    {
      command: "bonmf reproduce --dataset pendigits-2,monks-2 --methods nearest,commonest --json",
      note: "what else the paper may have meant",
    },
  ],
  async run(call) {
    const { run } = await import("../tasks/reproduce.js");
    await run(call);
  },
};
