import type { Command } from "../command.js";

const group = "View";

export const inspect: Command = {
  name: "inspect",
  summary: "Show what a model is, how it was made and what its clusters mean",
  usage: "MODEL",
  options: [
    { name: "clusters", value: "WHICH", help: "Only these clusters, as 0,3,7-9", group },
    { name: "top", value: "N", type: "integer", help: "Name N features a cluster; default 8", group },
    { name: "size", value: "WxH", help: "Draw the prototypes as pictures of this size, as 28x28", group },
  ],
  examples: [
    { command: "bonmf inspect model.safetensors", note: "everything" },
    { command: "bonmf inspect model.safetensors --clusters 0,4-6 --top 20", note: "a closer look at some clusters" },
    { command: "bonmf inspect digits.safetensors --size 8x8", note: "pixels that came as columns of a table" },
  ],
  async run(call) {
    const { run } = await import("../tasks/inspect.js");
    await run(call);
  },
};
