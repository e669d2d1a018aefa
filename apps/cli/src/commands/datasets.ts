import type { Command } from "../command.js";

export const datasets: Command = {
  name: "datasets",
  summary: "List and fetch the public datasets of the paper and the docs",
  usage: "[list | get NAME… | path NAME | clear]",
  options: [],
  examples: [
    { command: "bonmf datasets", note: "what there is, and what is on this machine" },
    { command: "bonmf datasets get optdigits", note: "once; later also without a network" },
    { command: "bonmf fit @optdigits --k 10 --label class", note: "a dataset wherever data is asked for" },
    { command: "bonmf datasets get openml:61", note: "any dataset of OpenML, by its number" },
  ],
  async run(call) {
    const { run } = await import("../tasks/datasets.js");
    await run(call);
  },
};
