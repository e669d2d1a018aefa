import type { Command } from "../command.js";
import { READ_OPTIONS } from "../read/options.js";

export const report: Command = {
  name: "report",
  summary: "Write a page that shows a model and its samples: pictures, words, map, classes",
  usage: "MODEL DATA…",
  options: [
    {
      name: "out",
      short: "o",
      value: "FILE",
      help: "Write the page here; default report.html",
      group: "Results",
    },
    {
      name: "names",
      value: "NAMES",
      type: "list",
      help: "What to call the clusters, from the first, with commas between; default: as the model has it",
      group: "Results",
    },
    ...READ_OPTIONS.map((option) =>
      option.name === "size"
        ? { ...option, help: "The size of the pictures whose pixels came as columns of a table, as 28x28" }
        : option,
    ),
  ],
  examples: [
    {
      command: "bonmf report model.safetensors data.csv --label class -o report.html",
      note: "one file, for a browser",
    },
    { command: "bonmf report digits.safetensors digits.csv --label class --size 8x8", note: "rows that are pictures" },
    { command: "bonmf report drinks.safetensors drinks.csv --names coffee,tea", note: "clusters with names" },
    { command: "bonmf report topics.safetensors news.csv --id title", note: "texts, by their titles" },
  ],
  async run(call) {
    const { run } = await import("../tasks/report.js");
    await run(call);
  },
};
