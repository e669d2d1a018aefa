import type { Command } from "../command.js";

/** The entry of a command in `bonmf --help`; the rest is loaded when the command runs. */
export interface Entry {
  readonly name: string;
  readonly summary: string;
  load(): Promise<Command>;
}

export const COMMANDS: readonly Entry[] = [
  {
    name: "fit",
    summary: "Find k clusters or topics in samples and save them as a model",
    load: async () => (await import("./fit.js")).fit,
  },
  {
    name: "topics",
    summary: "Find topics in documents, told by their words, over time and per class",
    load: async () => (await import("./topics.js")).topics,
  },
  {
    name: "predict",
    summary: "Find the cluster of each sample, and its class if the model is a classifier",
    load: async () => (await import("./predict.js")).predict,
  },
  {
    name: "classify",
    summary: "Train a classifier, test it on held-out samples, and keep it",
    load: async () => (await import("./classify.js")).classify,
  },
  {
    name: "impute",
    summary: "Fill the missing values of a table from its known ones",
    load: async () => (await import("./impute.js")).impute,
  },
  {
    name: "inspect",
    summary: "Show how a model was made and what its clusters mean",
    load: async () => (await import("./inspect.js")).inspect,
  },
  {
    name: "report",
    summary: "Write an HTML report of a model and its samples: pictures, words, map, classes",
    load: async () => (await import("./report.js")).report,
  },
  {
    name: "choose",
    summary: "Try several numbers of clusters and suggest one, or say that there are none",
    load: async () => (await import("./choose.js")).choose,
  },
  {
    name: "compare",
    summary: "Run several methods on the same samples and compare them in one table",
    load: async () => (await import("./compare.js")).compare,
  },
  {
    name: "convert",
    summary: "Convert samples from one format to another",
    load: async () => (await import("./convert.js")).convert,
  },
  {
    name: "reproduce",
    summary: "Run the paper's experiment again and show its figures beside ours",
    load: async () => (await import("./reproduce.js")).reproduce,
  },
  {
    name: "studio",
    summary: "Open the studio: fit and explore in the browser; no data leaves this machine",
    load: async () => (await import("./studio.js")).studio,
  },
  {
    name: "datasets",
    summary: "List and fetch the public datasets of the paper and the docs",
    load: async () => (await import("./datasets.js")).datasets,
  },
  {
    name: "cache",
    summary: "List or remove samples packed on disk",
    load: async () => (await import("./cache.js")).cache,
  },
  {
    name: "completion",
    summary: "Print a script that completes commands in bash, zsh or fish",
    load: async () => (await import("./completion.js")).completion,
  },
];
