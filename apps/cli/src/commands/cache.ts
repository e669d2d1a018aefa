import type { Command } from "../command.js";

export const cache: Command = {
  name: "cache",
  summary: "List or remove samples packed on disk",
  usage: "[list | clear]",
  options: [],
  examples: [
    { command: "bonmf cache", note: "list files and sizes" },
    { command: "bonmf cache clear", note: "remove them; the next fit from disk packs its samples again" },
  ],
  async run(call) {
    const { run } = await import("../tasks/cache.js");
    await run(call);
  },
};
