import type { Command, Option } from "../command.js";
import { READ_OPTIONS, VECTORS_OPTION } from "../read/options.js";
import { FIT_OPTIONS } from "../tasks/fit-options.js";
import { COLUMNS_OPTION, SAFE_OPTION } from "../tasks/result-options.js";

const group = "Results";

/** Options of a fit that topics take. */
const TAKEN = ["method", "loss", "seed", "restarts", "threads"];
/** Options of the reader that say nothing of documents. */
const OTHERS = ["weight", "features", "exclude", "one-hot", "numbers", "missing", "strict", "size", "no-label"];

const K: Option = {
  name: "k",
  short: "k",
  value: "N",
  type: "integer",
  words: ["auto"],
  help: "How many topics, or auto (default): as many as the documents show",
  group: "Topics",
};

export const topics: Command = {
  name: "topics",
  summary: "Find topics in documents, told by their words, over time and per class",
  usage: "DOCS…",
  options: [
    K,
    ...FIT_OPTIONS.filter(({ name }) => TAKEN.includes(name)).map((option) => ({ ...option, group: "Topics" })),
    { ...VECTORS_OPTION, group: "Topics" },
    {
      name: "vector-weight",
      value: "SHARE",
      type: "number",
      help: "How much of the likeness of documents is that of their vectors, from 0 to 1 (vectors alone); default 0.5",
      needs: { option: "vectors", why: "weighs vectors, and needs --vectors FILE or --vectors COLUMN" },
      group: "Topics",
    },
    {
      name: "seed-words",
      value: "FILE",
      help: "Words that some topics should be about: a line of words for each topic",
      group: "Topics",
    },
    {
      name: "previous",
      value: "MODEL",
      help: "Topics of an earlier run: those found again keep their numbers and names",
      group: "Topics",
    },
    {
      name: "time",
      value: "COLUMN",
      help: "The column with the date of each document: how topics come and go",
      group: "Topics",
    },
    { name: "out", short: "o", value: "FILE", help: "Write the topics to this file, as safetensors", group },
    {
      name: "assignments",
      value: "FILE",
      help: "Write the topic and the weights of each document to this file: .csv, .tsv, .jsonl, .parquet or .arrow",
      group,
    },
    {
      name: "outliers",
      help: "Add the column outlier to the assignments: the share of the topic's documents that fit better, from 0 to 1",
      needs: { option: "assignments", why: "adds a column, and needs --assignments FILE" },
      group,
    },
    COLUMNS_OPTION,
    SAFE_OPTION,
    { name: "topics", value: "FILE", help: "Write the topics as a table to this file: .csv, .json or .md", group },
    { name: "report", value: "FILE", help: "Write a page to read the topics, .html or .pdf", group },
    ...READ_OPTIONS.filter(({ name }) => !OTHERS.includes(name)),
  ],
  examples: [
    { command: "bonmf topics news.csv --text body", note: "as many topics as there seem to be" },
    {
      command: "bonmf topics letters/ --k 12 --report letters.html",
      note: "a folder of texts, and a page to read the topics",
    },
    {
      command: "bonmf topics reviews.jsonl --text review --label stars --time date --k 10 --topics topics.md",
      note: "topics over time and per class, as a table",
    },
    {
      command: "bonmf topics news.csv --text body --k 12 --method nmf --loss kullback-leibler",
      note: "a document mixes topics, by the divergence that topic models of counts use",
    },
    {
      command: "bonmf topics news.csv --text body --previous old.safetensors --out new.safetensors",
      note: "the same topics in changed documents",
    },
    {
      command: "bonmf topics news.jsonl --text body --vectors embedding --k 12",
      note: "by words and vectors; embedding is a column of lists, or name a file: --vectors news.npy",
    },
    { command: "bonmf topics counts.svm --vocabulary words.txt --k 8", note: "words that are counted already" },
  ],
  async run(call) {
    const { run } = await import("../tasks/topics.js");
    await run(call);
  },
};
