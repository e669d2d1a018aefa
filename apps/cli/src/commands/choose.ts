import type { Command, Option } from "../command.js";
import { READ_OPTIONS } from "../read/options.js";
import { SPARK_OPTIONS } from "../spark/options.js";
import { FIT_OPTIONS } from "../tasks/fit-options.js";

/** Options that differ from those of a single fit. */
const OWN = new Map(
  Object.entries<Partial<Option>>({
    k: {
      value: "RANGE",
      type: "string",
      help: "The numbers of clusters to try, for example 2-12, 5-50:5 or 2,4,8; default 2-20, and more while 20 is the best",
    },
    init: { help: "Initialisation; default plusplus for bonmf, else the method's own" },
    restarts: { help: "Runs from different seeds for each k; the best is kept; default 3" },
  }),
);

export const choose: Command = {
  name: "choose",
  summary: "Try several numbers of clusters and suggest one, or say that there are none",
  usage: "DATA…",
  options: [
    ...FIT_OPTIONS.map((option) => ({ ...option, ...OWN.get(option.name) })),
    {
      name: "memory",
      value: "SIZE",
      help: "Limit the memory, for example 512MB, 2GB or 50%: samples stay on disk, and some of them choose k",
      group: "Factorisation",
    },
    {
      name: "out",
      short: "o",
      value: "FILE",
      help: "Write the suggested model to this file, as safetensors",
      group: "Results",
    },
    {
      name: "report",
      value: "FILE",
      help: "Write a page with the measures of every k and the suggested clusters, .html or .pdf",
      group: "Results",
    },
    ...READ_OPTIONS.filter(({ name }) => name !== "memory"),
    ...SPARK_OPTIONS,
  ],
  examples: [
    { command: "bonmf choose digits.csv --exclude class", note: "how many clusters are there?" },
    { command: "bonmf choose digits.csv --k 2-15 --exclude class", note: "2, 3, 4 … 15 clusters" },
    {
      command: "bonmf choose digits.csv --k 5-50:5 --label class --out model.safetensors",
      note: "5, 10, 15 … 50 clusters; compare with the classes, keep the suggested model",
    },
    { command: "bonmf choose news.csv --text body --k 5,10,20,40 --restarts 5 --json", note: "for programs" },
  ],
  async run(call) {
    const { run } = await import("../tasks/choose.js");
    await run(call);
  },
};
