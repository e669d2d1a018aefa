import type { Command } from "../command.js";

export const datasets: Command = {
  name: "datasets",
  summary: "List and fetch the public datasets of the paper and the docs",
  usage: "[list | get NAME… | path NAME | clear]",
  options: [],
  examples: [
    { command: "bonmf datasets", note: "list all, and which are on this machine" },
    { command: "bonmf datasets get optdigits", note: "download once, then use offline" },
    { command: "bonmf fit @optdigits --k 10 --label class", note: "@NAME works wherever a file does" },
    { command: "bonmf datasets get openml:61", note: "any OpenML dataset, by its number" },
  ],
  async run(call) {
    const { run } = await import("../tasks/datasets.js");
    await run(call);
  },
};
