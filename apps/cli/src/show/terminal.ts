import type { Terminal } from "../command.js";
import { UserError } from "../errors.js";
import { escapeJson, toTerminal } from "./escape.js";
import { type Line, showProgress } from "./progress.js";
import { hasColours, makeStyle } from "./text.js";

/** The part of a stream that is used here. */
export interface Stream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface Streams {
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly env: NodeJS.ProcessEnv;
}

/** Lines longer than this are hard to read. */
const WIDEST = 120;

export function openTerminal({ stdout, stderr, env }: Streams, { json = false, quiet = false } = {}): Terminal {
  const line = openLine(stderr, env);
  return {
    out(text) {
      line.clear();
      stdout.write(endLine(json ? escapeJson(text) : toTerminal(text)));
    },
    data(text) {
      line.clear();
      stdout.write(stdout.isTTY ? toTerminal(text) : text);
    },
    note(text) {
      if (quiet) return;
      line.clear();
      stderr.write(endLine(toTerminal(text)));
    },
    json,
    quiet,
    style: makeStyle(!json && hasColours(stdout, env)),
    width: Math.min(stdout.columns || stderr.columns || 80, WIDEST),
    progress: (title) => (line.live && !quiet ? showProgress(title, line) : { update() {}, end() {} }),
  };
}

/** For commands whose data goes to standard output: what they tell goes to stderr. */
export function freeOutput(terminal: Terminal): Terminal {
  if (!terminal.json) return { ...terminal, out: (text) => terminal.note(text) };
  throw new UserError("--json and a file called - both mean standard output", "name a file, or omit --json");
}

function endLine(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}

function openLine(stderr: Stream, env: NodeJS.ProcessEnv): Line & { readonly live: boolean } {
  const live = stderr.isTTY === true && env.TERM !== "dumb";
  let shown = false;
  return {
    live,
    get width() {
      return stderr.columns || 80;
    },
    draw(text) {
      stderr.write(`\r\x1b[2K${text}`);
      shown = true;
    },
    clear() {
      if (shown) stderr.write("\r\x1b[2K");
      shown = false;
    },
  };
}
