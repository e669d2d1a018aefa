import type { Command } from "../command.js";

export const studio: Command = {
  name: "studio",
  summary: "Open the studio: fit and explore in the browser; no data leaves this machine",
  usage: "[DATA…]",
  options: [
    {
      name: "port",
      short: "p",
      value: "N",
      type: "integer",
      help: "Listen on this port of this machine; default: 2632, where its projects are, or any free one",
    },
    { name: "no-open", help: "Do not open a browser, only print the address" },
  ],
  examples: [
    { command: "bonmf studio", note: "choose a file or an example there" },
    { command: "bonmf studio digits.csv", note: "open a file; it stays on this machine" },
    { command: "bonmf studio faces/ --port 8080 --no-open", note: "a folder of pictures, on a fixed port" },
  ],
  async run(call) {
    const { run } = await import("../studio/run.js");
    await run(call);
  },
};
