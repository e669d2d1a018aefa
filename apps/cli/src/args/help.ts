import type { Command, Option, Style } from "../command.js";
import { widthOf, wrap } from "../show/text.js";
import { GLOBALS, withGlobals } from "./parse.js";

export interface Page {
  readonly style: Style;
  readonly width: number;
}

/** Names longer than this put their help on the next line. */
const WIDEST_NAME = 26;

/** What `bonmf fit --help` shows. */
export function helpCommand(command: Omit<Command, "run">, page: Page): string {
  const { style, width } = page;
  const usage = `bonmf ${command.name}${command.usage === "" ? "" : ` ${command.usage}`} [options]`;
  const options = withGlobals(command.options);
  const groups = [...new Set(options.map(groupOf))];
  const names = options.map(nameOption);
  const column = Math.min(WIDEST_NAME, Math.max(...names.map(widthOf)));
  const sections = groups.map((group) => {
    const lines = options.flatMap((option, o) =>
      groupOf(option) === group ? pair(style.accent(names[o]), option.help + listChoices(option), column, width) : [],
    );
    return [style.bold(group), ...lines].join("\n");
  });
  const examples = command.examples.flatMap(({ note, command: line }) => [`  ${style.dim(`# ${note}`)}`, `  ${line}`]);
  if (examples.length > 0) sections.push([style.bold("Examples"), ...examples].join("\n"));
  return [
    wrap(command.summary, width).join("\n"),
    `${style.bold("Usage")}  ${wrap(usage, width - 7).join(`\n${" ".repeat(7)}`)}`,
    ...sections,
  ].join("\n\n");
}

/** What `bonmf --help` shows. */
export function helpAll(commands: readonly { name: string; summary: string }[], page: Page): string {
  const { style, width } = page;
  const list = commands.flatMap(({ name, summary }) => pair(style.accent(name), summary, 13, width));
  const general = [
    ...GLOBALS.flatMap((option) => pair(style.accent(nameOption(option)), option.help, 13, width)),
    ...pair(style.accent("    --version"), "Show the version", 13, width),
  ];
  const examples = [
    "bonmf fit digits.csv --k 10 --label class --out digits.safetensors",
    "bonmf inspect digits.safetensors",
    `bonmf fit --sql "select * from 'sales/*.parquet'" --k 8`,
  ];
  return [
    wrap("Clusters, topics and classes from files, by binary orthogonal matrix factorisation", width).join("\n"),
    `${style.bold("Usage")}  bonmf COMMAND [options]`,
    [style.bold("Commands"), ...list].join("\n"),
    [style.bold("General"), ...general].join("\n"),
    [style.bold("Examples"), ...examples.map((line) => `  ${line}`)].join("\n"),
    "bonmf COMMAND --help shows the options of a command.",
  ].join("\n\n");
}

function groupOf({ group = "Options" }: Option): string {
  return group;
}

function nameOption({ name, short, value }: Option): string {
  return `${short === undefined ? "    " : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`;
}

/** Choices that the help does not already name. */
function listChoices({ choices = [], help }: Option): string {
  return choices.length === 0 || choices.every((choice) => help.includes(choice)) ? "" : ` (${choices.join(", ")})`;
}

/** "  name   help", the help in a column of its own. */
function pair(name: string, help: string, column: number, width: number): string[] {
  const indent = " ".repeat(column + 4);
  const lines = wrap(help, Math.max(20, width - column - 4));
  const gap = column - widthOf(name);
  if (gap < 0) return [`  ${name}`, ...lines.map((line) => indent + line)];
  return lines.map((line, i) => (i === 0 ? `  ${name}${" ".repeat(gap)}  ${line}` : indent + line));
}
