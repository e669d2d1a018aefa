import type { Command } from "../command.js";
import { READ_OPTIONS } from "../read/options.js";
import { FIT_OPTIONS } from "../tasks/fit-options.js";

const METHODS = ["hals", "nmf", "kmeans", "bonmf", "spherical", "semi-binary"];
const KEPT = ["k", "method", "scale", "seed", "max-iterations", "threads"];
const K =
  "Fill by a factorisation with so many components; with --method alone: as many as predict hidden entries best";

export const impute: Command = {
  name: "impute",
  summary: "Fill the missing values of a table from its known ones",
  usage: "DATA",
  options: [
    {
      name: "out",
      short: "o",
      value: "FILE",
      help: "Write the table to this file, its gaps filled and all else as it was: .csv, .tsv, .jsonl, .parquet or .arrow, .npy for .npy; - prints CSV",
      group: "Results",
    },
    {
      name: "model",
      value: "MODEL",
      help: "Fill by this model, which was fitted with --missing mask; default: the table itself says it",
      group: "Factorisation",
    },
    ...FIT_OPTIONS.filter(({ name }) => KEPT.includes(name)).map((option) =>
      option.name === "k"
        ? { ...option, help: K }
        : option.name === "method"
          ? { ...option, choices: METHODS, help: "Fill by a factorisation of this kind; with --k alone: hals" }
          : option,
    ),
    ...READ_OPTIONS.filter(({ name }) => name !== "missing" && name !== "strict" && name !== "sql"),
  ],
  examples: [
    {
      command: "bonmf impute gaps.csv --out whole.csv",
      note: "from the other values of a row and from the rows most like it",
    },
    {
      command: "bonmf impute new.csv --model model.safetensors --out whole.csv",
      note: "by a model from bonmf fit --missing mask",
    },
  ],
  async run(call) {
    const { run } = await import("../tasks/impute.js");
    await run(call);
  },
};
