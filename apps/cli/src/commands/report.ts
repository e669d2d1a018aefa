import type { Command } from "../command.js";
import { READ_OPTIONS, VECTORS_OPTION } from "../read/options.js";

export const report: Command = {
  name: "report",
  summary: "Write an HTML report of a model and its samples: pictures, words, map, classes",
  usage: "MODEL [DATA…]",
  options: [
    {
      name: "out",
      short: "o",
      value: "FILE",
      help: "Write the report to this file, .html or .pdf (printed by an installed Chrome or Chromium); default report.html",
      group: "Results",
    },
    {
      name: "names",
      value: "NAMES",
      type: "list",
      help: "Names of the clusters, in order, separated by commas; default: those in the model",
      group: "Results",
    },
    VECTORS_OPTION,
    ...READ_OPTIONS.map((option) =>
      option.name === "size"
        ? { ...option, help: "The size of the pictures if the columns of a table are pixels, for example 28x28" }
        : option,
    ),
  ],
  examples: [
    {
      command: "bonmf report model.safetensors data.csv --label class -o report.html",
      note: "one HTML file",
    },
    { command: "bonmf report digits.safetensors digits.csv --label class --size 8x8", note: "each row is a picture" },
    { command: "bonmf report drinks.safetensors drinks.csv --names coffee,tea", note: "clusters with names" },
    { command: "bonmf report digits.bonmf", note: "a project saved in the studio, which knows its samples" },
    { command: "bonmf report topics.safetensors news.csv --id title", note: "texts, shown by title" },
  ],
  async run(call) {
    const { run } = await import("../tasks/report.js");
    await run(call);
  },
};
