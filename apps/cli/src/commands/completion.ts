import { SHELLS } from "../args/completion-scripts.js";
import type { Command } from "../command.js";
import { UserError } from "../errors.js";
import { COMMANDS } from "./index.js";

const shells = Object.keys(SHELLS);

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
    if (!Object.hasOwn(SHELLS, shell)) {
      throw new UserError(`no completion for ${JSON.stringify(shell)}: choose ${shells.join(", ")}`);
    }
    const script = SHELLS[shell](await Promise.all(COMMANDS.map(({ load }) => load())));
    terminal.out(terminal.json ? JSON.stringify({ shell, script }) : script);
  },
};
