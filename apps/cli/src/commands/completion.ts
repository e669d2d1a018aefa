import { SHELLS } from "../args/completion-scripts.js";
import type { Command } from "../command.js";
import { UserError } from "../errors.js";
import { COMMANDS } from "./index.js";

const shells = [...SHELLS.keys()];

export const completion: Command = {
  name: "completion",
  summary: "Print a script that completes commands in bash, zsh or fish",
  usage: shells.join("|"),
  options: [],
  examples: [
    { command: 'eval "$(bonmf completion bash)"', note: "in ~/.bashrc" },
    { command: 'eval "$(bonmf completion zsh)"', note: "in ~/.zshrc, after compinit" },
    { command: "bonmf completion fish > ~/.config/fish/completions/bonmf.fish", note: "once" },
  ],
  async run({ args: [shell], terminal }) {
    const write = SHELLS.get(shell);
    if (write === undefined) {
      throw new UserError(`no completion for ${JSON.stringify(shell)}: choose ${shells.join(", ")}`);
    }
    const script = write(await Promise.all(COMMANDS.map(({ load }) => load())));
    if (terminal.json) terminal.out(JSON.stringify({ shell, script }));
    else terminal.data(script.endsWith("\n") ? script : `${script}\n`);
  },
};
