import type { Command } from "../command.js";

const group = "View";

export const inspect: Command = {
  name: "inspect",
  summary: "Show how a model was made and what its clusters mean",
  usage: "MODEL",
  options: [
    { name: "clusters", value: "WHICH", help: "Only these clusters, for example 0,3,7-9", group },
    { name: "top", value: "N", type: "integer", help: "Show N features for each cluster; default 8", group },
    { name: "size", value: "WxH", help: "Draw the prototypes as pictures of this size, for example 28x28", group },
  ],
  examples: [
    { command: "bonmf inspect model.safetensors", note: "all clusters" },
    { command: "bonmf inspect model.safetensors --clusters 0,4-6 --top 20", note: "some clusters, with more features" },
    { command: "bonmf inspect digits.safetensors --size 8x8", note: "features that are pixels" },
  ],
  async run(call) {
    const { run } = await import("../tasks/inspect.js");
    await run(call);
  },
};
