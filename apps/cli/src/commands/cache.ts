import type { Command } from "../command.js";

export const cache: Command = {
  name: "cache",
  summary: "List or remove what fits from disk have packed",
  usage: "[list | clear]",
  options: [],
  examples: [
    { command: "bonmf cache", note: "what is there, and how large it is" },
    { command: "bonmf cache clear", note: "remove it; the next fit from disk packs its samples again" },
  ],
  async run(call) {
    const { run } = await import("../tasks/cache.js");
    await run(call);
  },
};
