import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { askNearest } from "bonmf-data/nearest";
import { helpAll, helpCommand } from "./args/help.js";
import { parse } from "./args/parse.js";
import type { Terminal } from "./command.js";
import { COMMANDS, type Entry } from "./commands/index.js";
import { UserError } from "./errors.js";
import { describeFailure } from "./failure.js";
import { hasColours, makeStyle } from "./show/style.js";
import { openTerminal } from "./show/terminal.js";
import { replaceControls } from "./show/text.js";

const stop = new AbortController();
let interrupted = 0;

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    // The second signal ends a command that did not react to the first.
    if (interrupted !== 0) process.exit(interrupted);
    interrupted = 128 + constants.signals[signal];
    stop.abort(new Error("interrupted"));
  });
}
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // The reader closed the pipe: `bonmf … | head`.
  if (error.code === "EPIPE") process.exit(0);
  process.stderr.write(`error: the results could not be written to standard output: ${error.message}\n`);
  process.exit(1);
});
process.stderr.on("error", () => {});
process.on("uncaughtException", (error) => void fail(error).then((code) => process.exit(code)));

const argv = process.argv.slice(2);
const json = argv.includes("--json");
const quiet = argv.includes("--quiet") || argv.includes("-q");
const terminal = openTerminal(process, { json, quiet });
const code = await run(argv, terminal).catch(fail);
// Flush the output, then exit: idle threads and DuckDB would keep the process alive.
process.stdout.write("", (error) => {
  if (!error) process.exit(code);
});

async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
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
  else await command.run({ args: await nameDatasets(args), options, terminal, signal: stop.signal });
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

async function fail(error: unknown): Promise<number> {
  const { message, hint, code, exit } = await describeFailure(error, interrupted);
  const { bad, dim } = makeStyle(hasColours(process.stderr, process.env));
  if (json) terminal.out(JSON.stringify({ error: { message, hint: hint ?? null, code } }));
  const lines = [`${bad(code === "interrupted" ? "interrupted:" : "error:")} ${replaceControlLines(message)}`];
  if (hint) lines.push(`${dim("hint:")} ${replaceControlLines(hint)}`);
  if (process.env.BONMF_DEBUG === "1" && error instanceof Error) lines.push(error.stack ?? "");
  // Erases the progress line.
  terminal.progress("").end();
  process.stderr.write(`${lines.join("\n")}\n`);
  return exit;
}

function replaceControlLines(text: string): string {
  return text.split("\n").map(replaceControls).join("\n");
}

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return String(version);
}
