import type { Command, Option } from "../command.js";
import { withGlobals } from "./parse.js";

type Spec = Pick<Command, "name" | "summary" | "options">;

/** A script for the shell that completes commands, options, choices and file names. */
export const SHELLS = new Map(
  Object.entries<(commands: readonly Spec[]) => string>({
    bash: forBash,
    zsh: forZsh,
    fish: forFish,
  }),
);

function forBash(commands: readonly Spec[]): string {
  const names = commands.map(({ name }) => name);
  const choices = commands.flatMap(({ name, options }) =>
    options
      .filter((option) => option.value !== undefined)
      .map((option) => {
        const key = namesOf(option).map((typed) => `${name},${typed}`);
        return `    ${key.join("|")}) COMPREPLY=($(compgen ${sourceOf(option)} -- "$cur")); return ;;`;
      }),
  );
  const flags = commands.map(
    ({ name, options }) => `    ${name}) flags="${withGlobals(options).map(longOf).join(" ")}" ;;`,
  );
  return `# bash completion for bonmf. In ~/.bashrc: eval "$(bonmf completion bash)"
_bonmf() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" command="" flags="--help --version" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in ${names.join("|")}|help) command="$word"; break ;; esac
  done
  COMPREPLY=()
  case "$command,$prev" in
${choices.join("\n")}
    completion,completion) COMPREPLY=($(compgen -W "${[...SHELLS.keys()].join(" ")}" -- "$cur")); return ;;
    help,help) COMPREPLY=($(compgen -W "${names.join(" ")}" -- "$cur")); return ;;
  esac
  case "$command" in
${flags.join("\n")}
  esac
  if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "$flags" -- "$cur"))
  elif [[ -z $command ]]; then COMPREPLY=($(compgen -W "${names.join(" ")} help" -- "$cur"))
  else COMPREPLY=($(compgen -f -- "$cur"))
  fi
}
complete -o filenames -F _bonmf bonmf
`;
}

function sourceOf({ choices, value }: Option): string {
  return choices ? `-W "${choices.join(" ")}"` : value === "FILE" || value === "MODEL" ? "-f" : '-W ""';
}

function forZsh(commands: readonly Spec[]): string {
  const list = commands.map(({ name, summary }) => `    ${quoteZsh(`${name}:${summary}`)}`);
  const cases = commands.map(({ name, options }) => {
    const specs = withGlobals(options).flatMap((option) =>
      namesOf(option).map((typed) => {
        const several = option.multiple || option.type === "list" ? "*" : "";
        const help = option.help.replace(/[[\]:\\]/g, "\\$&");
        const values = option.choices ? `(${option.choices.join(" ")})` : "_files";
        const value = option.value === undefined ? "" : `:${option.value}:${values}`;
        return `        ${quoteZsh(`${several}${typed}[${help}]${value}`)}`;
      }),
    );
    const rest = name === "completion" ? `'*:shell:(${[...SHELLS.keys()].join(" ")})'` : "'*:file:_files'";
    return `    ${name}) _arguments -s \\\n${[...specs, `        ${rest}`].join(" \\\n")} ;;`;
  });
  return `#compdef bonmf
# zsh completion for bonmf. In ~/.zshrc, after compinit: eval "$(bonmf completion zsh)"
_bonmf() {
  local -a commands
  commands=(
${list.join("\n")}
    'help:Show help for a command'
  )
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  local command=$words[2]
  shift words; (( CURRENT-- ))
  case $command in
${cases.join("\n")}
    help) _describe command commands ;;
  esac
}
compdef _bonmf bonmf
`;
}

function quoteZsh(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function forFish(commands: readonly Spec[]): string {
  const names = commands.map(({ name }) => name);
  const lines = commands.flatMap(({ name, summary, options }) => {
    const seen = `-n ${quoteFish(`__fish_seen_subcommand_from ${name}`)}`;
    return [
      `complete -c bonmf -n __fish_use_subcommand -f -a ${name} -d ${quoteFish(summary)}`,
      ...withGlobals(options).map((option) => {
        const short = option.short === undefined ? "" : ` -s ${option.short}`;
        const values = option.choices ? ` -x -a ${quoteFish(option.choices.join(" "))}` : " -r";
        const value = option.value === undefined ? "" : values;
        return `complete -c bonmf ${seen} -l ${option.name}${short}${value} -d ${quoteFish(option.help)}`;
      }),
    ];
  });
  return `# fish completion for bonmf: bonmf completion fish > ~/.config/fish/completions/bonmf.fish
${lines.join("\n")}
complete -c bonmf -n '__fish_seen_subcommand_from completion' -f -a '${[...SHELLS.keys()].join(" ")}'
complete -c bonmf -n __fish_use_subcommand -f -a help -d 'Show help for a command'
complete -c bonmf -n '__fish_seen_subcommand_from help' -f -a '${names.join(" ")}'
`;
}

function quoteFish(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

function longOf({ name }: Option): string {
  return `--${name}`;
}

function namesOf({ name, short }: Option): string[] {
  return short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`];
}
