import { readFileSync } from "node:fs";
import { askNearest } from "bonmf-data/nearest";
import { helpAll, helpCommand } from "./args/help.js";
import { parse } from "./args/parse.js";
import type { Terminal } from "./command.js";
import { COMMANDS, type Entry } from "./commands/index.js";
import { UserError } from "./errors.js";
import { describeFailure } from "./failure.js";
import { escapeControls, toTerminal } from "./show/escape.js";
import { openTerminal, type Streams } from "./show/terminal.js";
import { hasColours, makeStyle } from "./show/text.js";

/** What stops a command. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** The exit code of the signal that arrived; 0 where there was none. */
  readonly code: number;
}

/** A command line, ready to run; both functions return an exit code. */
export interface Run {
  start(): Promise<number>;
  /** Reports an error that was thrown outside the command. */
  fail(error: unknown): Promise<number>;
}

export function prepareRun(argv: readonly string[], streams: Streams, interruption: Interruption): Run {
  const json = argv.includes("--json");
  const quiet = argv.includes("--quiet") || argv.includes("-q");
  const terminal = openTerminal(streams, { json, quiet });

  async function fail(error: unknown): Promise<number> {
    const { message, hint, code, exit } = await describeFailure(error, interruption.code);
    const { bad, dim } = makeStyle(hasColours(streams.stderr, streams.env));
    if (json) terminal.out(JSON.stringify({ error: { message, hint: hint ?? null, code } }));
    const lines = [`${bad(code === "interrupted" ? "interrupted:" : "error:")} ${escapeControls(message)}`];
    if (hint) lines.push(`${dim("hint:")} ${escapeControls(hint)}`);
    if (streams.env.BONMF_DEBUG === "1" && error instanceof Error) lines.push(error.stack ?? "");
    // Erases the progress line.
    terminal.progress("").end();
    streams.stderr.write(toTerminal(`${lines.join("\n")}\n`));
    return exit;
  }

  return { start: () => run(argv, terminal, interruption.signal).catch(fail), fail };
}

async function run(argv: readonly string[], terminal: Terminal, signal: AbortSignal): Promise<number> {
  const place = argv.findIndex((arg) => !arg.startsWith("-"));
  const name = place < 0 ? undefined : argv[place];
  const rest = argv.filter((_, i) => i !== place);
  if (name === undefined && rest.includes("--version")) {
    terminal.out(`bonmf ${readVersion()}`);
    return 0;
  }
  if (name === undefined || (name === "help" && rest.length === 0)) {
    const wanted = argv.length === 0 || argv.some((arg) => arg === "--help" || arg === "-h") || name === "help";
    if (!wanted) throw new UserError(`there is no command in "bonmf ${argv.join(" ")}"`, "bonmf --help lists them");
    terminal.out(helpAll(COMMANDS, terminal));
    return 0;
  }
  const command = await findCommand(name === "help" ? rest[0] : name).load();
  const { args, options } = name === "help" ? parse(command, ["--help"]) : parse(command, rest);
  if (options.flag("help")) terminal.out(helpCommand(command, terminal));
  else await command.run({ args: await nameDatasets(args), options, terminal, signal });
  // A command that finished in spite of a signal was successful.
  return 0;
}

/** "@optdigits" is that dataset's file. */
async function nameDatasets(args: readonly string[]): Promise<readonly string[]> {
  if (!args.some((arg) => arg.startsWith("@"))) return args;
  const { resolveSource } = await import("./datasets/find.js");
  return args.map((arg) => resolveSource(arg));
}

function findCommand(name: string): Entry {
  const entry = COMMANDS.find((command) => command.name === name);
  if (entry) return entry;
  const names = COMMANDS.map((command) => command.name);
  throw new UserError(
    `there is no command ${JSON.stringify(name)}`,
    askNearest(name, names) ?? "bonmf --help lists them",
  );
}

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return String(version);
}
