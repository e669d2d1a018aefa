import type { Command } from "../command.js";
import { READ_OPTIONS } from "../read/options.js";
import { COMPARE_OPTIONS } from "../tasks/fit-options.js";

export const compare: Command = {
  name: "compare",
  summary: "Run several methods on the same samples and compare them in one table",
  usage: "DATA…",
  options: [...COMPARE_OPTIONS, ...READ_OPTIONS],
  examples: [
    { command: "bonmf compare digits.csv --k 10 --label class", note: "bonmf, kmeans and nmf" },
    {
      command: "bonmf compare digits.csv --k 10 --methods bonmf,spherical,hals --restarts 5 --json",
      note: "the best of five runs of each method",
    },
  ],
  async run(call) {
    const { run } = await import("../tasks/compare.js");
    await run(call);
  },
};
